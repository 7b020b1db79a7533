// The messages of the example are those of the contract: each is parsed with its schema.
import { expect, it } from '@jest/globals';
import {
  CallContext,
  CallProgress,
  callContext,
  roomMetadataOf as contractsRoomMetadataOf,
  IngestInput,
  RuntimeConfig,
} from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import * as protocol from '../src/protocol.js';
import { Transcript } from '../src/transcript.js';

const found = runtimeConfig();
const context = callContext({
  callId: '0198c0de-0000-7000-8000-0000000000f1',
  organizationId: found.agent.organizationId,
  agentId: found.agent.id,
  channel: 'phone',
  direction: 'outbound',
  toNumber: '+14155550100',
  systemPrompt: 'a prompt',
  dynamicVariables: { name: 'Ada' },
  metadata: { ticket: 7 },
});

it('reads the call of a dispatch, and none from the dispatch of a call that comes in', () => {
  expect(protocol.callOf(JSON.stringify(context))).toEqual(context);
  expect(protocol.callOf('{}')).toBeUndefined();
  expect(protocol.callOf('')).toBeUndefined();
});

it('understands the answer of the platform', () => {
  const answer: protocol.RuntimeConfig = RuntimeConfig.parse(found);
  expect(answer.config.firstMessage).toBe(found.config.firstMessage);
});

it('writes into a telephone room what the contract allows, and no prompt, variable or metadata', () => {
  const metadata = protocol.roomMetadataOf(protocol.callOf(JSON.stringify(context)) as protocol.CallContext);
  expect(JSON.parse(metadata)).toEqual(contractsRoomMetadataOf(context));
});

it('makes the context of a call that comes in', () => {
  const known = { callId: context.callId, callerNumber: '+14155550199', calledNumber: '+14155550142' };
  const made = protocol.callIn(known, found);
  expect(CallContext.omit({ callee: true, schemaVersion: true }).strict().parse(made)).toEqual(made);
  expect(made).toMatchObject({ organizationId: 'org', agentId: found.agent.id, toNumber: '+14155550142' });
});

it('tells each turn once, in order, and hands over all of them, also those that could not be told', async () => {
  const told: protocol.ProgressEvent[] = [];
  let isAway = true;
  const transcript = new Transcript({
    tell: async (events) => {
      if (isAway) throw new Error('the platform is away');
      told.push(...events);
    },
  });
  const sources = [{ knowledgeSourceId: 'source', chunkId: 'c1', score: 0.9 }];
  const toolCall = {
    ...{ toolId: null, name: 'order_status', arguments: { orderId: 'A-1' } },
    ...{ result: { state: 'sent' }, status: 'ok' as const, durationMs: 3 },
  };
  const language = 'en';
  transcript.add({ role: 'agent', text: 'Hello.', interrupted: false, startMs: 0, endMs: 900, language });
  await transcript.told();
  isAway = false;
  transcript.add({ role: 'user', text: 'My order?', startMs: 900, endMs: 900, language });
  transcript.add({ role: 'tool', text: '', startMs: 900, endMs: 903, language, toolCall });
  transcript.add({ role: 'agent', text: 'It is sent.', startMs: 903, endMs: 1_800, language, sources });
  await transcript.told();
  expect(CallProgress.parse({ events: told }).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);

  const startedAt = new Date('2026-03-01T10:00:00.000Z');
  const endedAt = new Date('2026-03-01T10:00:20.000Z');
  const call = { context, roomName: 'ob_1', endedReason: 'agent_hangup', startedAt, endedAt };
  const handOver = protocol.handOverOf(
    { ...call, answeredAt: startedAt, transcript: transcript.turns },
    '0198c0de-0000-7000-8000-0000000000f2',
  );
  const taken = IngestInput.parse(handOver);
  expect(taken.transcript.map(({ role }) => role)).toEqual(['agent', 'user', 'tool', 'agent']);
  expect(taken).toMatchObject({ callId: context.callId, answeredBy: 'human', durationSeconds: 20 });
});
