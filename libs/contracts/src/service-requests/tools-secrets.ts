// The requests that tools-secrets answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { callId } from '../values/call.js';
import { secretMentions } from '../values/secret-mentions.js';
import { text, timestamp, uuid } from '../values/text.js';
import { ExecutedTool, ResourceRef, ToolForRuntime } from '../values/tool.js';
import { agentId, organizationCleared, secretUses } from './parts.js';

/** A secret as it travels to the process that sends a request with it: sealed, and opened there only. */
export const SealedSecret = z.object({
  id: uuid,
  name: z.string(),
  version: z.int(),
  sealed: z.string(),
  /** The version before, while it is still good. */
  previous: z.object({ version: z.int(), sealed: z.string(), goodUntil: timestamp }).nullable(),
  /**
   * The origins that it may be sent to. Null for a secret of a release before, until those of its users are collected. Absent
   * in the answers of a release before.
   */
  allowedOrigins: z.array(z.string()).nullable().optional(),
});
export type SealedSecret = z.infer<typeof SealedSecret>;

export const toolsSecretsRequests = {
  toolsRunsOfCall: serviceRequest({
    id: 'tools.runsOfCall',
    service: 'tools-secrets',
    askedBy: ['calls-logs'],
    summary: 'The tools that have run in this call, the earliest first',
    body: z.object({ callId }),
    data: z.array(ExecutedTool),
  }),
  secretsSealed: serviceRequest({
    id: 'secrets.sealed',
    service: 'tools-secrets',
    askedBy: ['agents-config', 'calls-logs', 'widgets', 'mcp-hub'],
    summary:
      'Hand these secrets over, sealed, for a request that is about to be sent; unknown ones are left out',
    body: z.object(secretMentions),
    data: z.array(SealedSecret),
  }),
  secretsRefer: serviceRequest({
    id: 'secrets.refer',
    service: 'tools-secrets',
    askedBy: ['agents-config', 'widgets', 'mcp-hub'],
    summary:
      'Note that a resource is about to mention these secrets, so that none of them is deleted; an unknown one is refused',
    body: z.object({
      user: ResourceRef,
      ...secretMentions,
      ...secretUses,
      /** Whoever saves the resource may decide where a secret is sent: origins that are new are allowed from now on. */
      mayAllow: z.boolean().optional(),
    }),
    data: z.object({}),
  }),
  toolsForAgent: serviceRequest({
    id: 'tools.forAgent',
    service: 'tools-secrets',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The active tools of an agent, as a model is told of them',
    body: agentId,
    data: z.array(ToolForRuntime),
  }),
  toolsNeeds: serviceRequest({
    id: 'tools.needs',
    service: 'tools-secrets',
    askedBy: ['gateway'],
    summary:
      'Whether an agent has a tool of this name, and whether it has placeholders for values of the call',
    body: agentId.extend({ toolName: text(1, 128) }),
    data: z.object({ isTool: z.boolean(), needsValues: z.boolean() }),
  }),
  toolsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'tools.organizationCleared',
    service: 'tools-secrets',
  }),
} as const;
