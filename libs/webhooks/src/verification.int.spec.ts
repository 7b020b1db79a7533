// Messages of the sender, as receivers verify them with the published client.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedWebhook, verifyWebhook, WebhookError } from '@parlance/client';
import { Secret } from '@parlance/config';
import { Egress } from '@parlance/egress';
import { derivedSecrets, signingSecretOf, type WebhookSecrets } from './secrets.js';
import { WebhookSender } from './sender.js';

const body = '{"type":"call.ended","id":"message-1","data":{"text":"Grüße"}}';
const organizationId = 'org-1';
const [key, oldKey] = [new Secret('k'.repeat(32)), new Secret('o'.repeat(32))];
const [secret, oldSecret] = [signingSecretOf(key, organizationId), signingSecretOf(oldKey, organizationId)];
const egress = new Egress({ allowPrivate: ['127.0.0.1'] });
let received: Pick<ReceivedWebhook, 'payload' | 'headers'>;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received = { payload: Buffer.concat(chunks), headers: request.headers };
  response.end();
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  await egress.close();
  await new Promise((resolve) => server.close(resolve));
});

const send = async (secrets: WebhookSecrets = derivedSecrets(key), at = new Date()) => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  const target = { url: `http://127.0.0.1:${port}/hook`, headers: {}, timeoutMs: 30_000 };
  await new WebhookSender({ egress, secrets }).send(target, {
    ...{ organizationId, id: 'message-1', body, attempt: 1, at, values: () => undefined },
    answer: { maxBytes: 1_000, whenLarger: 'cut' },
  });
  return received;
};
const problemOf = (message: ReceivedWebhook): Promise<unknown> =>
  verifyWebhook(message).then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookError ? error.problem : error),
  );

describe('a message of the platform', () => {
  it('is verified by its secret, as text and as bytes, with headers of either kind', async () => {
    const { payload, headers } = await send();
    expect(await verifyWebhook({ payload, headers, secret })).toEqual(JSON.parse(body));
    const standard = new Headers(
      Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      ),
    );
    expect(await problemOf({ payload: body, headers: standard, secret })).toBe('verified');
  });

  it('is verified while secrets are exchanged, on either side', async () => {
    const both = await send(derivedSecrets(key, oldKey));
    expect(await problemOf({ ...both, secret: oldSecret })).toBe('verified');
    const old = await send(derivedSecrets(oldKey));
    expect(await problemOf({ ...old, secret: [secret, oldSecret] })).toBe('verified');
    expect(await problemOf({ ...old, secret })).toBe('signature_wrong');
  });

  it('is verified by a secret that an organization wrote itself', async () => {
    const own = 'not base64, and no prefix';
    const message = await send({ ...derivedSecrets(key), signing: async () => [own] });
    expect(await problemOf({ ...message, secret: own })).toBe('verified');
    const almost = await send({ ...derivedSecrets(key), signing: async () => ['whsec_not base64!'] });
    expect(await problemOf({ ...almost, secret: 'whsec_not base64!' })).toBe('verified');
  });

  it('is refused with another body, another id and another time', async () => {
    const message = await send();
    expect(await problemOf({ ...message, payload: `${body} `, secret })).toBe('signature_wrong');
    const headers = { ...message.headers } as Record<string, string>; // of one value each
    for (const [name, value] of [
      ['webhook-id', 'message-2'],
      ['webhook-timestamp', String(Number(headers['webhook-timestamp']) + 1)],
      ['webhook-signature', 'v1,AAAA v2,BBBB'],
    ] as const)
      expect(await problemOf({ ...message, headers: { ...headers, [name]: value }, secret })).toBe(
        'signature_wrong',
      );
  });

  it('is refused when it is old, when it comes too early, and without its headers', async () => {
    const at = new Date('2026-07-01T12:00:00Z');
    const message = { ...(await send(derivedSecrets(key), at)), secret };
    const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
    expect(await problemOf({ ...message, now: later(300) })).toBe('verified');
    expect(await problemOf({ ...message, now: later(301) })).toBe('too_old');
    expect(await problemOf({ ...message, now: later(301), toleranceSeconds: 600 })).toBe('verified');
    expect(await problemOf({ ...message, now: later(-301) })).toBe('too_new');
    expect(await problemOf({ ...message, headers: {} })).toBe('headers_missing');
  });
});
