// Conversations in text: two copies of the service, a runtime that answers as each test says, and the call log.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, events, type IngestInput, serviceRequests, type WidgetSession } from '@parlance/contracts';
import { eventually, sealedPlaces } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { sealing } from '../sealed-columns.js';
import { type Answering, ScriptedRuntime } from '../testing/scripted-runtime.js';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.js';
import { type Organization, page, visitorOf, World } from '../testing/world.js';

const internalKey = 'an internal key of more than thirty-two bytes';

let world: World;
let runtime: ScriptedRuntime;
let copies: ServiceProcess[] = [];
const newCopy = (): ServiceProcess => startServiceProcess({ ...world.variables, LOG_LEVEL: 'silent' });

const untilServed = () =>
  eventually(async () => expect(await refusalCode(world.config(randomUUID()))).toBe('WIDGET_NOT_FOUND'));

beforeAll(async () => {
  runtime = await ScriptedRuntime.start();
  world = await World.startNeighbours({ TEXT_RUNTIME_URL: runtime.url, INTERNAL_API_KEY: internalKey });
  copies = [newCopy(), newCopy()];
  await untilServed();
}, 120_000);
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.kill()));
  await world?.stop();
  await runtime?.stop();
});
beforeEach(() => {
  runtime.refuses = undefined;
  runtime.answer = ({ reply }) => reply('Yes', ', of', ' course.');
  world.neighbours.noHandOver = undefined;
});

interface Conversation {
  readonly org: Organization;
  readonly widgetId: string;
  readonly session: WidgetSession;
  readonly callId: string;
}

type Agent = Parameters<World['neighbours']['agents']['set']>[1];

const begin = async (agent: Exclude<Agent, 'absent'> = {}): Promise<Conversation> => {
  const org = world.organization();
  world.neighbours.agents.set(org.agentId, {
    ...agent,
    firstMessage: 'Hello {{name | there}}, welcome to {{shop}}.',
    variables: { shop: 'Lamps & Co', name: null },
  });
  const { id: widgetId } = await org.create({ modes: ['voice', 'text'], allowedVariables: ['name'] });
  const session = await world.startSession(widgetId, { mode: 'text', dynamicVariables: { name: 'Ada' } });
  const { rows } = await world.db.query<{ call_id: string }>(
    'select call_id from widget_sessions where id = $1',
    [session.sessionId],
  );
  return { org, widgetId, session, callId: rows[0]?.call_id ?? '' };
};

const open = async (
  { widgetId, session }: Pick<Conversation, 'widgetId' | 'session'>,
  text = 'Hi',
  more = {},
) => {
  const body = { endToken: session.endToken, text, ...more };
  const input = { params: { widgetId, sessionId: session.sessionId }, query: {}, body };
  const caller = visitorOf({ origin: page });
  return world.rpc.open(contract.widgetsSendMessage, input, { caller, requestId: randomUUID() });
};

const say = async (conversation: Conversation, text?: string): Promise<unknown[]> => {
  const said: unknown[] = [];
  for await (const { event, data } of await open(conversation, text))
    said.push(event === 'text' ? Object(data).delta : { event, ...Object(data) });
  return said;
};

const handOversOf = ({ callId }: Conversation): IngestInput[] =>
  world.neighbours.handedOver.filter((call) => call.callId === callId);

/** The one hand-over of the conversation, after everything was cleaned up. */
const handedOver = async (conversation: Conversation): Promise<IngestInput> => {
  await eventually(async () => {
    const { rows } = await world.db.query<{ cleaned: boolean; turns: number }>(
      `select cleaned_at is not null as cleaned, (select count(*)::int from widget_turns t where t.session_id = s.id) as turns
       from widget_sessions s where id = $1`,
      [conversation.session.sessionId],
    );
    expect(rows).toEqual([{ cleaned: true, turns: 0 }]);
  });
  const calls = handOversOf(conversation);
  expect(new Set(calls.map(({ eventId }) => eventId)).size).toBe(1);
  const [call] = calls;
  if (call === undefined) throw new Error('nothing was handed over');
  return call;
};

