// Through a real receiver, and judged by the library that receivers use.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { Keyring, secretBinding } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { Webhook } from 'standardwebhooks';
import { OrganizationSecrets, type OrganizationSecretsOptions } from './organization-secrets.js';
import { derivedSecrets, signingSecretOf, type WebhookSecrets } from './secrets.js';
import { type WebhookMessage, WebhookSender, type WebhookTarget } from './sender.js';

const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  received.push({ headers: request.headers, body });
  response.end('ok');
});
const egress = new Egress({ allowPrivate: ['127.0.0.1'] });
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
});
afterAll(async () => {
  await egress.close();
  await new Promise((resolve) => server.close(resolve));
});

const secretId = '0197f3f0-0000-7000-8000-00000000000a';
const [key, oldKey] = [new Secret('k'.repeat(32)), new Secret('o'.repeat(32))];
const organizationId = 'org-1';
const message = (change: Partial<WebhookMessage> = {}): WebhookMessage => ({
  organizationId,
  id: '0197f3f0-0000-7000-8000-000000000001',
  body: '{"type":"call.ended","text":"Grüße"}',
  attempt: 2,
  at: new Date(),
  values: () => undefined,
  answer: { maxBytes: 1_000, whenLarger: 'cut' },
  ...change,
});
const target = (change: Partial<WebhookTarget> = {}): WebhookTarget => ({
  url,
  headers: {},
  timeoutMs: 30_000,
  ...change,
});
const send = async (to: WebhookTarget, what = message(), secrets: WebhookSecrets = derivedSecrets(key)) => {
  await new WebhookSender({ egress, secrets }).send(to, what);
  const last = received.at(-1);
  if (last === undefined) throw new Error('nothing was received');
  return last;
};
const verifies = (secret: string, { headers, body }: (typeof received)[number]): boolean => {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
};

