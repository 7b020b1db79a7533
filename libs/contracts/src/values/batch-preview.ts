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
    description: 'override: the column says something otherwise than the agent, such as its language',
  }),
  isName: z.boolean().meta({ description: 'the column holds the name of the callee' }),
  variables: z.array(z.string()).meta({ description: 'the variables that the column fills' }),
  isUsed: z.boolean().meta({
    description:
      "the agent's texts have a placeholder for one of the variables, or the agent allows the override; tools and webhooks are not asked",
  }),
});

const Placeholder = z.object({
  name: z.string(),
  hasColumn: z.boolean(),
  hasDefault: z.boolean().meta({ description: 'where there is no column, the agent says the default' }),
});

const SampleRow = z.object({
  row: z.int(),
  phoneNumber: z.string().meta({ description: 'E.164' }),
  country: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-2' }),
  timezones: z
    .array(z.string())
    .meta({ description: 'that of the row, or all in which the owner of the number may be' }),
  callableFrom: timestamp
    .nullable()
    .meta({ description: 'when the calling window lets the first call begin; null: not within two weeks' }),
  name: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
});

export const BatchPreview = z
  .object({
    complete: z.boolean().meta({
      description:
        'false: the file is longer than a preview reads, and everything here is about its first rows',
    }),
    refusal: z
      .object({ code: z.enum(['FILE_INVALID', 'FILE_TYPE_MISMATCH', 'FILE_TOO_LARGE']), message: z.string() })
      .nullable()
      .meta({ description: 'why a campaign of this file would fail' }),
    columns: z.array(Column),
    placeholders: z.array(Placeholder).meta({ description: "the placeholders of the agent's texts" }),
    rows: z.object({
      total: count.meta({ description: 'the sum of the others' }),
      good: count,
      duplicates: count,
      suppressed: count,
      unusable: z.object({ INVALID_PHONE: count, MISSING_PHONE: count, ROW_TOO_LONG: count }),
    }),
    sample: z.array(SampleRow).meta({ description: 'the first 20 rows that would be called' }),
    errors: z.array(CampaignRowError).meta({ description: 'the first 100 rows that would not be called' }),
    warnings: z
      .array(CampaignFileWarning)
      .optional()
      .meta({ description: 'what to look at before the good rows are called' }),
    cost: z.object({
      currency: z.string().meta({ description: 'ISO 4217' }),
      attempts: count.meta({ description: 'calls of one person at the most' }),
      longestSeconds: z.int().meta({ description: 'a call is hung up after this time' }),
      worstCaseMicros: micros.meta({
        description: 'the most that all good rows can cost: every attempt, for as long as a call may last',
      }),
      unknownRates: count.meta({
        description:
          'good rows whose destination has no rate; they are counted with the highest rate of the table',
      }),
    }),
    estimate: z.object({ seconds: z.number().min(0) }).meta({
      description: 'until the first calls of all good rows are over, without pauses of the calling window',
    }),
  })
  .meta({ id: 'BatchPreview', description: 'What a campaign would do with a file, without placing a call.' });
export type BatchPreview = z.infer<typeof BatchPreview>;
