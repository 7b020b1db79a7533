// The events that the voice runtime tells of a call while it lasts: turns, states and measurements.
import { z } from 'zod';
import { TranscriptTurn } from './call.js';
import { moment, text } from './text.js';

const longestMs = 24 * 60 * 60 * 1_000;

const told = {
  seq: z.int().min(0).meta({
    description: 'sequence number of the event within the call; one that was already received is ignored',
  }),
  at: moment,
};

export const ProgressEvent = z.discriminatedUnion('type', [
  z.strictObject({ ...told, type: z.literal('turn'), turn: TranscriptTurn }),
  z.strictObject({
    ...told,
    type: z.literal('state'),
    state: z.enum(['listening', 'thinking', 'speaking']),
  }),
  z.strictObject({
    ...told,
    type: z.literal('metric'),
    name: text(1, 64),
    ms: z.number().min(0).max(longestMs),
  }),
]);
export type ProgressEvent = z.infer<typeof ProgressEvent>;

export const CallProgress = z.strictObject({ events: z.array(ProgressEvent).min(1).max(100) });
export type CallProgress = z.infer<typeof CallProgress>;
