// Personal data that the configuration hides, in what a runtime reports to a whole service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { dialled } from '../testing/dialled.js';
import { finishedCall, userOf, World } from '../testing/world.js';

const card = '4111 1111 1111 1111';
const hidden = [card, '4111111111111111', 'Lovelace', 'ada@example.com', '212 555', 'two one two'];

let world: World;
let usual: World['analysisSettings'];
beforeAll(async () => {
  world = await World.start();
  usual = world.analysisSettings;
});
afterAll(async () => {
  await world?.stop();
});
beforeEach(() => {
  world.analysisSettings = usual && {
    ...usual,
    language: 'en-US',
    personalKinds: ['card', 'telephone', 'mail', 'name'],
  };
});

const turn = (seq: number, text: string, more: object = {}) => ({
  ...{ seq, role: seq % 2 === 0 ? 'agent' : 'user', text, startMs: seq * 1_000 },
  ...more,
});

const transcriptOf = async (org: string, callId: string) => {
  const data = await world.ask(
    contract.callsTranscripts,
    { params: { callId }, query: { limit: '100' } },
    userOf(org),
  );
  return data.map(({ text }) => text);
};

const expectHidden = (read: unknown): void => {
  const text = JSON.stringify(read);
  expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
};

/** A call whose runtime redacts nothing itself. */
const reported = (org: string) =>
  finishedCall(org, {
    dynamicVariables: { customer_name: 'Ada Lovelace' },
    transcript: [
      turn(0, 'Your card number, please.'),
      turn(1, `It is ${card}.`),
      turn(2, 'Thank you, Ms. Lovelace.', { spokenText: 'Thank you, Ms. Love', interrupted: true }),
      turn(3, 'Call me at two one two, five five five, oh one eight seven, or write to ada@example.com.'),
      turn(4, '', {
        role: 'tool',
        toolCall: {
          ...{ toolId: null, name: 'pay', status: 'ok', durationMs: 3 },
          ...{ arguments: { card: '4111111111111111' }, result: { payer: 'Lovelace', paid: 12 } },
        },
      }),
    ],
    summary: 'Ada Lovelace paid.',
    dataCollected: { mail: { value: 'ada@example.com', rationale: 'It was said.' } },
    evaluation: [
      { id: 'paid', name: 'Paid', result: 'success', score: null, rationale: 'Lovelace gave her card.' },
    ],
  });

describe('a call of an agent that hides personal data', () => {
  it('is stored with placeholders in its turns, its tools and its analysis', async () => {
    const org = randomUUID();
    const body = reported(org);
    await world.ingest(body);
    const log = await world.get(org, body.callId);
    expect(log).toMatchObject({
      summary: '[name] paid.',
      dataCollected: { mail: { value: '[mail address]', rationale: 'It was said.' } },
      evaluation: [{ rationale: '[name] gave her card.' }],
    });
    const transcript = await eventually(async () => {
      const texts = await transcriptOf(org, body.callId);
      expect(texts).toHaveLength(5);
      return texts;
    });
    expect(transcript.slice(1, 4)).toEqual([
      'It is [card number].',
      'Thank you, Ms. [name].',
      'Call me at [telephone number], or write to [mail address].',
    ]);
    // Variables come from the organization itself, and are not said in the call.
    expectHidden([{ ...log, dynamicVariables: {} }, transcript]);
  });

  it('is taken once, however often the same hand-over comes', async () => {
    const org = randomUUID();
    const body = reported(org);
    await world.ingest(body);
    expect(await world.ingest(body)).toMatchObject({ repeated: true });
    // The agent is deleted meanwhile, or hides something else.
    world.analysisSettings = undefined;
    expect(await world.ingest(body)).toMatchObject({ repeated: true });
    world.analysisSettings = usual;
    expect(await world.ingest(body)).toMatchObject({ repeated: true });
  });

  it('has tools that the platform ran, without what they were told and answered', async () => {
    const org = randomUUID();
    const body = reported(org);
    const { agentId, callId } = body;
    const run = (name: string) => ({
      ...{ executionId: randomUUID(), callId, agentId, toolId: randomUUID(), name, status: 'ok' as const },
      ...{ httpStatus: 200, startedAt: '2026-03-01T10:00:06.000Z', durationMs: 50 },
      ...{ arguments: { card }, result: { payer: 'Ms. Lovelace' } },
    });
    world.toolRuns.set(callId, [run('pay_before')]);
    await world.ingest(body);
    await world.announce(events.toolExecuted, org, run('pay_after'));
    const toolRuns = await eventually(async () => {
      const log = await world.get(org, callId);
      expect(log.toolRuns?.map(({ name }) => name).sort()).toEqual(['pay_after', 'pay_before']);
      return log.toolRuns;
    });
    const data = await world.ask(
      contract.callsTranscripts,
      { params: { callId }, query: { limit: '100' } },
      userOf(org),
    );
    expect(
      data.flatMap(({ toolCall }) => toolCall ?? []).find(({ name }) => name === 'pay_before'),
    ).toMatchObject({
      arguments: { card: '[card number]' },
      result: { payer: 'Ms. [name]' },
    });
    expectHidden([toolRuns, data]);
  });

  it('shows placeholders while it lasts', async () => {
    const org = randomUUID();
    const call = dialled(org);
    await world.announce(events.attemptStarted, org, call.started);
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
    const caller = {
      ...{ organizationId: org, role: 'call' as const, permissions: [] },
      actor: { type: 'call' as const, id: call.callId, agentId: call.agentId },
    };
    const event = { seq: 1, at: new Date().toISOString(), type: 'turn', turn: turn(1, `It is ${card}.`) };
    const body = contract.callsProgress.body.parse({ events: [event] });
    await world.request(contract.callsProgress, { params: { callId: call.callId }, body }, caller);
    expect(await transcriptOf(org, call.callId)).toEqual(['It is [card number].']);
  });

  it('keeps no recording, which would have what the transcript hides', async () => {
    const org = randomUUID();
    const body = reported(org);
    const recording = {
      ...{ storageKey: `org/${org}/recordings/${body.callId}/a.wav`, durationSeconds: 5, channels: 1 },
      sha256: 'a'.repeat(64),
    };
    await world.ingest({ ...body, recording } as typeof body);
    expect((await world.get(org, body.callId)).recording.available).toBe(false);
  });

  it('hides every kind where the agent is deleted and its configuration gone', async () => {
    world.analysisSettings = undefined;
    const org = randomUUID();
    const body = reported(org);
    await world.ingest(body);
    expectHidden({ ...(await world.get(org, body.callId)), dynamicVariables: {} });
  });

  it('is stored as reported where nothing is to be hidden', async () => {
    world.analysisSettings = usual;
    const org = randomUUID();
    const body = reported(org);
    await world.ingest(body);
    expect((await world.get(org, body.callId)).summary).toBe('Ada Lovelace paid.');
  });
});
