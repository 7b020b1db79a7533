// The storage format of streams `campaign-<id>`: few events, however many recipients. Names, fields and versions in
// this file are on disk for ever. A change makes a new version and an upcaster, never an edit.
import { Overridable, Provider } from '@parlance/contracts';
import { defineEvents, type EventsOf } from '@parlance/event-sourcing';
import { z } from 'zod';

/** An instant as ISO 8601, UTC, milliseconds. */
const at = z.string();

const CallingWindow = z.object({
  /** 0 is Monday; the days on which the window begins. */
  days: z.array(z.int()),
  /** Clock times, `HH:mm`; from `start` to just before `end`, which is on the next day when it is not after `start`. */
  start: z.string(),
  end: z.string(),
  basis: z.enum(['campaign', 'recipient']),
});

export const RetryPolicy = z.object({
  maxAttempts: z.int(),
  delaySeconds: z.int(),
  on: z.array(z.enum(['busy', 'no_answer', 'voicemail', 'failed'])),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

const CircuitBreaker = z.object({
  enabled: z.boolean(),
  failureThreshold: z.number(),
  windowSeconds: z.int(),
  minCalls: z.int(),
});

const Columns = z.object({
  phoneNumber: z.string().optional(),
  name: z.string().optional(),
  /** Headers of columns by the names of variables. */
  variables: z.record(z.string(), z.string()).optional(),
});

const RowError = z.object({
  row: z.int(),
  column: z.string().nullable(),
  code: z.enum(['INVALID_PHONE', 'DUPLICATE', 'MISSING_PHONE', 'ROW_TOO_LONG', 'SUPPRESSED']),
  /** Names the error, never the content of the row. */
  message: z.string(),
});

/** Something that a person should know about the rows that are called; names no row's content. */
export const FileWarning = z.object({
  code: z.enum(['HIDDEN_ROWS', 'NO_VALUE', 'VALUE_LEFT_OUT', 'COLUMN_RENAMED', 'COLUMN_IGNORED']),
  column: z.string().nullable(),
  /** 0 for a warning about the header. */
  rows: z.int(),
  firstRow: z.int().nullable(),
  message: z.string(),
});
export type FileWarning = z.infer<typeof FileWarning>;

/** The result of reading a file: `rows` = accepted + rejected + duplicates. Holds no number and no name. */
export const FileReport = z.object({
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  duplicates: z.int(),
  columns: z.array(z.string()),
  /** The first hundred. */
  errors: z.array(RowError),
  /** Absent where there are none, and in events that older releases stored. */
  warnings: z.array(FileWarning).optional(),
});
export type FileReport = z.infer<typeof FileReport>;

export const FileRefusalCode = z.enum(['FILE_INVALID', 'FILE_TYPE_MISMATCH', 'FILE_TOO_LARGE']);
export type FileRefusalCode = z.infer<typeof FileRefusalCode>;

export const PauseReason = z.enum([
  'outside_calling_window',
  'circuit_breaker',
  'provider_unavailable',
  /** Deleted, switched off or without configuration. */
  'agent_unavailable',
  /** The caller's number is not the organization's any more. */
  'number_unavailable',
  /** The worst case of the next call does not fit into the campaign's own budget. */
  'budget_reached',
  /** The worst case of the next call does not fit into the organization's envelope. */
  'spend_limit_reached',
]);
export type PauseReason = z.infer<typeof PauseReason>;

/** Whose calling window is closed. */
export const ClosedBy = z.enum(['operator', 'organization', 'campaign']);
export type ClosedBy = z.infer<typeof ClosedBy>;

export const campaignEvents = defineEvents({
  CampaignCreated: {
    version: 1,
    data: z.object({
      organizationId: z.string(),
      name: z.string(),
      agentId: z.string(),
      agentName: z.string(),
      configVersion: z.int(),
      /** Fields of the agent's configuration that a row of the file may override. */
      allowedOverrides: z.array(Overridable),
      /** Account that owns the caller number; null when the request named none. */
      provider: Provider.nullable(),
      /** The provider's name for the caller's number. */
      sid: z.string().nullable(),
      sourceFileKey: z.string(),
      sourceFileName: z.string(),
      fileBytes: z.int(),
      scheduledAt: at.nullable(),
      timezone: z.string(),
      ringingTimeoutSeconds: z.int(),
      callsPerSecond: z.number(),
      maxConcurrency: z.int().nullable(),
      callingWindow: CallingWindow.nullable(),
      retryPolicy: RetryPolicy,
      circuitBreaker: CircuitBreaker,
      duplicates: z.enum(['first', 'all', 'reject']),
      /** The most that the whole campaign may cost; absent in events that older releases stored. */
      budget: z.object({ maxCostMicros: z.int() }).nullable().optional(),
      /** The longest that each of its calls may last, in seconds; absent in events that older releases stored. */
      longestSeconds: z.int().optional(),
      /** The meaning of the file's columns; absent where the headers say it, and in events that older releases stored. */
      columns: Columns.optional(),
      createdBy: z.string(),
      createdAt: at,
    }),
    personal: z.object({ fromNumber: z.string() }),
  },
  FileImported: { version: 1, data: FileReport.extend({ importedAt: at }) },
  FileRefused: {
    version: 1,
    data: z.object({
      code: FileRefusalCode,
      message: z.string(),
      /** The report on the part of the file that was read. */
      report: FileReport.nullable(),
      refusedAt: at,
    }),
  },
  CampaignStarted: { version: 1, data: z.object({ startedAt: at }) },
  CampaignPaused: {
    version: 1,
    data: z.object({
      reason: PauseReason,
      /** The time at which the campaign may go on by itself; null when unknown. */
      until: at.nullable(),
      pausedAt: at,
      /** Of a pause for calling hours; absent in events that older releases stored. */
      closedBy: ClosedBy.optional(),
    }),
  },
  CampaignResumed: { version: 1, data: z.object({ resumedAt: at }) },
  CampaignCompleted: { version: 1, data: z.object({ completedAt: at }) },
  CampaignCancelled: { version: 1, data: z.object({ cancelledAt: at }) },
});

export type CampaignEvent = EventsOf<typeof campaignEvents>;

/** One member of the union. */
export type CampaignEventOf<T extends CampaignEvent['type']> = Extract<CampaignEvent, { readonly type: T }>;
