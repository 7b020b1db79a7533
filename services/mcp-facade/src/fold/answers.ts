// The forms of a tool's answers as structured content.
import type { Operation } from '@parlance/contracts';
import { isErrorCode } from '@parlance/errors';
import { z } from 'zod';

/** A refusal or failure, in the words of the interface. */
export const Failure = z
  .object({
    code: z.string().refine(isErrorCode),
    message: z.string(),
    requestId: z.string(),
    details: z.unknown().optional(),
    retryAfterSeconds: z.number().optional().meta({ description: 'trying again can help after this time' }),
  })
  .meta({ description: 'Nothing was done, for this reason.' });
export type Failure = z.infer<typeof Failure>;

/** The preview of a call that was not made yet. */
export const ConfirmationRequired = z
  .object({
    status: z.literal('confirmation_required'),
    summary: z.string().meta({ description: 'what would be done, for the person who decides' }),
    worstCaseMicros: z.int().nullable().meta({
      description: 'the most that it can cost, in millionths of the currency; null where nothing tells it',
    }),
    currency: z.string().nullable().meta({ description: 'ISO 4217' }),
    expiresAt: z.iso.datetime(),
    confirmationToken: z
      .string()
      .meta({ description: 'call the tool again with the same arguments and this token to do it, once' }),
  })
  .meta({ description: 'Nothing was done yet: a person has to agree first.' });
export type ConfirmationRequired = z.infer<typeof ConfirmationRequired>;

/** The answer of a tool's operation. */
export const doneFormOf = (row: Operation): z.ZodObject => {
  const message = z.string();
  return row.data instanceof z.ZodUndefined ? z.object({ message }) : z.object({ message, data: row.data });
};
