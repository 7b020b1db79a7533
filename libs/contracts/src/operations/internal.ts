import { z } from 'zod';
import { CallAtStart } from '../values/call-at-start.js';
import { RuntimeConfig } from '../values/runtime.js';
import { phoneNumber } from '../values/text.js';
import { operation } from './operation.js';
import { agentIdParams, hidden, internal } from './parts.js';

const common = {
  section: '4.12',
  auth: internal,
  bucket: 'internal',
  method: 'GET',
  success: 200,
  // An initiation webhook may take seven seconds of it.
  answerWithinMs: 10_000,
  query: CallAtStart,
} as const;
const forTheRuntime = hidden('for the voice runtime only: holds the token of a call');

export const internalOperations = {
  internalAgentConfig: operation({
    ...common,
    id: 'internal.agentConfig',
    service: 'agents-config',
    askedBy: ['telephony-numbers'],
    path: '/agents/internal-config/{agentId}',
    mcp: forTheRuntime,
    // It announces the beginning of a call.
    changesSomething: true,
    summary: 'Get the configuration of an agent for the voice runtime',
    description:
      'Requires the internal key. With `callId`, the response includes a token that is valid for this call only.',
    params: agentIdParams,
    data: RuntimeConfig,
    message: 'Configuration',
    errors: ['AGENT_NOT_FOUND', 'AGENT_INACTIVE', 'AGENT_NOT_CONFIGURED'],
  }),
  internalNumberConfig: operation({
    ...common,
    id: 'internal.numberConfig',
    service: 'telephony-numbers',
    path: '/agents/number-config/{phoneNumber}',
    mcp: forTheRuntime,
    summary: 'Get the configuration of the agent that answers a number',
    description:
      'Requires the internal key. Returns the configuration of the agent that is assigned to the number.',
    params: z.strictObject({ phoneNumber }),
    data: RuntimeConfig,
    message: 'Configuration',
    errors: [
      'NUMBER_NOT_FOUND',
      'AGENT_NOT_FOUND',
      'AGENT_INACTIVE',
      'AGENT_NOT_CONFIGURED',
      'INVALID_PHONE_NUMBER',
    ],
  }),
} as const;
