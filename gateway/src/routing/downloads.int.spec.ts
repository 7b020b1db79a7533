// Files that services make while they are sent, as browsers and programs get them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@parlance/client';
import { contract, type StreamEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually, serveStream, type TestEngines, testEngines } from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';
import { type Person, TestGateway } from '../testing/test-gateway.js';

type Piece = StreamEvent<(typeof contract)['callsExport']>;

let engines: TestEngines;
let nats: Awaited<ReturnType<typeof connectNats>>;
let gateway: TestGateway;
let person: Person;
let answer: () => AsyncIterable<Piece> | AppError;
let stopped = 0;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  gateway = await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl });
  person = await gateway.signUp();
  await serveStream(nats, contract.callsExport, (_, signal) => {
    signal.addEventListener('abort', () => {
      stopped += 1;
    });
    return answer();
  });
});
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
  await engines?.stop();
});

const piece = (text: string): Piece => ({ event: 'text', data: { text } });
const get = (headers: Record<string, string> = {}) =>
  fetch(`${gateway.gateway.url}/api/v1/calls/export`, { headers: { ...person.session, ...headers } });

describe('a download', () => {
  it('is the texts of the service, as a file that no cache keeps', async () => {
    answer = async function* () {
      yield piece('id\r\n');
      yield piece('Zoë\r\n');
    };
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="calls.csv"');
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(await response.text()).toBe('id\r\nZoë\r\n');
  });

  it('that fails breaks off, so that nobody takes a part of it for the whole', async () => {
    answer = async function* () {
      yield piece('id\r\n');
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    const response = await get();
    await expect(response.text()).rejects.toThrow();
  });

  it('that is refused has a status and a code', async () => {
    answer = () => new AppError('RATE_LIMITED', { retryAfterSeconds: 7 });
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });

  it('is not given as JSON', async () => {
    expect((await get({ accept: 'application/json' })).status).toBe(406);
  });

  it('ends at the service when its reader leaves', async () => {
    answer = async function* () {
      for (;;) yield piece('x'.repeat(10_000));
    };
    const before = stopped;
    const { body } = await get();
    await body?.cancel();
    await eventually(() => expect(stopped).toBe(before + 1));
  });

  it('is read piece by piece with the client', async () => {
    answer = async function* () {
      yield piece('id\r\n');
      yield piece('1\r\n');
    };
    const { key } = await gateway.createKey(person, ['callLogs:read']);
    const client = createClient({ baseUrl: `${gateway.gateway.url}/api/v1`, apiKey: key });
    let text = '';
    for await (const part of await client.calls.export({ query: { channel: 'phone' } })) text += part;
    expect(text).toBe('id\r\n1\r\n');
  });
});
