import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Egress } from '@parlance/egress';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import type { OpenAiEndpoint } from '../../endpoints/endpoint.js';
import { type ChatEvent, type ChatOptions, type ChatRequest, chat, EndpointBreakers } from '../index.js';
import { collect, endpointAt, ManualTimers, textOf } from './endpoints.js';

/** Of each fault, one after the other. */
const rounds = 20;
const longAnswer = 'This answer is long enough to be cut in the middle.';

let primary: RunningOpenAi;
let spare: RunningOpenAi;
let egress: Egress;
let endpoints: readonly OpenAiEndpoint[];

beforeAll(async () => {
  [primary, spare] = await Promise.all([startOpenAi(), startOpenAi()]);
  egress = new Egress({ allowPrivate: ['127.0.0.1'] });
  endpoints = [endpointAt(primary.url, 'primary'), endpointAt(spare.url, 'spare')];
});
beforeEach(() => {
  primary.chat.rule = () => longAnswer;
  spare.chat.rule = () => 'Spare here.';
});
afterEach(() => {
  for (const fake of [primary, spare]) {
    fake.chat.clear();
    fake.faults.clear();
    fake.received.length = 0;
  }
});
afterAll(async () => {
  await egress.close();
  await Promise.all([primary.stop(), spare.stop()]);
});

const tools = [{ name: 'weather', description: 'The weather of a city.', parameters: { type: 'object' } }];
const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }], tools };
/** Of one turn that nothing came before. */
const fresh = (change: Partial<ChatOptions> = {}): ChatOptions => ({
  egress: { of: () => egress },
  breakers: new EndpointBreakers(),
  ...change,
});
const ofType = <T extends ChatEvent['type']>(events: readonly ChatEvent[], type: T) =>
  events.filter((event): event is Extract<ChatEvent, { type: T }> => event.type === type);

/** A turn that is read while its time stands still, until somebody moves it. */
class TimedTurn {
  readonly timers = new ManualTimers();
  readonly events: ChatEvent[] = [];
  readonly over: Promise<void>;
  firstTextAt: number | undefined;

  constructor(options: ChatOptions, list = endpoints, turnRequest = request) {
    this.over = this.#read(chat(turnRequest, list, { ...options, timers: this.timers }));
  }

  async #read(events: AsyncIterable<ChatEvent>): Promise<void> {
    for await (const event of events) {
      if (event.type === 'text') this.firstTextAt ??= this.timers.now;
      this.events.push(event);
    }
  }
}

