// Streamed answers through a real nats-server, with the handlers in a real Nest application.
import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { contract, type StreamEvent, subjectOf } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { callerEnvOf, eventually, gate, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import {
  connectNats,
  platformCaller,
  RequestSigner,
  RequestVerifier,
  RpcClient,
  type RpcService,
  type SentEvent,
  Serves,
  type StreamRequest,
  startRpcService,
} from './index.js';

const row = contract.widgetsSendMessage;
type Row = typeof row;
type Event = StreamEvent<Row>;

const signer = new RequestSigner('gateway', callerEnvOf('gateway'));
const id = '018f0000-0000-7000-8000-000000000001';
const input = {
  params: { widgetId: id, sessionId: id },
  query: {},
  body: { endToken: 'secret', text: 'Hello' },
};
const said = (delta: string): Event => ({ event: 'text', data: { delta } });

/** The work of the one handler of these tests; each test says. */
class Script {
  behave: (request: StreamRequest<Row>) => Promise<AsyncIterable<Event>> = async () => saying([]);
  /** Events that the handler has yielded. */
  yielded = 0;
  /** Handlers that have come to their end, in any way. */
  finished = 0;
}

@Serves()
class Widgets {
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async 'widgets.sendMessage'(request: StreamRequest<Row>): Promise<AsyncIterable<Event>> {
    return counted(this.#script, await this.#script.behave(request));
  }
}

@Module({})
class WidgetsModule {}

async function* counted(script: Script, events: AsyncIterable<Event>): AsyncGenerator<Event> {
  try {
    for await (const event of events) {
      script.yielded += 1;
      yield event;
    }
  } finally {
    script.finished += 1;
  }
}

async function* saying(deltas: readonly string[]): AsyncGenerator<Event> {
  for (const delta of deltas) yield said(delta);
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const deltasOf = async (events: AsyncIterable<SentEvent>): Promise<unknown[]> => {
  const deltas: unknown[] = [];
  for await (const { data } of events) deltas.push(Object(data).delta);
  return deltas;
};

let engines: TestEngines;
let nats: NatsConnection;
let serviceNats: NatsConnection;
const caller = platformCaller('gateway', 'org_1');
let script: Script;
let service: RpcService;

beforeAll(async () => {
  engines = await testEngines({ nats: true });
});
afterAll(async () => {
  await engines.stop();
});
beforeEach(async () => {
  script = new Script();
  nats = await connectNats({ url: engines.natsUrl, name: 'gateway' });
  serviceNats = await connectNats({ url: engines.natsUrl, name: 'widgets' });
  service = await startRpcService({
    service: 'widgets',
    nats: serviceNats,
    verifier: new RequestVerifier('widgets', callerEnvOf('widgets')),
    logger: createLogger({ service: 'widgets', level: 'silent' }),
    module: {
      module: WidgetsModule,
      controllers: [Widgets],
      providers: [{ provide: Script, useValue: script }],
    },
  });
});
afterEach(async () => {
  await service.stop();
  await Promise.all([nats.close(), serviceNats.close()]);
});

const open = (deadline = Date.now() + 30_000) =>
  new RpcClient(nats, { signer, timeoutMs: 10_000 }).open(row, input, {
    caller,
    requestId: 'req-1',
    deadline,
  });

describe('a streamed answer', () => {
  it('arrives whole and in order, whatever its length, once for each event', async () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `${index} äöü 😀 \n\n data:`);
    script.behave = async ({ body }) => saying([body.text, ...words]);
    expect(await deltasOf(await open())).toEqual(['Hello', ...words]);
    expect(script).toMatchObject({ yielded: 1_001, finished: 1 });
  });

  it('of two readers at once reaches each with its own events', async () => {
    script.behave = async ({ body }) =>
      saying(Array.from({ length: 100 }, (_, index) => `${body.text} ${index}`));
    const [one, other] = await Promise.all([open(), open()]);
    const [first, second] = await Promise.all([deltasOf(one), deltasOf(other)]);
    expect(first).toHaveLength(100);
    expect(second).toEqual(first);
  });

  it('that is refused before it begins is an ordinary error with its details', async () => {
    script.behave = async () => {
      throw new AppError('CONFLICT', { details: { turns: 200 }, retryAfterSeconds: 3 });
    };
    await expect(open()).rejects.toMatchObject({
      ...{ code: 'CONFLICT', details: { turns: 200 }, retryAfterSeconds: 3 },
    });
  });

  it('that fails later gives what came before, and then the code of the failure', async () => {
    script.behave = async () =>
      (async function* () {
        yield said('Half of');
        throw new AppError('RUNTIME_ERROR');
      })();
    const stream = await open();
    const deltas: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const { data } of stream) deltas.push(Object(data).delta);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'RUNTIME_ERROR' });
    expect(deltas).toEqual(['Half of']);
  });

  it('tells nothing of a failure that is a bug', async () => {
    script.behave = async () =>
      (async function* (): AsyncGenerator<Event> {
        yield said('One');
        throw new Error('canary');
      })();
    await expect(deltasOf(await open())).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.not.stringContaining('canary'),
    });
  });
});

