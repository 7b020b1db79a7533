import { describe, expect, it } from '@jest/globals';
import type { AgentConfiguration } from '@parlance/client';
import { bodyOf, type ConfigurationValues, merged, settingText, valuesOf } from './values.js';

const saved: AgentConfiguration = {
  ...{ agentId: 'a', version: 3, createdAt: '2026-01-01', updatedAt: '2026-01-01' },
  ...{ agent_language: 'en', firstMessage: 'Hi', systemPrompt: 'Help', timezone: 'UTC' },
  ...{ sttModel: 's', llmModel: 'l', ttsModel: 't', voiceId: 'v' },
  data_needed: [{ id: 'why', type: 'enum', description: 'Why', enumValues: ['a', 'b'] }],
  data_evaluation: [{ id: 'good', name: 'Good', prompt: 'Was it good?', scoring: 'numeric', maxScore: 5 }],
  initiation_webhook: null,
  post_call_webhook: {
    ...{ url: 'https://example.com', method: 'POST', headers: { 'x-key': '•••' } },
    ...{ timeoutMs: 1_000, enabled: true, events: ['call.ended'] },
  },
  variables: { city: { default: 'Bonn', required: true } },
  ...{ preemptive_generation: false, ivr_navigation_enabled: false },
  rag: {
    ...{ enabled: true, topK: 5, maxDistance: 0.6, maxChars: 8_000 },
    ...{ embeddingModel: 'e', rewriteQuery: false },
  },
  limits: { maxDurationSeconds: 60, silenceTimeoutSeconds: 10, maxConcurrentCalls: null, dailyCalls: null },
  voicemail: { detection: true, action: 'hangup', maxBeepWaitSeconds: 30 },
  recording: { enabled: false, retentionDays: null, consent: 'none' },
  redaction: { kinds: ['card'] },
  allowedOverrides: [],
  extra: { x_crm: { id: 7 } },
};

describe('the form of a configuration', () => {
  it('sends back what it was given, with the version that it has seen', () => {
    const { agentId, version, createdAt, updatedAt, ...settings } = saved;
    expect(bodyOf(valuesOf(saved))).toEqual({ ...settings, expectedVersion: 3 });
  });

  it('leaves out what belongs to another choice', () => {
    const values: ConfigurationValues = {
      ...valuesOf(saved),
      data_needed: [{ id: 'why', type: 'string', description: 'Why', enumValues: ['a'] }],
      data_evaluation: [{ id: 'good', name: 'Good', prompt: 'p', scoring: 'binary', maxScore: 5 }],
    };
    expect(bodyOf(values).data_needed[0]).toEqual({ id: 'why', type: 'string', description: 'Why' });
    expect(bodyOf(values).data_evaluation[0]).not.toHaveProperty('maxScore');
  });
});

describe('two changes of one version', () => {
  const base = valuesOf(saved);

  it('come together where they are of different settings', () => {
    const merge = merged(
      base,
      { ...base, firstMessage: 'Mine' },
      { ...base, voiceId: 'x', expectedVersion: 4 },
    );
    expect(merge.values).toEqual({ ...base, firstMessage: 'Mine', voiceId: 'x', expectedVersion: 4 });
    expect(merge).toMatchObject({ mine: ['firstMessage'], theirs: ['voiceId'], both: [] });
  });

  it('keep the text of the person where both changed the same setting', () => {
    const mine = { ...base, firstMessage: 'Mine', systemPrompt: 'Same' };
    const theirs = { ...base, firstMessage: 'Theirs', systemPrompt: 'Same', expectedVersion: 4 };
    expect(merged(base, mine, theirs)).toMatchObject({
      values: { firstMessage: 'Mine', systemPrompt: 'Same', expectedVersion: 4 },
      both: ['firstMessage'],
    });
  });
});

it('settings are the same whatever the order of their keys', () => {
  expect(settingText({ a: 1, b: undefined, c: [{ e: 1, d: 2 }] })).toBe(
    settingText({ c: [{ d: 2, e: 1 }], a: 1 }),
  );
});
