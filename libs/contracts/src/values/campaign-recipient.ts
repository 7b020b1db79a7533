// The people of a campaign, one for each row of its file.
import { z } from 'zod';
import { EndedReason } from './call-status.js';
import { CampaignRowError } from './outbound-call.js';
import { micros, timestamp, uuid } from './text.js';

export const RecipientState = z
  .enum([
    'pending',
    'queued',
    'in_progress',
    'completed',
    'voicemail',
    'no_answer',
    'busy',
    'failed',
    'cancelled',
    'skipped',
    'refused',
  ])
  .meta({
    id: 'RecipientState',
    description:
      '`pending`: not called yet. `queued`: about to be dialed. `in_progress`: ringing or talking. `skipped`: must not be called. `refused`: a row of the file that cannot be called. The other states are outcomes.',
  });
export type RecipientState = z.infer<typeof RecipientState>;

/** Reasons for which a person waits, besides those for which calls end. */
export const WaitingReason = z.enum([
  'file_being_read',
  'campaign_scheduled',
  'waiting_for_turn',
  'waiting_for_retry',
  'circuit_breaker',
  'number_unavailable',
  'budget_reached',
  'spend_limit_reached',
]);
export type WaitingReason = z.infer<typeof WaitingReason>;

export const RecipientReasonCode = z
  .enum([...CampaignRowError.shape.code.options, ...EndedReason.options, ...WaitingReason.options])
  .meta({ id: 'RecipientReasonCode', description: 'Why a recipient of a campaign is in its state.' });
export type RecipientReasonCode = z.infer<typeof RecipientReasonCode>;

export const CampaignRecipient = z
  .object({
    rowNumber: z.int().meta({ description: 'row in the file; the header is row 1' }),
    phoneNumber: z
      .string()
      .nullable()
      .meta({ description: 'E.164; for a refused row as written in the file, null if the cell is empty' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'from the column with the name of the callee, or the variable `name`' }),
    variables: z.record(z.string(), z.string()).meta({ description: 'empty for a refused row' }),
    timezones: z.array(z.string()).meta({
      description:
        "the row's time zone, or every zone that the number may belong to; empty for a refused row",
    }),
    state: RecipientState,
    reason: z.object({ code: RecipientReasonCode, message: z.string() }).nullable().meta({
      description:
        'why the recipient is waiting or was not called, or how the last call ended; null while a call is in progress',
    }),
    attempts: z.int().min(0).meta({ description: 'calls made so far' }),
    outboundCallId: uuid.nullable().meta({ description: 'null until the first call is placed' }),
    callId: z.string().nullable().meta({ description: 'of the last attempt' }),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: 'earliest time of the next call; null if immediately or unknown' }),
    costMicros: micros,
    updatedAt: timestamp,
  })
  .meta({ id: 'CampaignRecipient', description: 'A recipient of a campaign: one row of its file.' });
export type CampaignRecipient = z.infer<typeof CampaignRecipient>;
