import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { telnyxClient, twilioClient } from './clients.js';
import { connectTelephony, installationName, markerOf, type NumberProvider, purchaseOf } from './index.js';
import { microsOf } from './micros.js';

const purchaseId = '0198c0de-0000-7000-8000-000000000001';
const accountSid = `AC${'1'.repeat(32)}`;

let server: Server | undefined;
let requests: string[] = [];

const answering = async (
  listener: RequestListener,
  timeoutMs = 30_000,
): Promise<readonly NumberProvider[]> => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    listener(request, response);
  });
  const started = server;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return connectTelephony({
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: new Secret('token'),
    TWILIO_API_URL: url,
    TELNYX_API_KEY: new Secret('KEY'),
    TELNYX_API_URL: `${url}/v2`,
    PROVIDER_TIMEOUT_MS: timeoutMs,
  });
};

const stop = async (): Promise<void> => {
  const running = server;
  server = undefined;
  running?.closeAllConnections();
  await new Promise<void>((resolve) => (running === undefined ? resolve() : running.close(() => resolve())));
};
afterEach(stop);

const json =
  (status: number, body: object): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** The Twilio adapter first looks for an owned number: reads find nothing, writes get the answer under test. */
const onWrites =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    request.method === 'GET'
      ? json(200, { incoming_phone_numbers: [], data: [] })(request, response)
      : listener(request, response);

const posts = (): number => requests.filter((line) => line.startsWith('POST')).length;
const wanted = { phoneNumber: '+14155550100', marker: markerOf('main', purchaseId) };
const buyBoth = (providers: readonly NumberProvider[]) =>
  Promise.all(providers.map((provider) => provider.buy(wanted)));

describe('the clients', () => {
  it('never send anything twice by themselves, and give up after ten seconds', () => {
    const twilio = twilioClient({ accountSid, authToken: 'token' });
    expect(twilio.autoRetry).toBe(false);
    expect(twilio.httpClient).toMatchObject({ autoRetry: false, defaultTimeout: 10_000 });
    const elsewhere = twilioClient({ accountSid, authToken: 'token', url: 'http://127.0.0.1:9' });
    expect(elsewhere.httpClient).toMatchObject({ autoRetry: false, defaultTimeout: 10_000 });
    expect(telnyxClient({ apiKey: 'KEY' })).toMatchObject({ maxRetries: 0, timeout: 10_000 });
  });
});

describe('buying', () => {
  it.each<[string, RequestListener]>([
    ['is answered with a failure', (_, response) => void response.writeHead(503).end()],
    ['is not answered', () => undefined],
    ['is torn', (request) => void request.socket.resetAndDestroy()],
  ])('is sent once and in doubt when it %s', async (_, listener) => {
    const outcomes = await buyBoth(await answering(onWrites(listener), 1_000));
    expect(outcomes).toMatchObject([{ kind: 'inDoubt' }, { kind: 'inDoubt' }]);
    expect(posts()).toBe(2);
  });

  it('that is not answered says so', async () => {
    const outcomes = await buyBoth(
      await answering(
        onWrites(() => undefined),
        1_000,
      ),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ failure: { code: 'PROVIDER_TIMEOUT' } });
  });

  it.each<[string, number, object, string]>([
    ['has no money', 402, { code: 1, errors: [{ code: '20100' }] }, 'INSUFFICIENT_BALANCE'],
    ['comes too often', 429, { code: 20_429, errors: [{ code: '10011' }] }, 'PROVIDER_RATE_LIMITED'],
    [
      'is about a number that is gone',
      400,
      { code: 21_422, errors: [{ code: '85001' }] },
      'NUMBER_UNAVAILABLE',
    ],
    ['is refused', 400, { code: 20_001, errors: [{ code: '10015' }] }, 'PROVIDER_ERROR'],
    ['comes from a stranger', 401, { code: 20_003, errors: [{ code: '10009' }] }, 'PROVIDER_ERROR'],
  ])('that %s was certainly not carried out', async (_, status, body, code) => {
    const outcomes = await buyBoth(await answering(onWrites(json(status, body))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'refused', failure: { code } });
    expect(posts()).toBe(2);
  });

  it('was certainly not carried out when nobody listens', async () => {
    const nowhere = await answering(() => undefined);
    await stop();
    for (const outcome of await buyBoth(nowhere))
      expect(outcome).toMatchObject({ kind: 'refused', failure: { code: 'PROVIDER_UNAVAILABLE' } });
  });

  it('never renames a number that the account has already', async () => {
    const owned = { sid: 'PN1', phone_number: wanted.phoneNumber, friendly_name: 'reception' };
    const [twilio] = await answering(json(200, { incoming_phone_numbers: [owned] }));
    const outcome = await twilio?.buy(wanted);
    expect(outcome).toMatchObject({ kind: 'refused', failure: { code: 'NUMBER_UNAVAILABLE' } });
    expect(posts()).toBe(0);
  });

  it('is not even tried while half of the last requests failed, and reads go on', async () => {
    const providers = await answering(onWrites((_, response) => void response.writeHead(500).end()));
    for (const provider of providers) {
      const outcomes = [];
      for (let n = 0; n < 25; n += 1) outcomes.push(await provider.buy(wanted));
      expect(outcomes[0]).toMatchObject({ kind: 'inDoubt' });
      expect(outcomes.at(-1)).toMatchObject({
        kind: 'refused',
        failure: { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 10 },
      });
      expect(await provider.findByMarker(wanted.marker)).toEqual({ kind: 'absent' });
    }
  });
});

