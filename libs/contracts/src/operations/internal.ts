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
    summary: 'Give the voice runtime all it needs to hold a conversation',
    description:
      'Needs the internal key. With `callId`, the answer also carries a token that is good for this call alone.',
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
    summary: 'Give the voice runtime the agent that answers a number',
    description:
      'Needs the internal key. Answers the configuration of the agent that is assigned to the number.',
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
