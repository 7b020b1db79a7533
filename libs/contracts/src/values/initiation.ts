// What an agent's initiation webhook made of a call that is about to be held.
import { z } from 'zod';
import { json, timestamp } from './text.js';

const result = {
  outcome: z
    .enum(['applied', 'rejected', 'failed'])
    .meta({ description: 'failed: the call goes on with what the agent is configured with' }),
  at: timestamp,
  durationMs: z.int().min(0),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  /** Fields of the answer that were not taken, such as an override that the agent does not allow. */
  ignored: z.array(z.string()),
};

/** How the one request of an initiation webhook went. Holds nothing of what was said. */
export const InitiationResult = z.object(result).meta({ id: 'InitiationResult' });
export type InitiationResult = z.infer<typeof InitiationResult>;

/** The result, with what the call is to be held with; the configuration beside it has it applied already. */
export const Initiation = z
  .object({
    ...result,
    action: z.enum(['continue', 'reject']).meta({ description: 'reject: hang up' }),
    dynamicVariables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), json),
  })
  .meta({ id: 'Initiation' });
export type Initiation = z.infer<typeof Initiation>;
