// Outbound calls, their attempts, and campaigns.
import { z } from 'zod';
import {
  AnsweredBy,
  CallStatus,
  EndedError,
  EndedReason,
  OutboundCallMode,
  Outcome,
  Provider,
} from './call-status.js';
import { impossiblePlaceholdersIn, placeholderProblem } from './placeholders.js';
import {
  dialableNumber,
  json,
  mapOf,
  metadata,
  micros,
  moment,
  name,
  phoneNumber,
  stringMap,
  text,
  timestamp,
  timezone,
  uuid,
  variableName,
} from './text.js';

export const ringingTimeoutSeconds = z.int().min(10).max(180);

/** A text in which no placeholder is beyond every variable. */
const fillable = (max: number) =>
  text(1, max).superRefine((value, context) => {
    for (const written of impossiblePlaceholdersIn(value))
      context.addIssue({ code: 'custom', message: placeholderProblem(written) });
  });

export const QuickCallInput = z
  .strictObject({
    agentId: uuid.meta({ description: 'agent that makes the call' }),
    phoneNumber: dialableNumber.meta({ description: 'number to call', examples: ['+14155550100'] }),
    fromNumber: phoneNumber.meta({
      description: 'number shown to the callee',
      examples: ['+14155550199'],
    }),
    firstMessage: fillable(2_000).optional().meta({ description: 'overrides the configured first message' }),
    systemPrompt: fillable(100_000).optional().meta({ description: 'overrides the configured prompt' }),
    username: name(1, 120).optional().meta({ description: 'name of the callee, for operators' }),
    dynamicVariables: stringMap
      .optional()
      .meta({ description: 'values for {{placeholders}} in the prompts' }),
    provider: Provider.optional().meta({ description: 'must be the provider of fromNumber' }),
    sid: text(1, 128).optional().meta({
      description:
        "the provider's ID of fromNumber, with `provider`: for a number that exists only at the provider; requires provider accounts of your own",
    }),
    metadata: metadata.optional(),
    ringingTimeoutSeconds: ringingTimeoutSeconds.optional(),
  })
  .refine(({ provider, sid }) => sid === undefined || provider !== undefined, {
    message: 'is needed with sid',
    path: ['provider'],
  });

export const Attempt = z
  .object({
    attempt: z.int(),
    attemptId: uuid,
    callId: z.string(),
    roomName: z.string(),
    status: CallStatus,
    outcome: Outcome.nullable(),
    endedReason: EndedReason.nullable(),
    sipStatus: z.int().nullable(),
    providerCallId: z.string().nullable(),
    startedAt: timestamp,
    answeredAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'Attempt', description: 'One attempt to reach the callee of an outbound call.' });
export type Attempt = z.infer<typeof Attempt>;

export const OutboundCall = z
  .object({
    id: uuid,
    mode: OutboundCallMode,
    status: CallStatus,
    outcome: Outcome.nullable(),
    endedReason: EndedReason.nullable(),
    error: EndedError.nullable(),
    answeredBy: AnsweredBy.nullable(),
    agentId: uuid,
    fromNumber: z.string(),
    phoneNumber: z.string(),
    username: z.string().nullable(),
    provider: Provider.nullable(),
    providerCallId: z.string().nullable(),
    firstMessage: z.string().nullable(),
    systemPrompt: z.string().nullable(),
    dynamicVariables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), json),
    sid: z.string().nullable(),
    campaignId: uuid.nullable(),
    rowNumber: z.int().nullable(),
    attempt: z.int(),
    retryable: z.boolean(),
    attempts: z.array(Attempt).optional().meta({ description: 'only when a single call is read' }),
    nextAttemptAt: timestamp.nullable(),
    callId: z.string().nullable(),
    roomName: z.string().nullable(),
    ringingTimeoutSeconds: z.int(),
    scheduledAt: timestamp.nullable(),
    queuedAt: timestamp.nullable(),
    dialedAt: timestamp.nullable(),
    answeredAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    durationSeconds: z.number().nullable(),
    costMicros: micros.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'OutboundCall', description: 'An outbound call, with its attempts.' });
export type OutboundCall = z.infer<typeof OutboundCall>;

export const OutboundCallStatusView = OutboundCall.pick({
  id: true,
  status: true,
  outcome: true,
  endedReason: true,
  attempt: true,
  callId: true,
  nextAttemptAt: true,
  updatedAt: true,
})
  .extend({ terminal: z.boolean() })
  .meta({ id: 'OutboundCallStatusView', description: 'State of an outbound call, for polling.' });

