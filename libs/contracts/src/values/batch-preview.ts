// A campaign's file as it is shown before the campaign is started.
import { z } from 'zod';
import { BatchInput, CampaignFileWarning, CampaignRowError } from './outbound-call.js';
import { micros, timestamp } from './text.js';

const count = z.int().min(0);

/** The input of a campaign that is not created yet; each field means the same as for a campaign. */
export const BatchPreviewInput = BatchInput.pick({
  agentId: true,
  fromNumber: true,
  sourceFileKey: true,
  sourceFileName: true,
  scheduledAt: true,
  timezone: true,
  callsPerSecond: true,
  maxConcurrency: true,
  callingWindow: true,
  retryPolicy: true,
  duplicates: true,
  columns: true,
});

const Column = z.object({
  header: z.string(),
  use: z.enum(['phone_number', 'override', 'variable', 'none']).meta({
    description: 'override: the column replaces a setting of the agent, such as its language',
  }),
  isName: z.boolean().meta({ description: 'the column contains the name of the callee' }),
  variables: z.array(z.string()).meta({ description: 'variables that the column sets' }),
  isUsed: z.boolean().meta({
    description:
      "true if the agent's texts use one of the variables, or the agent allows the override; tools and webhooks are not considered",
  }),
});

const Placeholder = z.object({
  name: z.string(),
  hasColumn: z.boolean(),
  hasDefault: z.boolean().meta({ description: 'used if no column sets the variable' }),
});

const SampleRow = z.object({
  row: z.int(),
  phoneNumber: z.string().meta({ description: 'E.164' }),
  country: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-2' }),
  timezones: z
    .array(z.string())
    .meta({ description: "the row's time zone, or every zone that the number may belong to" }),
  callableFrom: timestamp
    .nullable()
    .meta({ description: 'when the calling window first allows a call; null if not within two weeks' }),
  name: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
});

export const BatchPreview = z
  .object({
    complete: z.boolean().meta({
      description:
        'false if the file is longer than a preview reads; the preview then covers its first rows only',
    }),
    refusal: z
      .object({ code: z.enum(['FILE_INVALID', 'FILE_TYPE_MISMATCH', 'FILE_TOO_LARGE']), message: z.string() })
      .nullable()
      .meta({ description: 'why a campaign with this file would fail' }),
    columns: z.array(Column),
    placeholders: z.array(Placeholder).meta({ description: "placeholders in the agent's texts" }),
    rows: z.object({
      total: count.meta({ description: 'sum of the other counts' }),
      good: count,
      duplicates: count,
      suppressed: count,
      unusable: z.object({ INVALID_PHONE: count, MISSING_PHONE: count, ROW_TOO_LONG: count }),
    }),
    sample: z.array(SampleRow).meta({ description: 'first 20 rows that would be called' }),
    errors: z.array(CampaignRowError).meta({ description: 'first 100 rows that would not be called' }),
    warnings: z
      .array(CampaignFileWarning)
      .optional()
      .meta({ description: 'what to check before the callable rows are called' }),
    cost: z.object({
      currency: z.string().meta({ description: 'ISO 4217' }),
      attempts: count.meta({ description: 'maximum number of calls to one recipient' }),
      longestSeconds: z.int().meta({ description: 'calls are hung up after this time' }),
      worstCaseMicros: micros.meta({
        description: 'maximum cost of all callable rows: every attempt, for the maximum duration of a call',
      }),
      unknownRates: count.meta({
        description:
          'callable rows whose destination has no rate; they are estimated at the highest rate of the table',
      }),
    }),
    estimate: z.object({ seconds: z.number().min(0) }).meta({
      description:
        'until every callable row has been called once, not counting time outside the calling window',
    }),
  })
  .meta({ id: 'BatchPreview', description: 'What a campaign would do with a file, without placing a call.' });
export type BatchPreview = z.infer<typeof BatchPreview>;
