// The integration events that tools-secrets publishes.
import { z } from 'zod';
import { noteNumber } from '../values/secret-mentions.js';
import { uuid } from '../values/text.js';
import { ExecutedTool, ResourceRef } from '../values/tool.js';
import { defineEvent, sealing } from './event.js';

/** Versions that this release reads and does not send. */
export const toolsSecretsEarlierEvents = {
  /** A tool ran in a call, with or without success. */
  toolExecuted: defineEvent({
    name: 'tools-secrets.tool.executed',
    version: 1,
    data: ExecutedTool,
  }),
} as const;

export const toolsSecretsEvents = {
  /** A tool was attached to an agent or taken from it, or deleted. */
  agentToolsChanged: defineEvent({
    name: 'tools-secrets.agent-tools.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      tools: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  toolExecuted: sealing(
    toolsSecretsEarlierEvents.toolExecuted,
    'calls-logs',
    'arguments',
    'result',
    'assignments',
  ),
  toolChanged: defineEvent({
    name: 'tools-secrets.tool.changed',
    version: 1,
    data: z.object({ toolId: uuid, change: z.enum(['created', 'updated', 'deleted']) }),
  }),
  /** The service that keeps this resource reports the secrets that it mentions. Repeated until the report has come. */
  secretMentionsRequested: defineEvent({
    name: 'tools-secrets.secret-mentions.requested',
    version: 1,
    data: z.object({ user: ResourceRef.pick({ type: true, id: true }), noted: noteNumber }),
  }),
  secretChanged: defineEvent({
    name: 'tools-secrets.secret.changed',
    version: 1,
    data: z.object({ secretId: uuid, change: z.enum(['created', 'updated', 'rotated', 'deleted']) }),
  }),
} as const;