const wordsOf = ({ transcript }: IngestInput) => transcript.map(({ role, text }) => `${role}: ${text}`);

/** An answer that goes on until the platform leaves. */
const hanging = (...words: readonly string[]) => {
  let isLeft = false;
  runtime.answer = async ({ say: tell, left }: Answering) => {
    for (const delta of words) tell('text', { delta });
    await left;
    isLeft = true;
  };
  return () => isLeft;
};

describe('a conversation in text', () => {
  it("begins with the agent's first message, without a room, and is announced as a call that goes on", async () => {
    const conversation = await begin();
    const { org, widgetId, session, callId } = conversation;
    expect(session).toMatchObject({
      ...{ mode: 'text', roomName: null, serverUrl: null, token: null, maxDurationSeconds: 600 },
      firstMessage: 'Hello Ada, welcome to Lamps & Co.',
      messagesUrl: `https://parlance.example.com/api/v1/public/widgets/${widgetId}/sessions/${session.sessionId}/messages`,
    });
    expect(await world.roomNames()).toEqual([]);
    expect(world.neighbours.places).toContain(callId);
    await eventually(() => {
      const told = world.published.find(({ data }) => data.callId === callId);
      expect(told).toMatchObject({
        ...{ name: events.conversationStarted.name, organizationId: org.id },
        data: { agentId: org.agentId, agentName: 'Front desk', widgetId, dynamicVariables: { name: 'Ada' } },
      });
      expect(world.neighbours.shown.get(callId)).toMatchObject([{ seq: 0, role: 'agent' }]);
    });
  });

  it('gives the words of the agent in their order and once, and then the turn that they make', async () => {
    const conversation = await begin();
    const words = Array.from({ length: 300 }, (_, index) => `${index} `);
    runtime.answer = ({ reply }) => reply(...words);
    const said = await say(conversation, 'Count');
    expect(said.slice(0, -1)).toEqual(words);
    expect(said.at(-1)).toMatchObject({
      event: 'done',
      turn: { seq: 2, role: 'agent', text: words.join(''), interrupted: false },
    });
    const { question, headers } = runtime.asked.at(-1) ?? {};
    expect(headers?.['x-internal-key']).toBe(internalKey);
    expect(question?.context).toMatchObject({ callId: conversation.callId, channel: 'widget' });
    expect(question?.turns.map(({ role, text }) => [role, text])).toEqual([
      ['agent', 'Hello Ada, welcome to Lamps & Co.'],
      ['user', 'Count'],
    ]);
  });

  it('tells the call log which model answered, and the visitor nothing of it', async () => {
    const conversation = await begin();
    const facts = {
      model: 'groq/b',
      fallbacks: [{ kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'timeout' }],
      timings: { firstTokenMs: 12 },
    };
    runtime.answer = ({ say: tell }) =>
      tell('turn', {
        turn: { role: 'agent', text: 'Yes.', language: null, toolCall: null, sources: [], ...facts },
      });
    const answer = JSON.stringify(await say(conversation, 'Are you open?'));
    expect(answer).toContain('Yes.');
    expect(answer).not.toMatch(/groq|openai|firstToken/);
    await eventually(() =>
      expect(world.neighbours.shown.get(conversation.callId)).toContainEqual(
        expect.objectContaining({ text: 'Yes.', ...facts }),
      ),
    );
  });

  it('shows the runtime the whole conversation with each message, and the call log each turn', async () => {
    const conversation = await begin();
    const toolCall = {
      ...{ toolId: null, name: 'look_up', arguments: { id: 7 }, result: 'sent', status: 'ok', durationMs: 4 },
    };
    runtime.answer = ({ say: tell, reply }) => {
      tell('turn', { turn: { role: 'tool', text: '', language: null, toolCall, sources: [] } });
      reply('It was sent.');
    };
    const said = await say(conversation, 'Where is it?');
    expect(said).toEqual(['It was sent.', expect.objectContaining({ event: 'done' })]);
    await say(conversation, 'Thank you');
    const turns = runtime.asked.at(-1)?.question.turns ?? [];
    expect(turns.map(({ seq, role }) => `${seq} ${role}`)).toEqual([
      ...['0 agent', '1 user', '2 tool', '3 agent', '4 user'],
    ]);
    expect(turns[2]?.toolCall).toEqual(toolCall);
    await eventually(() => {
      const shown = world.neighbours.shown.get(conversation.callId) ?? [];
      expect(shown.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });
  });

  it('answers one message at a time, whichever copy of the service gets the next one', async () => {
    const conversation = await begin();
    hanging('Let me think');
    const first = await open(conversation);
    const reading = first[Symbol.asyncIterator]();
    await reading.next();
    const refusals = await Promise.all(Array.from({ length: 6 }, () => refusalCode(open(conversation))));
    expect(refusals).toEqual(Array.from({ length: 6 }, () => 'CONFLICT'));
    await reading.return?.();
    runtime.answer = ({ reply }) => reply('Yes.');
    await eventually(async () => expect(await say(conversation, 'And now?')).toHaveLength(2));
  });

  it('takes five messages in a row, and then one in a second', async () => {
    const conversation = await begin();
    for (let message = 0; message < 5; message += 1) await say(conversation);
    expect(await refusalCode(open(conversation))).toBe('RATE_LIMITED');
    await eventually(async () => expect(await say(conversation)).toHaveLength(4));
  });

  it('refuses a message beyond 200 turns, and keeps what was said', async () => {
    const conversation = await begin();
    await world.db.query('update widget_sessions set turns = 199 where id = $1', [
      conversation.session.sessionId,
    ]);
    expect(await refusalCode(open(conversation))).toBe('CONFLICT');
  });

  it('is closed to everybody without its own end token, and to sessions in voice', async () => {
    const [one, other] = [await begin(), await begin()];
    const asked = runtime.asked.length;
    const wrong = [
      open(one, 'Hi', { endToken: other.session.endToken }),
      open(one, 'Hi', { endToken: undefined }),
      open({ widgetId: other.widgetId, session: one.session }),
      open({ widgetId: one.widgetId, session: { ...one.session, sessionId: randomUUID() } }),
    ];
    for (const attempt of wrong) expect(await refusalCode(attempt)).toBe('INVALID_END_TOKEN');
    expect(await refusalCode(open({ widgetId: randomUUID(), session: one.session }))).toBe(
      'WIDGET_NOT_FOUND',
    );
    const spoken = await world.startSession(one.widgetId);
    expect(await refusalCode(open({ widgetId: one.widgetId, session: spoken }))).toBe('MODE_NOT_OFFERED');
    expect(runtime.asked).toHaveLength(asked);
  });
});

describe('an answer that breaks off', () => {
  it('because the visitor left stops the work of the runtime, and keeps the words that were read', async () => {
    const conversation = await begin();
    const isLeft = hanging('Once', ' upon');
    const reading = (await open(conversation, 'A story'))[Symbol.asyncIterator]();
    await reading.next();
    await reading.next();
    await reading.return?.();
    await eventually(() => expect(isLeft()).toBe(true));
    runtime.answer = ({ reply }) => reply('Welcome back.');
    await eventually(async () => expect(await say(conversation, 'I am back')).toHaveLength(2));
    const turns = runtime.asked.at(-1)?.question.turns ?? [];
    expect(turns.map(({ text, interrupted }) => [text, interrupted]).slice(1)).toEqual([
      ...[
        ['A story', false],
        ['Once upon', true],
        ['I am back', false],
      ],
    ]);
  });

  it('because the runtime died is an error after the words, and the conversation goes on', async () => {
    const conversation = await begin();
    runtime.answer = async ({ say: tell, die }) => {
      tell('text', { delta: 'Half of' });
      await eventually(() => expect(said).toEqual(['Half of']));
      die();
    };
    const said: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { data } of await open(conversation)) said.push(Object(data).delta);
    };
    expect(await refusalCode(read())).toBe('RUNTIME_ERROR');
    runtime.answer = ({ reply }) => reply('Yes.');
    expect(await say(conversation)).toHaveLength(2);
  });

  it.each([
    [
      'answers 503',
      () => {
        runtime.refuses = 503;
      },
      'RUNTIME_UNAVAILABLE',
    ],
    [
      'answers 404',
      () => {
        runtime.refuses = 404;
      },
      'RUNTIME_ERROR',
    ],
    [
      'says that it cannot',
      () => {
        runtime.answer = ({ say: tell }) => tell('error', { message: 'canary' });
      },
      'RUNTIME_ERROR',
    ],
    [
      'has no turn',
      () => {
        runtime.answer = ({ say: tell }) => tell('text', { delta: 'x' });
      },
      'RUNTIME_ERROR',
    ],
    [
      'says nonsense',
      () => {
        runtime.answer = ({ say: tell }) => tell('turn', { turn: { role: 'user' } });
      },
      'RUNTIME_ERROR',
    ],
    [
      'never stops',
      () => {
        runtime.answer = ({ say: tell }) => {
          for (let part = 0; part < 400; part += 1) tell('text', { delta: 'x'.repeat(1_000) });
        };
      },
      'RUNTIME_ERROR',
    ],
  ])('because the runtime %s has a code of its own', async (_, prepare, code) => {
    const conversation = await begin();
    prepare();
    const error: unknown = await say(conversation).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.not.stringContaining('canary') });
  });

  it('because the service was killed lets the next message in after seconds, and nothing is handed over twice', async () => {
    const conversation = await begin();
    hanging('Half of');
    const reading = (await open(conversation, 'Before'))[Symbol.asyncIterator]();
    await reading.next();
    await Promise.all(copies.map((copy) => copy.kill()));
    copies = [newCopy(), newCopy()];
    await expect(reading.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await untilServed();
    runtime.answer = ({ reply }) => reply('Here I am.');
    await eventually(async () => expect(await say(conversation, 'After')).toHaveLength(2));
    world.neighbours.noHandOver = 'SERVICE_UNAVAILABLE';
    await world.endSession(
      conversation.widgetId,
      conversation.session.sessionId,
      conversation.session.endToken,
    );
    await Promise.all(copies.map((copy) => copy.kill()));
    world.neighbours.noHandOver = undefined;
    copies = [newCopy(), newCopy()];
    expect(wordsOf(await handedOver(conversation))).toEqual([
      'agent: Hello Ada, welcome to Lamps & Co.',
      ...['user: Before', 'user: After', 'agent: Here I am.'],
    ]);
  });
});

