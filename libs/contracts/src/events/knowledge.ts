// The integration events that knowledge publishes.
import { z } from 'zod';
import { uuid } from '../values/text.js';
import { defineEvent } from './event.js';

export const knowledgeEvents = {
  /** A knowledge source of an agent was made, read or deleted. */
  agentKnowledgeChanged: defineEvent({
    name: 'knowledge.agent-sources.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      sources: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  /** The reading of a knowledge source went on. */
  knowledgeSourceChanged: defineEvent({
    name: 'knowledge.source.changed',
    version: 1,
    data: z.object({
      sourceId: uuid,
      agentId: uuid,
      status: z.string(),
      /** Failed tries of the work that is to be repeated; absent when none has failed. */
      tries: z.int().optional(),
    }),
  }),
} as const;
