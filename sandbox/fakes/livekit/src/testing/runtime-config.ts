// For tests: the platform's answer to a runtime that asks for its configuration, complete by the contract.
import { RuntimeConfig } from '@parlance/contracts';

const agent = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  name: 'Front desk',
  organizationId: 'org',
  isActive: true,
};

const config = {
  agentId: agent.id,
  version: 3,
  agent_language: 'en-US',
  firstMessage: 'Hi {{customer_name | there}}!',
  systemPrompt: 'Be kind.',
  sttModel: 'deepgram/nova-3',
  llmModel: 'openai/gpt-4.1-mini',
  ttsModel: 'cartesia/sonic-3',
  voiceId: 'cartesia/one',
  data_needed: [],
  data_evaluation: [],
  variables: {},
  preemptive_generation: false,
  ivr_navigation_enabled: false,
  timezone: 'UTC',
  rag: {},
  limits: {},
  voicemail: { action: 'leave_message', message: 'Please call back.' },
  recording: {},
  allowedOverrides: [],
  extra: {},
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
};

/** @param change members of the configuration that replace the usual ones */
export const runtimeConfig = (change: object = {}): RuntimeConfig =>
  RuntimeConfig.parse({
    agent,
    config: { ...config, ...change },
    tools: [],
    mcpTools: [],
    knowledge: { mode: 'none', prompt: null },
    initiation: null,
    runtime: { baseUrl: 'http://127.0.0.1:9/api/v1', callToken: null, expiresAt: null },
    warnings: [],
  });
