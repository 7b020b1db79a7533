// Streamed answers of services as browsers and programs read them.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@parlance/client';
import { contract, type StreamEvent, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  eventually,
  gate,
  serveOperation,
  serveStream,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';
import { TestGateway } from '../testing/test-gateway.js';

type Event = StreamEvent<(typeof contract)['widgetsSendMessage']>;

const shop = 'https://shop.example.com';
const ids = { widgetId: randomUUID(), sessionId: randomUUID() };
const path = `/api/v1/public/widgets/${ids.widgetId}/sessions/${ids.sessionId}/messages`;
const turn = { seq: 2, role: 'agent' as const, text: 'Hello there', startMs: 0 };
const wholeTurn = {
  ...{ seq: 2, role: 'agent', text: 'Hello there', spokenText: null, interrupted: false, startMs: 0 },
  ...{ endMs: null, confidence: null, language: null, toolCall: null, sources: [], latencyMs: null },
};
const said = (delta: string): Event => ({ event: 'text', data: { delta } });

let engines: TestEngines;
let nats: Awaited<ReturnType<typeof connectNats>>;
let gateway: TestGateway;
let answer: (signal: AbortSignal) => AsyncIterable<Event> | AppError;
let heard: unknown[];
let stopped: number;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  gateway = await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl });
  await serveOperation(nats, serviceRequests.widgetsOrigins, () => ({ data: { allowedOrigins: [shop] } }));
  await serveStream(nats, contract.widgetsSendMessage, ({ body }, signal) => {
    heard.push(body);
    signal.addEventListener('abort', () => {
      stopped += 1;
    });
    return answer(signal);
  });
});
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
  await engines?.stop();
});
beforeEach(() => {
  heard = [];
  stopped = 0;
});

const send = (body: unknown = { endToken: 'e', text: 'Hi' }, headers: Record<string, string> = {}) =>
  fetch(`${gateway.gateway.url}${path}`, {
    method: 'POST',
    headers: { origin: shop, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('a streamed answer', () => {
  it('is a stream of events that no cache and no proxy keeps, for the pages of the widget', async () => {
    answer = async function* () {
      yield said('Hello\n');
      yield said('there');
      yield { event: 'done', data: { turn } };
    };
    const response = await send();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('access-control-allow-origin')).toBe(shop);
    expect(await response.text()).toBe(
      'event: text\ndata: {"delta":"Hello\\n"}\n\nevent: text\ndata: {"delta":"there"}\n\n' +
        `event: done\ndata: ${JSON.stringify({ turn: wholeTurn })}\n\n`,
    );
    expect(heard).toEqual([{ endToken: 'e', text: 'Hi' }]);
  });

  it('takes the end token from a header, too', async () => {
    answer = async function* () {
      yield said('Hello');
    };
    await (await send({ text: 'Hi' }, { 'x-end-token': 'secret' })).text();
    expect(heard).toEqual([{ endToken: 'secret', text: 'Hi' }]);
  });

  it('arrives word by word, and not when all is said', async () => {
    const { opened, open: goOn } = gate();
    answer = async function* () {
      yield said('One');
      await opened;
      yield said('Two');
    };
    const reader = (await send()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('One');
    goOn();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('Two');
  });

  it('is read by the client as typed events, and a failure in the middle is thrown', async () => {
    const client = createClient({ baseUrl: `${gateway.gateway.url}/api/v1`, headers: { origin: shop } });
    const body = { endToken: 'e', text: 'Hi' };
    answer = async function* () {
      yield said('Hel');
      yield said('lo');
      yield { event: 'done', data: { turn } };
    };
    const events: unknown[] = [];
    for await (const event of await client.widgets.sendMessage({ params: ids, body })) events.push(event);
    expect(events).toEqual([said('Hel'), said('lo'), { event: 'done', data: { turn: wholeTurn } }]);
    answer = async function* () {
      yield said('Hel');
      throw new AppError('RUNTIME_ERROR');
    };
    const failing = await client.widgets.sendMessage({ params: ids, body });
    const read = async (): Promise<void> => {
      for await (const event of failing) events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: 'RUNTIME_ERROR', status: 502, requestId: /.+/ });
    expect(events.at(-1)).toEqual(said('Hel'));
  });

  it('with an event that does not fit its schema ends with an error that shows nothing of it', async () => {
    answer = async function* () {
      yield said('One');
      // A service of another release.
      yield { event: 'text', data: JSON.parse('{"delta":7,"canary":"planted"}') };
    };
    const text = await (await send()).text();
    expect(text).toMatch(/^event: text\ndata: .*\n\nevent: error\ndata: \{"code":"INTERNAL_ERROR"/);
    expect(text).not.toContain('planted');
  });
});

describe('a refusal before the first event', () => {
  it('of the service is an ordinary answer with its status', async () => {
    answer = () => new AppError('CONFLICT', { details: { why: 'busy' } });
    const response = await send();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      409,
      'application/json; charset=utf-8',
    ]);
    expect(await response.json()).toMatchObject({ success: false, error: { code: 'CONFLICT' } });
  });

  it.each([
    ['no text', { endToken: 'e' }, 400],
    ['a text that nobody sees', { endToken: 'e', text: ' \u200b ' }, 400],
    ['2,001 characters', { endToken: 'e', text: 'x'.repeat(2_001) }, 400],
    ['an unknown member', { endToken: 'e', text: 'Hi', role: 'system' }, 400],
    ['a body of a megabyte', { endToken: 'e', text: 'x'.repeat(1024 * 1024) }, 413],
  ])('comes for %s', async (_, body, status) => {
    const response = await send(body);
    await response.body?.cancel();
    expect([response.status, heard]).toEqual([status, []]);
  });

  it('comes for a reader that takes no events', async () => {
    expect((await send(undefined, { accept: 'text/html' })).status).toBe(406);
  });
});

describe('a reader that leaves', () => {
  it('stops the work of the service', async () => {
    answer = async function* (signal) {
      yield said('One');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    };
    const reader = (await send()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await eventually(() => expect(stopped).toBe(1));
  });

  it('or does not read holds no more of the answer than one window and one buffer', async () => {
    let yielded = 0;
    answer = async function* () {
      for (; yielded < 5_000; yielded += 1) yield said('x'.repeat(10_000));
    };
    const unread = request(`${gateway.gateway.url}${path}`, {
      method: 'POST',
      headers: { origin: shop, 'content-type': 'application/json' },
    });
    unread.on('error', () => undefined);
    unread.on('response', (response) => response.pause());
    unread.end(JSON.stringify({ endToken: 'e', text: 'Hi' }));
    const seen: number[] = [];
    // The buffers of the sockets fill first. Then the number of events stands still.
    await eventually(() => {
      seen.push(yielded);
      expect(yielded).toBeGreaterThan(0);
      expect(seen.slice(-20)).toEqual(Array.from({ length: 20 }, () => yielded));
    });
    expect(yielded).toBeLessThan(5_000);
    unread.destroy();
    await eventually(() => expect(stopped).toBe(1));
  });
});