describe('a conversation that ends is handed over once, with all that was said', () => {
  it('when the visitor ends it', async () => {
    const conversation = await begin();
    const { org, widgetId, session, callId } = conversation;
    await say(conversation, 'Hi');
    await world.endSession(widgetId, session.sessionId, session.endToken);
    const call = await handedOver(conversation);
    expect(call).toMatchObject({
      ...{ organizationId: org.id, agentId: org.agentId, widgetId, channel: 'widget', direction: 'inbound' },
      ...{ status: 'completed', endedReason: 'user_hangup', answeredBy: 'human', configVersion: 3 },
      dynamicVariables: { name: 'Ada' },
    });
    expect(wordsOf(call)).toEqual([
      ...['agent: Hello Ada, welcome to Lamps & Co.', 'user: Hi', 'agent: Yes, of course.'],
    ]);
    expect(world.neighbours.givenBack.get(callId)).toBeGreaterThanOrEqual(0);
    expect(await refusalCode(open(conversation))).toBe('SESSION_ENDED');
  });

  it('when the agent ends it, after its last words', async () => {
    const conversation = await begin();
    runtime.answer = ({ reply, say: tell }) => {
      reply('Goodbye.');
      tell('end', { reason: 'agent_hangup' });
    };
    expect(await say(conversation, 'Bye')).toEqual(['Goodbye.', expect.objectContaining({ event: 'done' })]);
    expect(await handedOver(conversation)).toMatchObject({ endedReason: 'agent_hangup' });
    expect(await refusalCode(open(conversation))).toBe('SESSION_ENDED');
  });

  it('when an operator ends it, and the answer that is being given ends with it', async () => {
    const conversation = await begin();
    hanging('Once', ' upon');
    const said: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { data } of await open(conversation, 'A story')) said.push(Object(data).delta);
    };
    const reading = refusalCode(read());
    await eventually(() => expect(said).toHaveLength(2));
    const body = { callId: conversation.callId };
    const { widgetsEndConversation } = serviceRequests;
    expect(await world.ask(widgetsEndConversation, { body }, world.organization().caller)).toEqual({
      ended: false,
    });
    expect(await world.ask(widgetsEndConversation, { body }, conversation.org.caller)).toEqual({
      ended: true,
    });
    expect(await reading).toBe('SESSION_ENDED');
    const call = await handedOver(conversation);
    expect(call.endedReason).toBe('operator_ended');
    expect(call.transcript.at(-1)).toMatchObject({ text: 'Once upon', interrupted: true });
  });

  it.each([
    ['its time is over', 'ends_at', 'max_duration_reached'],
    ['nobody says anything', 'idle_at', 'silence_timeout'],
  ])('when %s', async (_, column, endedReason) => {
    const conversation = await begin();
    const id = conversation.session.sessionId;
    await world.db.query(`update widget_sessions set ${column} = now() where id = $1`, [id]);
    expect(await handedOver(conversation)).toMatchObject({ endedReason, answeredBy: 'no_speech' });
  });

  it('when its widget is deleted, and then nothing of it is left here', async () => {
    const conversation = await begin();
    await say(conversation);
    await conversation.org.delete(conversation.widgetId);
    await eventually(() => expect(handOversOf(conversation)).toHaveLength(1));
    await eventually(async () => {
      const left = await world.db.query('select 1 from widget_sessions where id = $1', [
        conversation.session.sessionId,
      ]);
      expect(left.rowCount).toBe(0);
    });
    expect(handOversOf(conversation)[0]?.transcript).toHaveLength(3);
  });

  it('although the log refuses it for good: the place is given back, and the operator finds it in the logs', async () => {
    const conversation = await begin();
    world.neighbours.noHandOver = 'INGEST_CONFLICT';
    await world.endSession(
      conversation.widgetId,
      conversation.session.sessionId,
      conversation.session.endToken,
    );
    await eventually(() =>
      expect(world.neighbours.givenBack.get(conversation.callId)).toBeGreaterThanOrEqual(0),
    );
    expect(handOversOf(conversation)).toEqual([]);
  });

  it('and lies sealed until then: no word of it can be read in the database', async () => {
    const conversation = await begin();
    runtime.answer = ({ reply }) => reply('planted answer');
    await say(conversation, 'planted question');
    const { rows } = await world.db.query<{ row: string }>(
      'select t::text as row from widget_turns t where session_id = $1',
      [conversation.session.sessionId],
    );
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain('planted');
  });
});