describe('the handler', () => {
  it('is no more than a window of events ahead of a reader that does not read', async () => {
    script.behave = async () => saying(Array.from({ length: 500 }, (_, index) => `${index}`));
    const stream = await open();
    await eventually(() => expect(script.yielded).toBe(32));
    const events = stream[Symbol.asyncIterator]();
    for (let read = 0; read < 16; read += 1) await events.next();
    await eventually(() => expect(script.yielded).toBe(48));
    await events.return?.();
    await eventually(() => expect(script.finished).toBe(1));
    expect(script.yielded).toBe(48);
  });

  it('is stopped as soon as its reader leaves, also while it waits for something', async () => {
    let isStopped = false;
    script.behave = async ({ signal }) =>
      (async function* () {
        yield said('One');
        await untilAborted(signal);
        isStopped = true;
      })();
    const leftAt = await (async () => {
      for await (const _ of await open()) return Date.now();
      return 0;
    })();
    await eventually(() => expect([isStopped, script.finished]).toEqual([true, 1]));
    expect(Date.now() - leftAt).toBeLessThan(5_000);
  });

  it('is stopped at the deadline of the request, and the reader learns that it took too long', async () => {
    script.behave = async ({ signal }) =>
      (async function* (): AsyncGenerator<Event> {
        yield said('One');
        await untilAborted(signal);
      })();
    await expect(deltasOf(await open(Date.now() + 700))).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await eventually(() => expect(script.finished).toBe(1));
  });

  it('is stopped when the connection of its reader is gone without a word', async () => {
    script.behave = async ({ signal }) =>
      (async function* (): AsyncGenerator<Event> {
        yield said('One');
        await untilAborted(signal);
      })();
    await (await open(Date.now() + 60_000))[Symbol.asyncIterator]().next();
    await nats.close();
    await eventually(() => expect(script.finished).toBe(1));
  });
});

describe('a service', () => {
  it('that is not there refuses at once', async () => {
    await service.stop();
    await expect(open()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('that dies in the middle becomes an error, and the reader does not hang', async () => {
    script.behave = async ({ signal }) =>
      (async function* (): AsyncGenerator<Event> {
        yield said('One');
        await untilAborted(signal);
      })();
    const reading = deltasOf(await open(Date.now() + 60_000));
    await Promise.all([
      serviceNats.close(),
      expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
    ]);
  });

  it('that is stopped in order lets a stream come to its end', async () => {
    const { opened, open: goOn } = gate();
    script.behave = async () =>
      (async function* () {
        yield said('One');
        await opened;
        yield said('Two');
      })();
    const reading = deltasOf(await open());
    await eventually(() => expect(script.yielded).toBe(1));
    const stopping = service.stop();
    goOn();
    expect(await reading).toEqual(['One', 'Two']);
    await stopping;
  });
});

describe('a reader', () => {
  it('notices a frame that was lost, and never takes the rest for the whole', async () => {
    await service.stop();
    serviceNats.subscribe(subjectOf(row), {
      callback: (_, message) => {
        message.respond('{}\n{"control":"nowhere"}');
        message.respond(JSON.stringify({ seq: 1, ...said('One') }));
        message.respond(JSON.stringify({ seq: 3, ...said('Three') }));
        message.respond(JSON.stringify({ seq: 4, end: true }));
      },
    });
    await serviceNats.flush();
    const stream = await open();
    const deltas: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const { data } of stream) deltas.push(Object(data).delta);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(deltas).toEqual(['One']);
  });
});