/** Resolves when the condition holds; the limit of the test is the only one. */
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe('a turn whose first endpoint fails', () => {
  it.each([
    ['a wrong key', 'unauthorized', {}, 'another key'],
    ['a model that does not exist', 'unknownModel', { model: 'unknown' }, 'key'],
  ])('falls back from %s, and does not try it again', async (_, reason, change, apiKey) => {
    const strict = await startOpenAi({ apiKey, models: ['known'] });
    const list = [endpointAt(strict.url, 'strict', change), ...endpoints];
    const options = fresh();
    const turns = [await collect(chat(request, list, options)), await collect(chat(request, list, options))];
    await strict.stop();
    expect(turns.map((events) => ofType(events, 'fellBack')[0]?.reason)).toEqual([reason, 'breakerOpen']);
    expect(strict.received).toHaveLength(1);
  });

  it.each([
    ['chat', '5xx-before', 'serverError'],
    ['chat', '429', 'rateLimited'],
    ['chat', '4xx', 'rejected'],
    ['chat', 'refuse', 'unreachable'],
    ['chat', 'reset-before', 'unreachable'],
    ['chat-answer', 'html', 'invalidResponse'],
  ])('gets the whole answer of the next one, %s %s', async (target, mode, reason) => {
    primary.faults.set({ target, mode });
    for (let round = 0; round < rounds; round += 1) {
      const events = await collect(chat(request, endpoints, fresh()));
      expect(ofType(events, 'fellBack')).toEqual([
        { type: 'fellBack', from: 'primary', to: 'spare', reason },
      ]);
      expect(textOf(events)).toBe('Spare here.');
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    }
    expect(primary.received).toHaveLength(rounds);
  });

  it('gets the whole answer of the next one when the stream holds broken JSON', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'invalid-json' });
    for (let round = 0; round < rounds; round += 1) {
      const events = await collect(chat(request, endpoints, fresh()));
      expect(ofType(events, 'fellBack')).toMatchObject([{ reason: 'invalidResponse' }]);
      expect(textOf(events)).toBe('Spare here.');
    }
  });

  it.each([
    ['chat', 'hang-after'],
    ['chat-answer', 'endless'],
  ])('waits 1.5 s and no longer for an endpoint that gives nothing, %s %s', async (target, mode) => {
    primary.faults.set({ target, mode });
    for (let round = 0; round < rounds; round += 1) {
      const turn = new TimedTurn(fresh());
      await until(() => primary.received.length > round);
      turn.timers.advance(1_499);
      expect(turn.events).toEqual([]);
      turn.timers.advance(1);
      await turn.over;
      const [fellBack] = ofType(turn.events, 'fellBack');
      expect(fellBack).toEqual({ type: 'fellBack', from: 'primary', to: 'spare', reason: 'timeout' });
      expect(textOf(turn.events)).toBe('Spare here.');
      expect(turn.firstTextAt).toBe(1_500);
    }
  });

  it('falls back from a tool call that stops in its middle, and hands none of it out', async () => {
    primary.chat.rule = () => ({ toolCalls: [{ name: 'weather', arguments: { city: 'Berlin' } }] });
    primary.faults.set({ target: 'chat-answer', mode: 'hang-mid' });
    for (let round = 0; round < rounds; round += 1) {
      const turn = new TimedTurn(fresh());
      await until(() => primary.received.length > round);
      // Before and after the first piece, the deadline is the same.
      turn.timers.advance(1_500);
      await turn.over;
      expect(ofType(turn.events, 'toolCall')).toEqual([]);
      expect(textOf(turn.events)).toBe('Spare here.');
    }
  });

  it('gives an endpoint the time of its own that it has', async () => {
    primary.faults.set({ target: 'chat', mode: 'hang-after' });
    const [first, second] = endpoints;
    if (!first || !second) throw new Error('no endpoints');
    const turn = new TimedTurn(fresh(), [{ ...first, firstChunkMs: 8_000 }, second]);
    await until(() => primary.received.length > 0);
    turn.timers.advance(7_999);
    expect(turn.events).toEqual([]);
    turn.timers.advance(1);
    await turn.over;
    expect(textOf(turn.events)).toBe('Spare here.');
  });

  it('ends with an error when no endpoint is left, and with one when there was none', async () => {
    for (const fake of [primary, spare]) fake.faults.set({ target: 'chat', mode: '5xx-before' });
    const error = { type: 'error', endpointId: 'spare', reason: 'serverError', status: 500, textLength: 0 };
    const end = { type: 'end', reason: 'error' };
    expect((await collect(chat(request, endpoints, fresh()))).slice(-2)).toEqual([error, end]);
    const none = await collect(chat(request, [], fresh()));
    expect(none).toMatchObject([{ type: 'error', reason: 'noEndpoint', endpointId: undefined }, end]);
  });

  it('refuses an address inside that nobody allowed', async () => {
    const closed = new Egress();
    const events = await collect(chat(request, endpoints, fresh({ egress: { of: () => closed } })));
    await closed.close();
    expect(events.at(-2)).toMatchObject({ type: 'error', reason: 'notAllowed' });
    expect([...primary.received, ...spare.received]).toEqual([]);
  });
});

describe('a turn whose endpoint fails after text was handed out', () => {
  const partial = 'one two three';

  it('ends with an error that says how much came, when the stream hangs', async () => {
    primary.chat.rule = () => 'one two three four';
    primary.faults.set({ target: 'chat-answer', mode: 'hang-mid' });
    for (let round = 0; round < rounds; round += 1) {
      const turn = new TimedTurn(fresh());
      await until(() => textOf(turn.events) === partial);
      turn.timers.advance(1_500);
      await turn.over;
      expect(turn.events.slice(-2)).toEqual([
        {
          type: 'error',
          endpointId: 'primary',
          reason: 'stalled',
          status: undefined,
          textLength: partial.length,
        },
        { type: 'end', reason: 'error' },
      ]);
    }
    expect(spare.received).toEqual([]);
  });

  it('ends with an error that says how much came, when the connection breaks', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'reset-mid' });
    for (let round = 0; round < rounds; round += 1) {
      const events = await collect(chat(request, endpoints, fresh()));
      const text = textOf(events);
      // A broken connection may take with it what was on its way.
      if (text === 'Spare here.')
        expect(ofType(events, 'fellBack')).toMatchObject([{ reason: 'unreachable' }]);
      else
        expect(events.at(-2)).toMatchObject({
          type: 'error',
          reason: 'unreachable',
          textLength: text.length,
        });
      expect(text).not.toBe(longAnswer);
    }
  });

  it('stops reading a text without an end at the limit of its bytes', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'endless-text' });
    const events = await collect(chat(request, endpoints, fresh({ limits: { maxBytes: 20_000 } })));
    const text = textOf(events);
    expect(text.length).toBeGreaterThan(100);
    expect(events.at(-2)).toMatchObject({ type: 'error', reason: 'tooLarge', textLength: text.length });
  });

  it('stops at the deadline of the whole turn, however much comes', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'endless-text' });
    const turn = new TimedTurn(fresh({ limits: { maxBytes: Number.MAX_SAFE_INTEGER } }));
    await until(() => textOf(turn.events).length > 100);
    turn.timers.advance(60_000);
    await turn.over;
    expect(turn.events.at(-2)).toMatchObject({ type: 'error', reason: 'overallTimeout' });
  });
});

