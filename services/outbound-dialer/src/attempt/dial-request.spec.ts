// Every participant in a telephone call's room can read its metadata: it says no more than the record of the call
// needs.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CallContext } from '@parlance/contracts';
import { fold } from '@parlance/event-sourcing';
import { outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import { attempt, outboundCallId, personal, placed, started } from '../testing/histories.js';
import { roomOf } from './dial-request.js';

const planted = {
  firstMessage: 'planted-greeting',
  systemPrompt: 'planted-prompt',
  language: 'planted-language',
  voiceId: 'planted-voice',
  dynamicVariables: { name: 'planted-variable' },
  metadata: { order: 'planted-metadata' },
};
const { callId } = { ...attempt(1), callId: randomUUID() };
const dialing = () => {
  const [first, second] = [placed, started(1)];
  const state = fold(outboundCallDecider, [
    { ...first, personal: { ...personal, ...planted } },
    { ...second, data: { ...second.data, callId } },
  ]);
  if (state.phase !== 'dialing' || state.personal === null) throw new Error('it is not being dialled');
  return roomOf(outboundCallId, state, state.personal);
};

describe('the room of a dial', () => {
  it('holds ids and numbers, and neither prompt nor variables', () => {
    const { metadata } = dialing();
    expect(metadata).toEqual({
      callId,
      organizationId: placed.data.organizationId,
      agentId: placed.data.agentId,
      configVersion: 1,
      direction: 'outbound',
      channel: 'phone',
      fromNumber: personal.fromNumber,
      toNumber: personal.phoneNumber,
      provider: null,
      outboundCallId,
      campaignId: null,
      widgetId: null,
    });
    expect(JSON.stringify(metadata)).not.toContain('planted');
  });

  it('is told to the job of the agent with all that the call was given', () => {
    expect(CallContext.parse(dialing().agent?.metadata)).toMatchObject({
      ...{ schemaVersion: 1, callId, ...planted },
      callee: { identity: 'pstn_attempt-1', name: null },
    });
  });
});
