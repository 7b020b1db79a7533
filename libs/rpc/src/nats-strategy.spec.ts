// The end of a service's requests when it stops, without a broker: time is the test's.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { contract, longestWorkMs, type ServiceName, subjectOf } from '@parlance/contracts';
import { createLogger } from '@parlance/observability';
import { headers, type Msg, type NatsConnection } from 'nats';
import { platformCaller } from './callers/platform-caller.js';
import { NatsStrategy } from './nats-strategy.js';

type Receive = (error: null, message: Pick<Msg, 'json'>) => void;

/** Keeps the subscriptions by subject, and the published messages. */
class Broker {
  readonly receivers = new Map<string, Receive>();
  readonly published: string[] = [];
  readonly #answers: string[][] = [];

  readonly connection = {
    subscribe: (subject: string, { callback }: { readonly callback: Receive }) => {
      this.receivers.set(subject, callback);
      return { drain: async () => undefined, unsubscribe: () => undefined };
    },
    publish: (subject: string, text: string) => {
      this.published.push(text);
      if (subject === 'reply') this.#answers[0]?.push(text);
    },
    flush: async () => undefined,
    isClosed: () => false,
  } as unknown as NatsConnection; // the part of a connection that a strategy uses

  ask(subject: string): { readonly answers: string[] } {
    const answers: string[] = [];
    this.#answers.push(answers);
    const message = {
      ...{ subject, reply: 'reply', headers: headers(), data: Buffer.alloc(0), json: <T>() => ({}) as T },
      respond: (text: string) => this.connection.publish('reply', text),
    };
    this.receivers.get(subject)?.(null, message);
    return { answers };
  }

  /** The reader of a stream is there, as it says every two seconds. */
  async readFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 2_000) {
      for (const [subject, receive] of this.receivers)
        if (subject.startsWith('_INBOX')) receive(null, { json: <T>() => ({ read: 0 }) as T });
      await jest.advanceTimersByTimeAsync(2_000);
    }
  }
}

let broker: Broker;
beforeEach(() => {
  jest.useFakeTimers();
  broker = new Broker();
});
afterEach(() => {
  jest.useRealTimers();
});

const serving = async (service: ServiceName, subject: string, handler: () => Promise<unknown>) => {
  const caller = platformCaller('gateway', '');
  const strategy = new NatsStrategy({
    ...{ service, nats: broker.connection, maxInFlight: 10 },
    verifier: { verify: async () => ({ caller, input: () => ({}) }) },
    logger: createLogger({ service, level: 'silent' }),
  });
  strategy.addHandler(subject, handler as never); // Nest declares observables; handlers return values
  await new Promise((resolve) => strategy.listen(resolve));
  return strategy;
};

describe('a request that its sender sends again', () => {
  it('is not begun for a second time while it is in progress', async () => {
    const subject = subjectOf(contract.mcpExecute);
    let begun = 0;
    let finish = (): void => undefined;
    const done = new Promise<unknown>((resolve) => {
      finish = () => resolve({});
    });
    const strategy = await serving('mcp-hub', subject, () => {
      begun += 1;
      return done;
    });
    const first = broker.ask(subject);
    const second = broker.ask(subject);
    finish();
    await strategy.close();
    expect([begun, first.answers.length, second.answers.length]).toEqual([1, 1, 0]);
  });
});

describe('a service that stops', () => {
  it('answers a tool that takes five minutes', async () => {
    const subject = subjectOf(contract.mcpExecute);
    let finish = (): void => undefined;
    const done = new Promise<unknown>((resolve) => {
      finish = () => resolve({});
    });
    const strategy = await serving('mcp-hub', subject, () => done);
    const { answers } = broker.ask(subject);
    const stopping = strategy.close();
    await jest.advanceTimersByTimeAsync(300_000);
    expect(answers).toEqual([]);
    finish();
    await stopping;
    expect(answers).toHaveLength(1);
  });

  it('gives up a request that takes longer than the contract allows, so that the rest can stop in order', async () => {
    const subject = subjectOf(contract.mcpExecute);
    const strategy = await serving('mcp-hub', subject, () => new Promise(() => undefined));
    broker.ask(subject);
    const stopping = strategy.close();
    await jest.advanceTimersByTimeAsync(longestWorkMs('mcp-hub') + 6_000);
    await stopping;
  });

  it('lets a turn of a conversation come to its end, however long the contract allows for it', async () => {
    const subject = subjectOf(contract.widgetsSendMessage);
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const strategy = await serving('widgets', subject, async () =>
      (async function* () {
        yield { event: 'text', data: { delta: 'One' } };
        await gate;
        yield { event: 'text', data: { delta: 'Two' } };
      })(),
    );
    broker.ask(subject);
    const stopping = strategy.close();
    await broker.readFor(80_000);
    finish();
    await stopping;
    const told = broker.published.join('\n');
    expect(told).toContain('Two');
    expect(told).toContain('"end":true');
    expect(told).not.toContain('error');
  });

  it('without work leaves at once', async () => {
    const strategy = await serving('mcp-hub', subjectOf(contract.mcpExecute), async () => ({}));
    await expect(strategy.close()).resolves.toBeUndefined(); // no time passes
  });
});
