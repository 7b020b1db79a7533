// The authorization server and the server behind it, held against the SDK's own client.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import {
  type AuthorizationServer,
  type ProtectedServer,
  signIn,
  startAuthorizationServer,
  startProtectedServer,
} from './index.js';

const callback = 'https://client.example/callback';
const documentUrl = 'https://client.example/client.json';

class Visitor implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = {
    client_name: 'Spec',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl?: string;
  asked: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

let issuer: AuthorizationServer;
let server: ProtectedServer;

beforeAll(async () => {
  issuer = await startAuthorizationServer({
    clientDocuments: {
      [documentUrl]: {
        client_id: documentUrl,
        client_name: 'Spec',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    },
  });
  server = await startProtectedServer({ authorizationServer: issuer });
});

afterAll(async () => {
  await server?.stop();
  await issuer?.stop();
});

const authorized = async (visitor: Visitor): Promise<URL> => {
  await auth(visitor, { serverUrl: server.url });
  return signIn(String(visitor.asked), { login: 'ada' });
};

const login = async (visitor: Visitor): Promise<void> => {
  const authorizationCode = (await authorized(visitor)).searchParams.get('code') ?? '';
  expect(await auth(visitor, { serverUrl: server.url, authorizationCode })).toBe('AUTHORIZED');
};

const whoAmI = async (visitor: Visitor): Promise<unknown> => {
  const client = new Client({ name: 'spec', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { authProvider: visitor }));
  try {
    return (await client.callTool({ name: 'whoami' })).content;
  } finally {
    await client.close();
  }
};

it.each([
  ['that registers itself', undefined],
  ['that is known by its metadata document', documentUrl],
])('lets a client in %s, after a person has signed in', async (_, document) => {
  const visitor = new Visitor(document);
  await login(visitor);
  expect(await whoAmI(visitor)).toEqual([{ type: 'text', text: 'ada' }]);
  expect(issuer.issued).toContain(visitor.tokens()?.access_token);
});

it('names itself in the answer', async () => {
  const back = await authorized(new Visitor());
  expect(back.searchParams.get('iss')).toBe(issuer.issuer);
});

it('says where tokens come from, to a request without one', async () => {
  const answer = await fetch(server.url, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource/mcp');
});

it('gives a new refresh token for every old one', async () => {
  const visitor = new Visitor();
  await login(visitor);
  const first = visitor.tokens();
  await issuer.expireAccessTokens();
  expect(await whoAmI(visitor)).toEqual([{ type: 'text', text: 'ada' }]);
  expect(visitor.tokens()?.refresh_token).not.toBe(first?.refresh_token);
});

it('refuses everything once the person has withdrawn the grant', async () => {
  const visitor = new Visitor();
  await login(visitor);
  await issuer.withdrawGrants();
  await expect(whoAmI(visitor)).rejects.toThrow(InvalidGrantError);
});

it('sends a person who declines back without a code', async () => {
  const visitor = new Visitor();
  await auth(visitor, { serverUrl: server.url });
  const back = await signIn(String(visitor.asked), { login: 'ada', declines: true });
  expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
});
