// Numbers that an organization never calls (again).
import { z } from 'zod';
import { phoneNumberAsWritten, text, timestamp, uuid } from './text.js';

export const Suppression = z
  .object({
    id: uuid,
    phoneNumber: z.string().meta({ description: 'E.164; empty for a person who was erased' }),
    reason: z.string().nullable(),
    createdAt: timestamp,
    source: z
      .enum(['request', 'call', 'erasure'])
      .optional()
      .meta({ description: 'request: a person or key added it; call: the person asked for it in a call' }),
    addedBy: z
      .string()
      .nullable()
      .optional()
      .meta({ description: '`user:<id>`, `key:<id>` or `platform:<service>`' }),
  })
  .meta({ id: 'Suppression', description: 'A number that is never called.' });
export type Suppression = z.infer<typeof Suppression>;

export const SuppressionFact = z
  .object({
    change: z.enum(['added', 'removed']),
    source: z.enum(['request', 'call', 'erasure', 'operator']),
    actor: z.string().meta({ description: '`user:<id>`, `key:<id>` or `platform:<service>`' }),
    callId: z.string().nullable().meta({ description: 'call in which the person asked for it' }),
    reason: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: 'SuppressionFact', description: 'A change of the suppression list. Facts are never changed.' });
export type SuppressionFact = z.infer<typeof SuppressionFact>;

export const SuppressionInput = z.strictObject({
  phoneNumbers: z
    .array(phoneNumberAsWritten)
    .min(1)
    .max(1_000)
    .meta({
      description: 'a number that is already on the list stays unchanged',
      examples: [['+14155550100']],
    }),
  reason: text(1, 200).optional().meta({ description: 'note, shown in the list' }),
});
