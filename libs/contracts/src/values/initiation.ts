// The result of an agent's initiation webhook for a call that is about to be held.
import { z } from 'zod';
import { json, timestamp } from './text.js';

const result = {
  outcome: z
    .enum(['applied', 'rejected', 'failed'])
    .meta({ description: "failed: the call continues with the agent's configuration" }),
  at: timestamp,
  durationMs: z.int().min(0),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  /** Fields of the answer that were not taken, such as an override that the agent does not allow. */
  ignored: z.array(z.string()),
};

/** The result of the one request of an initiation webhook. Holds no spoken words. */
export const InitiationResult = z
  .object(result)
  .meta({ id: 'InitiationResult', description: 'Outcome of the initiation webhook of a call.' });
export type InitiationResult = z.infer<typeof InitiationResult>;

/** The result, with the prompt and variables for the call; the configuration beside it has them applied already. */
export const Initiation = z
  .object({
    ...result,
    action: z.enum(['continue', 'reject']).meta({ description: 'reject: hang up' }),
    dynamicVariables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), json),
  })
  .meta({
    id: 'Initiation',
    description: 'Outcome of the initiation webhook, with the values that it set for the call.',
  });
export type Initiation = z.infer<typeof Initiation>;
