// The messages of the runtime are those of the contract: each is parsed with its schema.
import { describe, expect, it } from '@jest/globals';
import { CallContext, CallProgress, callContext, IngestInput, type ProgressEvent } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import type { z } from 'zod';
import { callOf, inboundContext } from './contexts.js';
import { handOverOf } from './hand-over.js';
import { Transcript } from './transcript.js';

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

describe('callOf', () => {
  it('reads the call of a dispatch, and none from the dispatch of a call that comes in', () => {
    expect(callOf(JSON.stringify(context))).toEqual(context);
    expect(callOf('{}')).toBeUndefined();
    expect(callOf('')).toBeUndefined();
  });

  it('refuses metadata that is no context', () => {
    expect(() => callOf('{"callId":"c"}')).toThrow('organizationId');
    expect(() => callOf('not JSON')).toThrow(SyntaxError);
  });
});

describe('inboundContext', () => {
  it('is a whole context of the number that was called', () => {
    const call = { callId: context.callId, callerNumber: '+14155550199', calledNumber: '+14155550142' };
    const made = inboundContext(call, found);
    expect(CallContext.parse(made)).toEqual(made);
    expect(made).toMatchObject({ organizationId: 'org', agentId: found.agent.id, toNumber: '+14155550142' });
  });
});

describe('a transcript', () => {
  it('is reported once and in order, and handed over whole, also after a failed report', async () => {
    const reported: z.input<typeof ProgressEvent>[] = [];
    let isAway = true;
    const transcript = new Transcript({
      report: async (events) => {
        if (isAway) throw new Error('the platform is away');
        reported.push(...events);
      },
    });
    const sources = [{ knowledgeSourceId: 'source', chunkId: 'c1', score: 0.9 }];
    const toolCall = {
      toolId: null,
      name: 'order_status',
      arguments: { orderId: 'A-1' },
      result: { state: 'sent' },
      status: 'ok' as const,
      durationMs: 3,
    };
    const language = 'en';
    transcript.add({ role: 'agent', text: 'Hello.', interrupted: false, startMs: 0, endMs: 900, language });
    await transcript.reported();
    isAway = false;
    transcript.add({ role: 'user', text: 'My order?', startMs: 900, endMs: 900, language });
    transcript.add({ role: 'tool', text: '', startMs: 900, endMs: 903, language, toolCall });
    transcript.add({ role: 'agent', text: 'It is sent.', startMs: 903, endMs: 1_800, language, sources });
    await transcript.reported();
    expect(CallProgress.parse({ events: reported }).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);

    const startedAt = new Date('2026-03-01T10:00:00.000Z');
    const call = {
      context,
      roomName: 'ob_1',
      endedReason: 'agent_hangup' as const,
      startedAt,
      answeredAt: startedAt,
      endedAt: new Date('2026-03-01T10:00:20.000Z'),
    };
    const handOver = handOverOf(
      { ...call, transcript: transcript.turns, more: { analysisStatus: 'pending' } },
      '0198c0de-0000-7000-8000-0000000000f2',
    );
    const accepted = IngestInput.parse(handOver);
    expect(accepted.transcript.map(({ role }) => role)).toEqual(['agent', 'user', 'tool', 'agent']);
    expect(accepted).toMatchObject({
      callId: context.callId,
      answeredBy: 'human',
      durationSeconds: 20,
      analysisStatus: 'pending',
    });
  });
});
