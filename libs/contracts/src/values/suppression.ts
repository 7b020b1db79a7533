// Numbers that an organization never calls (again).
import { z } from 'zod';
import { phoneNumberAsWritten, text, timestamp, uuid } from './text.js';

export const Suppression = z
  .object({
    id: uuid,
    phoneNumber: z.string().meta({ description: 'E.164' }),
    reason: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Suppression', description: 'A number that is never called.' });
export type Suppression = z.infer<typeof Suppression>;

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
