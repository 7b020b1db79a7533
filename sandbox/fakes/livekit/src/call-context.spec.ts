// The simulated runtime prefers the settings of a call to those of its agent.
import { describe, expect, it } from '@jest/globals';
import { callContext } from '@parlance/contracts';
import { configurationOf, contextOf, variablesOf } from './call-context.js';
import { runtimeConfig } from './testing/runtime-config.js';

const { config, agent } = runtimeConfig({
  variables: { name: { default: 'friend' }, city: { default: null } },
});
const call = callContext({
  callId: 'c1',
  organizationId: agent.organizationId,
  agentId: agent.id,
  channel: 'phone',
  direction: 'outbound',
});

describe('the configuration of a call', () => {
  it('is that of its agent', () => {
    expect(configurationOf(call, config)).toEqual(config);
  });

  it('has the language that the call was given', () => {
    expect(configurationOf({ ...call, language: 'es-ES' }, config)).toEqual({
      ...config,
      agent_language: 'es-ES',
    });
  });

  it('has the variables of the call before those of its agent', () => {
    expect(variablesOf(call, config)).toEqual({ name: 'friend' });
    expect(variablesOf({ ...call, dynamicVariables: { name: 'Ada' } }, config)).toEqual({ name: 'Ada' });
    expect(variablesOf({ ...call, dynamicVariables: { name: ' ' } }, config)).toEqual({ name: 'friend' });
  });
});

describe('a dispatch', () => {
  it('tells the whole call, or nothing for a call that comes in', () => {
    expect(contextOf(JSON.stringify(call))).toEqual(call);
    expect([contextOf(''), contextOf('{}')]).toEqual([undefined, undefined]);
  });

  it.each([{ callId: 'c1' }, { ...call, schemaVersion: 2 }, { ...call, agentId: 'front desk' }])(
    'that the contract does not know is taken for no call',
    (metadata) => {
      expect(() => contextOf(JSON.stringify(metadata))).toThrow();
    },
  );
});
