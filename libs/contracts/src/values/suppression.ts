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
    .meta({ description: 'one that is on the list already stays as it is', examples: [['+14155550100']] }),
  reason: text(1, 200).optional().meta({ description: 'a note for readers of the list' }),
});
