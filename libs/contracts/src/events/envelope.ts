// The fields of every answer around its data.
import { isErrorCode } from '@parlance/errors';
import { z } from 'zod';

/** `{ success: true, message, data }`, with `nextCursor` beside `data` when a list has more. */
export const Envelope = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.unknown().optional(),
  nextCursor: z.string().optional(),
});

/** One thing that is wrong with a request. */
export const IssueShape = z
  .object({ path: z.string(), code: z.string(), message: z.string() })
  .meta({ id: 'Issue', description: 'One thing that is wrong with a request.' });

export const ErrorBody = z
  .object({
    success: z.literal(false),
    message: z.string(),
    error: z.object({
      code: z.string().refine(isErrorCode),
      details: z.unknown().optional(),
      requestId: z.string(),
      retryable: z.boolean().optional(),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'A refusal or a failure; `error.code` says which.' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The data of the event `error`, with which a streamed answer ends that cannot go on. */
export const StreamFailure = z
  .object({ code: z.string().refine(isErrorCode), message: z.string(), requestId: z.string() })
  .meta({ id: 'StreamFailure', description: 'Why a stream ended early.' });

export const apiVersion = '2026-07';
