import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { givenClient, usesOfLogin } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';

const secretId = '018f0000-0000-7000-8000-000000000001';
const connection = {
  organization_id: 'o',
  auth: { type: 'oauth2', clientId: 'by-hand', secretId },
} as ConnectionRow; // the columns that are read here

const metadata = {
  issuer: 'https://as.example',
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
  response_types_supported: ['code'],
};
const sourceWith = (more: object) => ({
  issuer: 'https://as.example',
  metadata: { ...metadata, ...more },
  resource: null,
});

/** Secrets that are allowed for one origin. */
const secrets = {
  open: async (_organizationId: string, { url }: { readonly url: string }) => {
    if (new URL(url).origin !== 'https://as.example') throw new AppError('SECRET_ORIGIN_NOT_ALLOWED');
    return { byId: () => 'planted', byName: () => 'planted' };
  },
};

describe('the secret of a client that was registered by hand', () => {
  it('opens for an authorization server whose origins it names', async () => {
    const source = sourceWith({ revocation_endpoint: 'https://as.example/revoke' });
    expect(await givenClient({ secrets }, connection, source)).toMatchObject({ client_secret: 'planted' });
    const older = { issuer: 'https://as.example', metadata: null, resource: null };
    expect(await givenClient({ secrets }, connection, older)).toMatchObject({ client_secret: 'planted' });
  });

  it.each([
    { token_endpoint: 'https://evil.example/token' },
    { revocation_endpoint: 'https://evil.example/revoke' },
  ])('does not open where the server names %j, which needs its own permission', async (endpoint) => {
    const source = sourceWith(endpoint);
    await expect(givenClient({ secrets }, connection, source)).rejects.toMatchObject({
      code: 'SECRET_ORIGIN_NOT_ALLOWED',
    });
    expect(usesOfLogin(connection, source)).toContainEqual({
      origin: 'https://evil.example',
      ids: [secretId],
      names: [],
    });
  });
});