describe('a conversation with an agent that hides personal data', () => {
  const redaction = { kinds: ['card', 'name'] as const, timezone: 'America/New_York' };
  const hiding = () => begin({ language: 'en-US', redaction: { ...redaction, kinds: [...redaction.kinds] } });
  const storedOf = async ({ session: { sessionId } }: Conversation) => {
    const { rows } = await world.db.query<{ row: string; words: string | null }>(
      'select t::text as row, words from widget_turns t where session_id = $1 order by seq',
      [sessionId],
    );
    return rows;
  };

  it('is answered from the real words, shown to its visitor, and recorded without them', async () => {
    const conversation = await hiding();
    runtime.answer = ({ reply }) => reply('Go on.');
    await say(conversation, 'My card is 4111 1111');
    runtime.answer = ({ say: answer, reply }) => {
      const toolCall = {
        ...{ toolId: null, name: 'pay', arguments: { card: '4111111111111111' }, result: 'Paid by Ada' },
        ...{ status: 'ok', durationMs: 4 },
      };
      answer('turn', { turn: { role: 'tool', text: '', language: null, toolCall, sources: [] } });
      reply('Thank you, ', 'Ada.');
    };
    const said = await say(conversation, '1111 1111');
    expect(said.at(-1)).toMatchObject({ event: 'done', turn: { text: 'Thank you, Ada.' } });
    expect(runtime.asked.at(-1)?.question.turns.map(({ text }) => text)).toEqual([
      'Hello Ada, welcome to Lamps & Co.',
      'My card is 4111 1111',
      'Go on.',
      '1111 1111',
    ]);
    expect(JSON.stringify(await storedOf(conversation))).not.toMatch(/4111|Ada/);
    await say(conversation, 'Bye.');
    const shown = () =>
      (world.neighbours.shown.get(conversation.callId) ?? []).toSorted((a, b) => a.seq - b.seq);
    const recorded = [
      'Hello [name], welcome to Lamps & Co.',
      'My card is [card number]',
      'Go on.',
      '[card number]',
      '',
    ];
    await eventually(() =>
      expect(
        shown()
          .slice(0, 5)
          .map(({ text }) => text),
      ).toEqual(recorded),
    );
    await world.endSession(
      conversation.widgetId,
      conversation.session.sessionId,
      conversation.session.endToken,
    );
    const call = await handedOver(conversation);
    expect(call.transcript.map(({ text }) => text).slice(0, 5)).toEqual(recorded);
    expect(call.transcript[4]?.toolCall).toMatchObject({
      arguments: { card: '[card number]' },
      result: 'Paid by [name]',
    });
    expect(JSON.stringify([shown(), call.transcript])).not.toMatch(/4111|Ada/);
  });

  it('has its words no longer than it lasts, also while the call log takes nothing over', async () => {
    const conversation = await hiding();
    await say(conversation, 'My name is Grace Hopper');
    expect((await storedOf(conversation)).every(({ words }) => words !== null)).toBe(true);
    world.neighbours.noHandOver = 'SERVICE_UNAVAILABLE';
    await world.endSession(
      conversation.widgetId,
      conversation.session.sessionId,
      conversation.session.endToken,
    );
    await eventually(async () => {
      const stored = await storedOf(conversation);
      expect(stored).toHaveLength(3);
      expect(stored.every(({ words }) => words === null)).toBe(true);
    });
    world.neighbours.noHandOver = undefined;
    const call = await handedOver(conversation);
    expect(call.transcript[1]?.text).toBe('My name is [name]');
  });
});

