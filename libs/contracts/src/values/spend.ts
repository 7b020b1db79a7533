// The spending of an organization, and the limits on it.
import { z } from 'zod';
import { uuid } from './text.js';

const micros = z.int().min(0).meta({ description: 'millionths of one unit of the currency' });

const Total = z.object({
  spentMicros: micros,
  reservedMicros: micros.meta({ description: 'maximum cost of calls and purchases in progress' }),
});

export const Spend = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217' }),
    limits: z
      .object({
        dayMicros: micros.nullable(),
        monthMicros: micros.nullable(),
        numbers: z.int().min(0).nullable(),
        concurrentCalls: z.int().min(0).nullable(),
        countries: z.array(z.string()).nullable(),
        callingWindow: z
          .object({ start: z.string(), end: z.string() })
          .nullable()
          .optional()
          .meta({ description: 'hours in which people may be called, at the place where they are' }),
        dailyAttempts: z.int().min(1).nullable().optional().meta({
          description:
            'attempts to reach one number on one day, by the clock of the place that the number belongs to',
        }),
        day: Total.optional().meta({ description: 'counts against dayMicros: this UTC day' }),
        month: Total.optional().meta({
          description: 'counts against monthMicros: this calendar month (UTC)',
        }),
      })
      .meta({ description: 'set by the operator; null for no limit' }),
    day: Total.meta({ description: 'today' }),
    month: Total.meta({ description: 'this calendar month' }),
    byDay: z
      .array(z.object({ date: z.iso.date(), callsMicros: micros, numbersMicros: micros }))
      .meta({ description: 'spending per day of the range, oldest first' }),
    byCampaign: z
      .array(Total.extend({ campaignId: uuid, name: z.string(), budgetMicros: micros.nullable() }))
      .meta({
        description:
          'campaigns with spending or reservations in the range, with their total cost; latest first, at most 500',
      }),
  })
  .meta({ id: 'Spend', description: "Days and months are in the organization's time zone." });
export type Spend = z.infer<typeof Spend>;

export const WorstCase = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217' }),
    rateMicros: micros.meta({ description: 'price per started minute' }),
    longestSeconds: z.int().meta({ description: 'calls are hung up after this time' }),
    worstCaseMicros: micros.meta({ description: 'maximum telephony cost of one call' }),
  })
  .meta({ id: 'WorstCase', description: 'What one call can cost at most.' });
