// What an organization has recorded about one person, and its erasure.
import { z } from 'zod';
import { timestamp, uuid } from './text.js';

export const PersonCounts = z
  .object({
    calls: z.int().meta({ description: 'calls in both directions, with their transcripts' }),
    recordings: z.int(),
    outboundCalls: z.int(),
    recipients: z.int().meta({ description: 'rows of campaigns' }),
  })
  .meta({ id: 'PersonCounts', description: 'What an organization has recorded about one telephone number.' });
export type PersonCounts = z.infer<typeof PersonCounts>;

export const ErasureState = z
  .object({
    id: uuid,
    status: z.enum(['running', 'finished']),
    requestedAt: timestamp,
    finishedAt: timestamp.nullable(),
    waitingFor: z
      .array(z.string())
      .meta({ description: 'services in which something is left, such as a call in progress' }),
  })
  .meta({ id: 'ErasureState', description: 'An erasure, and what it waits for.' });
export type ErasureState = z.infer<typeof ErasureState>;

export const PersonErasureStep = z
  .object({
    found: PersonCounts,
    confirmation: z
      .string()
      .nullable()
      .meta({ description: 'confirms the erasure when it is sent back; null once it was confirmed' }),
    confirmBefore: timestamp.nullable(),
    erasure: ErasureState.nullable().meta({ description: 'null until it is confirmed' }),
  })
  .meta({ id: 'PersonErasureStep', description: 'What would be erased, or the erasure that was started.' });
export type PersonErasureStep = z.infer<typeof PersonErasureStep>;