describe('a conversation that tries an agent', () => {
  const caller = (org: Organization, id = 'u1') => ({ ...org.caller, actor: { type: 'user' as const, id } });
  const start = (org: Organization, id?: string) =>
    world.ask(
      contract.agentsStartPreviewConversation,
      { params: { agentId: org.agentId }, body: { dynamicVariables: { name: 'Ada' } } },
      caller(org, id),
    );
  type Asked = readonly [org: Organization, sessionId: string, id?: string];
  const tell = async (text: string, ...[org, sessionId, id]: Asked): Promise<unknown[]> => {
    const input = { params: { agentId: org.agentId, sessionId }, query: {}, body: { text } };
    const context = { caller: caller(org, id), requestId: randomUUID() };
    const said: unknown[] = [];
    for await (const event of await world.rpc.open(contract.agentsSendPreviewMessage, input, context))
      said.push(event);
    return said;
  };
  const end = (...[org, sessionId, id]: Asked) =>
    world.ask(
      contract.agentsEndPreviewConversation,
      { params: { agentId: org.agentId, sessionId } },
      caller(org, id),
    );
  const tried = () => {
    const org = world.organization();
    world.neighbours.agents.set(org.agentId, { firstMessage: 'Hello {{name}}.', variables: {} });
    return org;
  };

  it('shows the words and the tools of the agent, is a live call of the channel preview, and is handed over once', async () => {
    const org = tried();
    const begun = await start(org);
    expect(begun).toMatchObject({
      agentId: org.agentId,
      firstMessage: 'Hello Ada.',
      maxDurationSeconds: 600,
    });
    const { sessionId, callId } = begun;
    expect(world.neighbours.places).toContain(callId);
    await eventually(() =>
      expect(world.published.find(({ data }) => data.callId === callId)?.name).toBe(
        events.previewStarted.name,
      ),
    );
    const toolCall = {
      ...{ toolId: null, name: 'look_up', arguments: { id: 7 }, result: 'sent', status: 'ok', durationMs: 4 },
    };
    runtime.answer = ({ say: answer, reply }) => {
      answer('turn', { turn: { role: 'tool', text: '', language: null, toolCall, sources: [] } });
      reply('It was sent.');
    };
    expect(await tell('Where is it?', org, sessionId)).toMatchObject([
      { event: 'tool', data: { turn: { role: 'tool', toolCall } } },
      { event: 'text', data: { delta: 'It was sent.' } },
      { event: 'done', data: { turn: { role: 'agent', text: 'It was sent.' } } },
    ]);
    expect(runtime.asked.at(-1)?.question.context).toMatchObject({
      callId,
      channel: 'preview',
      widgetId: null,
    });
    expect(await end(org, sessionId)).toMatchObject({ sessionId, ended: true });
    expect(await refusalCode(tell('Still there?', org, sessionId))).toBe('SESSION_ENDED');
    await eventually(() => expect(world.neighbours.givenBack.get(callId)).toBeGreaterThanOrEqual(0));
    expect(world.neighbours.handedOver.filter((call) => call.callId === callId)).toMatchObject([
      { channel: 'preview', widgetId: null, endedReason: 'user_hangup', transcript: { length: 4 } },
    ]);
  });

  it('is open to the person who began it alone', async () => {
    const [org, other] = [tried(), tried()];
    const { sessionId } = await start(org);
    const wrong: readonly Asked[] = [
      [org, sessionId, 'u2'],
      [other, sessionId],
      [org, randomUUID()],
    ];
    for (const asked of wrong) {
      expect(await refusalCode(tell('Hi', ...asked))).toBe('CONVERSATION_NOT_FOUND');
      expect(await refusalCode(end(...asked))).toBe('CONVERSATION_NOT_FOUND');
    }
    expect(await tell('Hi', org, sessionId)).toHaveLength(4);
  });

  it('ends the oldest one where a person has five, and leaves those of others alone', async () => {
    const org = tried();
    const others = await start(org, 'u2');
    const begun = [];
    for (let one = 0; one < 6; one += 1) begun.push(await start(org));
    const endOf = async ({ sessionId }: { readonly sessionId: string }) => {
      const { rows } = await world.db.query<{ is_over: boolean }>(
        'select ended_at is not null as is_over from widget_sessions where id = $1',
        [sessionId],
      );
      return rows[0]?.is_over;
    };
    expect(await Promise.all([others, ...begun].map(endOf))).toEqual([
      ...[false, true, false, false, false, false, false],
    ]);
  });

  it('does not begin with an agent that takes no calls or without a place, and ends when its agent is deleted', async () => {
    const org = tried();
    const refused = async (agent: object | 'absent') => {
      world.neighbours.agents.set(org.agentId, agent);
      return refusalCode(start(org));
    };
    expect(await refused('absent')).toBe('AGENT_NOT_FOUND');
    expect(await refused({ isActive: false })).toBe('AGENT_INACTIVE');
    expect(await refused({ configVersion: null })).toBe('AGENT_NOT_CONFIGURED');
    world.neighbours.noPlace = 'SPEND_LIMIT_REACHED';
    expect(await refused({})).toBe('SPEND_LIMIT_REACHED');
    world.neighbours.noPlace = undefined;
    const { sessionId, callId } = await start(org);
    await world.announce(events.agentDeleted, org.id, { agentId: org.agentId, name: 'Front desk' });
    await eventually(async () => {
      const left = await world.db.query('select 1 from widget_sessions where id = $1', [sessionId]);
      expect(left.rowCount).toBe(0);
    });
    expect(world.neighbours.handedOver.filter((call) => call.callId === callId)).toHaveLength(1);
  });
});

// Of all that the tests above have stored.
it('lists every column where the service seals values, and opens all of them', async () => {
  const found = await sealedPlaces(world.db, sealing.sealedColumns, world.keyring);
  expect(found).toEqual({
    sealed: expect.arrayContaining(['widget_turns.sealed']),
    unlisted: [],
    unopened: [],
  });
});