describe('a read', () => {
  it('is tried twice when the provider fails, and once when it is slow', async () => {
    const failing = await answering((_, response) => void response.writeHead(502).end(), 1_000);
    for (const provider of failing)
      await expect(provider.findByMarker(wanted.marker)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(requests).toHaveLength(4);
    requests = [];
    server?.removeAllListeners('request').on('request', ({ url }) => void requests.push(String(url)));
    await Promise.all(
      failing.map((provider) =>
        expect(provider.findByMarker(wanted.marker)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' }),
      ),
    );
    expect(requests).toHaveLength(2);
  });
});

describe('a number that is looked up by its identifier', () => {
  const sid = `PN${'a'.repeat(32)}`;
  const row = { sid, id: sid, phone_number: '+14155550100', status: 'active', friendly_name: '' };
  const lookUp = async (listener: RequestListener, id = sid) =>
    Promise.all((await answering(listener)).map((provider) => provider.findOwned(id)));

  it('is found when the account has it', async () => {
    const found = await lookUp(json(200, { ...row, data: row }));
    for (const number of found)
      expect(number).toEqual({ providerNumberId: sid, phoneNumber: '+14155550100', marker: null });
  });

  it('is absent when the account does not have it', async () => {
    expect(await lookUp(json(404, { code: 20_404, errors: [] }))).toEqual([undefined, undefined]);
  });

  it.each(['', '../Calls', 'PN1/../..', 'a b', '+14155550100', '%2e'])(
    'is absent, and the provider is not asked, when the identifier has another form: %j',
    async (id) => {
      expect(await lookUp(json(200, { ...row, data: row }), id)).toEqual([undefined, undefined]);
      expect(requests).toEqual([]);
    },
  );

  it('is not taken for anything while the provider is in trouble', async () => {
    for (const provider of await answering(json(503, {})))
      await expect(provider.findOwned(sid)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
  });
});

describe('an amount of money', () => {
  it.each([
    ['1.15', 1_150_000],
    ['1.00000', 1_000_000],
    ['0', 0],
    ['15', 15_000_000],
    ['0.000001', 1],
    ['0.0000001', 1],
    ['0.1234560', 123_456],
    ['0.1234561', 123_457],
    ['999999999.999999', 999_999_999_999_999],
  ])('%s is %d micros', (text, micros) => expect(microsOf(text)).toBe(micros));

  it.each(['', '-1', '1e-7', '1,15', 'NaN', 'undefined', '1.', '.5', '1.2.3', '0x10'])('%j is none', (text) =>
    expect(() => microsOf(text)).toThrow(RangeError),
  );
});

describe('a marker', () => {
  it('names the purchase to the installation that wrote it, and fits into the shortest field', () => {
    const marker = markerOf('a'.repeat(18), purchaseId);
    expect(marker.length).toBeLessThanOrEqual(64);
    expect(purchaseOf('a'.repeat(18), marker)).toBe(purchaseId);
  });

  it.each([
    ['another installation', `parlance:other:${purchaseId}`],
    ['a person', 'reception'],
    ['nobody', null],
    ['more than a purchase', `parlance:main:${purchaseId}:x`],
    ['no purchase', 'parlance:main:'],
  ])('of %s is not ours', (_, text) => expect(purchaseOf('main', text)).toBeUndefined());

  it('has no room for other names of installations', () => {
    for (const name of ['', 'a:b', 'Main', 'a'.repeat(19)]) expect(installationName.test(name)).toBe(false);
  });
});