describe('a webhook', () => {
  it('carries a signature that receivers verify, by the secret of its organization alone', async () => {
    const got = await send(target());
    expect(verifies(signingSecretOf(key, organizationId), got)).toBe(true);
    expect(verifies(signingSecretOf(key, 'org-2'), got)).toBe(false);
    expect(verifies(signingSecretOf(oldKey, organizationId), got)).toBe(false);
    expect(verifies(signingSecretOf(key, organizationId), { ...got, body: `${got.body} ` })).toBe(false);
    expect(got.headers).toMatchObject({
      'webhook-id': message().id,
      'x-webhook-attempt': '2',
      'content-type': 'application/json',
      'user-agent': 'Parlance/1',
    });
  });

  it('is signed with the old key too while keys are exchanged', async () => {
    const got = await send(target(), message(), derivedSecrets(key, oldKey));
    expect(verifies(signingSecretOf(key, organizationId), got)).toBe(true);
    expect(verifies(signingSecretOf(oldKey, organizationId), got)).toBe(true);
  });

  it('is signed with the previous value of a rotated secret too, while that value is valid and no longer', async () => {
    const keyring = new Keyring({ id: 'test', key: new Secret(randomBytes(32).toString('base64')) });
    const [before, now] = ['whsec_YmVmb3Jl', 'whsec_bm93'];
    const sealed = (version: number, value: string) =>
      keyring.seal(Buffer.from(value), secretBinding({ organizationId, secretId, version }));
    const rotated = (goodUntil: Date): WebhookSecrets => {
      const previous = { version: 1, sealed: sealed(1, before), goodUntil: goodUntil.toISOString() };
      const secret = { id: secretId, name: 'SIGNING', version: 2, sealed: sealed(2, now), previous };
      // tools-secrets leaves an ended version out; one that ends on its way is left out here.
      const rpc = { call: async () => ({ data: [secret] }) } as unknown as OrganizationSecretsOptions['rpc']; // one row of the contract
      return new OrganizationSecrets({
        rpc,
        keyring,
        derived: derivedSecrets(key),
        callerFor: (organization) => ({
          organizationId: organization,
          actor: { type: 'platform', id: 'calls-logs' },
          role: 'platform',
          permissions: [],
        }),
      });
    };
    const to = target({ signingSecretId: secretId });
    const valid = await send(to, message(), rotated(new Date(Date.now() + 60_000)));
    expect([now, before].map((value) => verifies(value, valid))).toEqual([true, true]);
    const ended = await send(to, message(), rotated(new Date(Date.now() - 1)));
    expect([now, before].map((value) => verifies(value, ended))).toEqual([true, false]);
  });

  it('has a signing secret of 32 bytes that is the same every time', () => {
    const secret = signingSecretOf(key, organizationId);
    expect(secret).toBe(signingSecretOf(key, organizationId));
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  });

  it('has the headers it was configured with, filled, but none that forges ours or breaks the request', async () => {
    const headers = {
      Authorization: 'Bearer {{token}}',
      'X-Note': '{{note}}',
      'Webhook-Id': 'forged',
      'webhook-signature': 'v1,forged',
      Host: 'elsewhere.example.com',
      'Content-Length': '3',
      'Transfer-Encoding': 'chunked',
    };
    const values = (name: string) => (name === 'token' ? 't' : 'a\r\nx-evil: 1\u2028');
    const got = await send(target({ headers }), message({ values }));
    expect(got.headers).toMatchObject({
      authorization: 'Bearer t',
      'x-note': 'ax-evil: 1',
      'webhook-id': message().id,
    });
    expect(got.headers).not.toHaveProperty('x-evil');
    expect(got.headers.host).toContain('127.0.0.1');
    expect(got.body).toBe(message().body);
  });

  it('gets secrets through the port, wherever it refers to them', async () => {
    const secrets: WebhookSecrets = {
      signing: async (_organization, id) => [signingSecretOf(key, `signing ${id}`)],
      open: async () => ({ byId: (id) => `id ${id}`, byName: (name) => `name ${name}` }),
      header: ({ sealed }, { ownerId, name, origin }) => `${sealed} of ${ownerId} ${name} at ${origin}`,
    };
    const to = target({
      headers: { a: { secretId: 's1' }, b: '{{secrets.B}}', C: { sealed: 'literal' } },
      agentId: 'a1',
      body: { c: ['{{secrets.C}}', { secretId }, { secretId: 'no id' }] },
      signingSecretId: 's2',
    });
    const got = await send(to, message(), secrets);
    expect(got.headers).toMatchObject({
      a: 'id s1',
      b: 'name B',
      c: `literal of a1 c at ${new URL(url).origin}`,
    });
    expect(verifies(signingSecretOf(key, 'signing s2'), got)).toBe(true);
    const sender = new WebhookSender({ egress, secrets });
    expect(await sender.custom(organizationId, to, () => undefined)).toEqual({
      c: ['name C', `id ${secretId}`, { secretId: 'no id' }],
    });
  });

  it('is signed with the bytes of a secret that is not written as a key of Standard Webhooks', async () => {
    const plain = 'pass phrase with ümlaut';
    const secrets = { ...derivedSecrets(key), signing: async () => [plain, 'whsec_not base64'] };
    const got = await send(target(), message(), secrets);
    for (const value of [plain, 'whsec_not base64'])
      expect(verifies(`whsec_${Buffer.from(value, 'utf8').toString('base64')}`, got)).toBe(true);
  });

  it('that refers to a secret is not sent while nobody keeps secrets', async () => {
    const before = received.length;
    for (const change of [
      { headers: { a: { secretId } } },
      { headers: { a: '{{secrets.A}}' } },
      { signingSecretId: 's2' },
    ])
      await expect(send(target(change))).rejects.toEqual(new AppError('SECRET_NOT_FOUND'));
    expect(received).toHaveLength(before);
  });

  it('is not sent to an address that is refused', async () => {
    const refused = expect.objectContaining({ code: 'URL_NOT_ALLOWED' });
    await expect(send(target({ url: 'https://169.254.169.254/' }))).rejects.toEqual(refused);
  });
});
