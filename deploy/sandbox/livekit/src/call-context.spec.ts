// What a call says otherwise than its agent is what the simulated runtime runs with.
import { describe, expect, it } from '@jest/globals';
import { type CallContext, configurationOf } from './call-context.js';
import type { RuntimeConfiguration } from './conversation.js';

const call: CallContext = {
  callId: 'c1',
  organizationId: 'o1',
  agentId: 'a1',
  channel: 'phone',
  direction: 'outbound',
};
const config: RuntimeConfiguration = {
  agent_language: 'en-US',
  firstMessage: 'Hi',
  sttModel: 's',
  llmModel: 'l',
  ttsModel: 't',
  data_needed: [],
  data_evaluation: [],
  voicemail: { action: 'hangup' },
};

describe('the configuration of a call', () => {
  it('is that of its agent', () => {
    expect(configurationOf(call, config)).toEqual(config);
  });

  it('has the language that the call was given', () => {
    expect(configurationOf({ ...call, agent_language: 'es-ES' }, config)).toEqual({
      ...config,
      agent_language: 'es-ES',
    });
  });
});