describe('a turn that the caller gives up', () => {
  it('ends as aborted, frees the connection, and blames nobody', async () => {
    primary.chat.rule = () => 'one two three four';
    primary.faults.set({ target: 'chat-answer', mode: 'hang-mid', times: 1 });
    const caller = new AbortController();
    const options = fresh();
    const turn = new TimedTurn(options, endpoints, { ...request, signal: caller.signal });
    await until(() => textOf(turn.events) === 'one two three');
    caller.abort();
    await turn.over;
    expect(turn.events.at(-1)).toEqual({ type: 'end', reason: 'aborted' });
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe('one two three four');
  });

  it('can be left in the middle of its events', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'endless-text', times: 1 });
    const options = fresh();
    for await (const event of chat(request, endpoints, options)) if (event.type === 'text') break;
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
  });
});

describe('the breaker of an endpoint', () => {
  const hour = { firstPauseMs: 3_600_000, longestPauseMs: 3_600_000 };

  it('keeps every later turn from an endpoint that failed, without waiting', async () => {
    primary.faults.set({ target: 'chat', mode: '5xx-before' });
    const options = fresh({ breakers: new EndpointBreakers(hour) });
    await collect(chat(request, endpoints, options));
    primary.faults.clear();
    for (let round = 0; round < rounds; round += 1) {
      const events = await collect(chat(request, endpoints, options));
      expect(events[0]).toEqual({ type: 'fellBack', from: 'primary', to: 'spare', reason: 'breakerOpen' });
      expect(textOf(events)).toBe('Spare here.');
    }
    expect(primary.received).toHaveLength(1);
  });

  it('opens when an answer stops in its middle', async () => {
    primary.faults.set({ target: 'chat-answer', mode: 'endless-text' });
    const options = fresh({ breakers: new EndpointBreakers(hour), limits: { maxBytes: 20_000 } });
    await collect(chat(request, endpoints, options));
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe('Spare here.');
    expect(primary.received).toHaveLength(1);
  });

  it('stays closed for a request that is rejected', async () => {
    primary.faults.set({ target: 'chat', mode: '4xx', times: 1 });
    const options = fresh({ breakers: new EndpointBreakers(hour) });
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe('Spare here.');
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
  });

  it('stays closed for an answer that is empty, which another endpoint gives instead', async () => {
    primary.chat.push('');
    const options = fresh({ breakers: new EndpointBreakers(hour) });
    const events = await collect(chat(request, endpoints, options));
    expect(ofType(events, 'fellBack')).toMatchObject([{ reason: 'empty' }]);
    expect(textOf(events)).toBe('Spare here.');
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
  });

  it('is not kept waiting by a turn that nobody reads on', async () => {
    primary.faults.set({ target: 'chat', mode: '5xx-before', times: 1 });
    const options = fresh({ breakers: new EndpointBreakers({ firstPauseMs: 0, longestPauseMs: 0 }) });
    await collect(chat(request, endpoints, options));
    const timers = new ManualTimers();
    const forgotten = chat(request, endpoints, { ...options, timers });
    expect(await forgotten.next()).toMatchObject({ value: { type: 'text' } });
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe('Spare here.');
    timers.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
  });

  it('lets one turn alone try the endpoint again, and closes when it works', async () => {
    primary.faults.set({ target: 'chat', mode: '5xx-before', times: 1 });
    const options = fresh({ breakers: new EndpointBreakers({ firstPauseMs: 0, longestPauseMs: 0 }) });
    await collect(chat(request, endpoints, options));
    primary.faults.set({ target: 'chat', mode: 'hang-after', times: 1 });
    const probe = new TimedTurn(options);
    await until(() => primary.received.length === 2);
    const others = await Promise.all([1, 2, 3].map(() => collect(chat(request, endpoints, options))));
    for (const events of others) expect(textOf(events)).toBe('Spare here.');
    expect(primary.received).toHaveLength(2);
    probe.timers.advance(1_500);
    await probe.over;
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
    expect(textOf(await collect(chat(request, endpoints, options)))).toBe(longAnswer);
  });
});

describe('tool calls of a model that errs', () => {
  it.each([
    ['invalid-arguments', { toolCallInvalid: ['notJson'] }],
    ['unknown-tool', { toolCallInvalid: ['unknownTool'] }],
    ['ten-tools', { toolCall: 8, toolCallInvalid: ['tooMany', 'tooMany'] }],
  ])('are events of their own, and the turn continues: %s', async (mode, expected) => {
    primary.faults.set({ target: 'chat-answer', mode });
    for (let round = 0; round < rounds; round += 1) {
      const events = await collect(chat(request, endpoints, fresh()));
      expect({
        toolCall: ofType(events, 'toolCall').length,
        toolCallInvalid: ofType(events, 'toolCallInvalid').map(({ reason }) => reason),
      }).toEqual({ toolCall: 0, ...expected });
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'toolCalls' });
    }
    expect(spare.received).toEqual([]);
  });
});
