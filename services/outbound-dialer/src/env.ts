// Variables of this service.
import {
  callRetentionEnv,
  cryptoEnv,
  cursorEnv,
  erasureLogEnv,
  eventStoreEnv,
  livekitEnv,
  objectStorageEnv,
  sipEnv,
  uploadsEnv,
} from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';
import { crashPointNames } from './attempt/crash-points.js';
import { microsOf } from './limits/amounts.js';
import { limitsEnv } from './limits/limits-env.js';
import { quotaEnv } from './limits/quotas.js';

const callsPerSecond = (usual: string) =>
  z
    .string()
    .regex(/^(?=.*[1-9])\d{1,4}(\.\d{1,2})?$/, 'a number from 0.01 to 9999')
    .default(usual)
    .transform(Number);

export const Env = z
  .object({
    ...hostEnv,
    ...eventStoreEnv,
    ...livekitEnv,
    ...sipEnv,
    ...cryptoEnv,
    ...cursorEnv,
    ...objectStorageEnv,
    ...erasureLogEnv,
    ...uploadsEnv,
    MAX_CONCURRENT_DIALS: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'a whole number from 1 to 9999')
      .default('20')
      .transform(Number)
      .describe('Dials of one process that may wait for an answer at the same time.'),
    DIALS_FINISH_WITHIN_SECONDS: z
      .string()
      .regex(/^(\d|[1-7]\d|8[0-5])$/, 'a whole number from 0 to 85')
      .default('85')
      .transform(Number)
      .describe(
        'A dialer that was told to stop waits so long for the answers to its dials; then another copy takes the calls over.',
      ),
    MAX_CONCURRENT_CAMPAIGN_CALLS: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'a whole number from 1 to 9999')
      .default('500')
      .transform(Number)
      .describe('Calls of campaigns that one process may have in hand until they are answered.'),
    TWILIO_CALLS_PER_SECOND: callsPerSecond('1').describe(
      'Calls per second that the Twilio account takes; all copies together begin no more.',
    ),
    TELNYX_CALLS_PER_SECOND: callsPerSecond('10').describe(
      'Calls per second that the Telnyx account takes; all copies together begin no more.',
    ),
    MAX_CALL_SECONDS: z
      .string()
      .regex(/^([6-9]\d|[1-9]\d{2,4})$/, 'a whole number from 60 to 99999')
      .default('7200')
      .transform(Number)
      .describe('No outbound call lasts longer, whatever the configuration of its agent allows.'),
    BROWSER_MINUTE_PRICE: z
      .string()
      .default('0.01')
      .refine((amount) => microsOf(amount) !== undefined, 'an amount such as 0.01, with at most six decimals')
      .transform((amount) => microsOf(amount) ?? 0)
      .meta({ otherwise: '0.01' })
      .describe(
        "What a started minute of a conversation in a website's widget costs, in units of the rates' currency.",
      ),
    OUTBOUND_ALLOWED_COUNTRIES: z
      .string()
      .regex(/^\s*([A-Za-z]{2}(\s*,\s*[A-Za-z]{2})*)?\s*$/, 'country codes separated by commas')
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((code) => code.trim().toUpperCase())
          .filter(Boolean),
      )
      .describe(
        "Countries that may be called besides the caller's own, as ISO 3166 codes separated by commas.",
      ),
    ...limitsEnv,
    ...callRetentionEnv,
    CAMPAIGN_MAX_ROWS: z
      .string()
      .regex(/^[1-9]\d{0,6}$/, 'a whole number from 1 to 9999999')
      .default('1000000')
      .transform(Number)
      .describe("Rows that a campaign's file may have, without its header."),
    CAMPAIGN_MAX_FILE_BYTES: z
      .string()
      .regex(/^[1-9]\d{0,9}$/, 'a whole number of bytes')
      .default(String(100 * 1024 * 1024))
      .transform(Number)
      .describe("Bytes that a campaign's file may have; 100 MiB by default."),
    ...quotaEnv,
    CAMPAIGN_MAX_INFLATED_BYTES: z
      .string()
      .regex(/^[1-9]\d{0,10}$/, 'a whole number of bytes')
      .default(String(200 * 1024 * 1024))
      .transform(Number)
      .describe("Bytes that a campaign's spreadsheet may have unpacked; 200 MiB by default."),
    CRASH_AT: z
      .enum(crashPointNames)
      .optional()
      .meta({ testOnly: true })
      .describe('For tests only: the process kills itself when it comes to this point.'),
    STOP_AT: z
      .enum(crashPointNames)
      .optional()
      .meta({ testOnly: true })
      .describe('For tests only: the process stops when it comes to this point, until it gets a SIGCONT.'),
    CRASH_WHEN: z
      .enum(['started', 'signalled'])
      .optional()
      .meta({ testOnly: true })
      .describe('For tests only: whether the above holds from the start on, or once after every SIGUSR2.'),
  })
  .meta({ process: 'outbound-dialer' });
export type Env = z.output<typeof Env>;