export const CancelResult = z
  .object({ id: uuid, status: CallStatus, cancelled: z.boolean() })
  .meta({ id: 'CancelResult', description: 'Result of cancelling an outbound call.' });

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00');
const endTime = z
  .string()
  .regex(/^(?:([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 18:00, or 24:00');
export const CallingWindow = z
  .strictObject({
    days: z
      .array(z.int().min(0).max(6))
      .min(1)
      .max(7)
      .meta({ description: 'days on which the window opens; 0 is Monday' }),
    start: clockTime,
    end: endTime.meta({
      description: 'a time before the start is on the next day; 24:00 is midnight',
    }),
    basis: z.enum(['campaign', 'recipient']),
  })
  .refine((window) => window.start !== window.end, {
    message: 'must differ from start; a whole day is 00:00 to 24:00',
    path: ['end'],
  });

const RetryPolicy = z.strictObject({
  maxAttempts: z.int().min(1).max(10).default(1),
  delaySeconds: z.int().min(30).max(86_400).default(300),
  on: z.array(z.enum(['busy', 'no_answer', 'voicemail', 'failed'])).default(['busy', 'no_answer']),
});
const CircuitBreaker = z.strictObject({
  enabled: z.boolean().default(true),
  failureThreshold: z.number().min(0).max(1).default(0.5),
  windowSeconds: z.int().min(30).max(600).default(120),
  minCalls: z.int().min(1).max(1_000).default(5),
});

/** The most money that something may cost, in millionths of the currency of the rate table. */
export const Budget = z
  .strictObject({ maxCostMicros: z.int().min(1).max(1_000_000_000_000) })
  .meta({ id: 'Budget', description: 'The most that a campaign may cost.' });
export type Budget = z.infer<typeof Budget>;

const column = text(1, 256).meta({
  description: 'header of a column; case and surrounding spaces are ignored',
});

/** The meaning of columns of a campaign's file. Columns that are not named here have the meaning of their headers. */
export const ColumnMapping = z
  .strictObject({
    phoneNumber: column.optional().meta({ description: 'column with the numbers to call' }),
    name: column.optional().meta({ description: 'column with the name of the callee' }),
    variables: mapOf(variableName, column, 64)
      .optional()
      .meta({ description: 'column for each placeholder, by placeholder name' }),
  })
  .meta({ id: 'ColumnMapping', description: "Meaning of the columns of a campaign's file." });
export type ColumnMapping = z.infer<typeof ColumnMapping>;

export const BatchInput = z.strictObject({
  name: name(1, 120),
  agentId: uuid,
  fromNumber: phoneNumber,
  sourceFileKey: text(1, 1_024),
  sourceFileName: text(1, 255),
  scheduledAt: moment.nullable().optional(),
  timezone: timezone.optional(),
  ringingTimeoutSeconds: ringingTimeoutSeconds.optional(),
  callsPerSecond: z.number().min(0.1).max(100).optional(),
  maxConcurrency: z.int().min(1).max(10_000).nullable().optional(),
  callingWindow: CallingWindow.nullable().optional(),
  retryPolicy: RetryPolicy.optional(),
  circuitBreaker: CircuitBreaker.optional(),
  duplicates: z.enum(['first', 'all', 'reject']).optional(),
  budget: Budget.nullable().optional().meta({ description: 'maximum cost of the whole campaign' }),
  columns: ColumnMapping.optional(),
});

const count = z.int().min(0);

/** Something about a campaign's file that keeps no row from being called, and that a person should look at. */
export const CampaignFileWarning = z.object({
  code: z.enum([
    'HIDDEN_ROWS',
    'NO_VALUE',
    'VALUE_LEFT_OUT',
    'COLUMN_RENAMED',
    'COLUMN_IGNORED',
    'PLACEHOLDER_UNFILLED',
    'PLACEHOLDER_IMPOSSIBLE',
  ]),
  column: z.string().nullable(),
  rows: count.meta({ description: "affected rows; 0 for the header or for one of the agent's texts" }),
  firstRow: z.int().nullable(),
  message: z.string(),
});

/** Names the error in a row of a campaign's file, never the content of the row. */
export const CampaignRowError = z.object({
  row: z.int(),
  column: z.string().nullable(),
  code: z.enum(['INVALID_PHONE', 'DUPLICATE', 'MISSING_PHONE', 'ROW_TOO_LONG', 'SUPPRESSED']),
  message: z.string(),
});

export const BatchCampaign = z
  .object({
    id: uuid,
    name: z.string(),
    agentId: uuid,
    agentName: z.string(),
    fromNumber: z.string(),
    sourceFileKey: z.string(),
    sourceFileName: z.string(),
    status: z.enum(['validating', 'scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed']),
    statusReason: z.string().nullable(),
    closedBy: z
      .enum(['operator', 'organization', 'campaign'])
      .optional()
      .meta({ description: 'whose calling window is closed, while the campaign is paused for it' }),
    scheduledAt: timestamp.nullable(),
    timezone: z.string(),
    ringingTimeoutSeconds: z.int(),
    callsPerSecond: z.number(),
    maxConcurrency: z.int().nullable(),
    callingWindow: z.object(CallingWindow.shape).nullable(),
    retryPolicy: z.object(RetryPolicy.shape),
    circuitBreaker: z.object(CircuitBreaker.shape),
    budget: z.object(Budget.shape).nullable(),
    progress: z.object({
      total: count,
      pending: count,
      queued: count,
      inProgress: count,
      completed: count,
      voicemail: count,
      noAnswer: count,
      busy: count,
      failed: count,
      cancelled: count,
      skipped: count,
      percent: z.number().min(0).max(100),
      attempts: count,
    }),
    file: z.object({
      rows: count,
      accepted: count,
      rejected: count,
      duplicates: count,
      columns: z.array(z.string()),
      errors: z.array(CampaignRowError),
      warnings: z.array(CampaignFileWarning).optional(),
    }),
    estimate: z
      .object({ minutes: z.number(), costMicros: micros, finishesAt: timestamp.nullable() })
      .nullable(),
    costMicros: micros,
    createdBy: z.string(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    cancelledAt: timestamp.nullable(),
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'BatchCampaign', description: 'A campaign: outbound calls to the recipients in a file.' });

export const BatchUploadUrl = z.object({
  uploadUrl: z.string(),
  sourceFileKey: z.string(),
  expiresAt: timestamp.optional(),
  maxBytes: z.int().optional(),
});
