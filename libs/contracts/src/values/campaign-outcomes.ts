// The outcomes of a campaign's recipients, by the hour.
import { z } from 'zod';
import { timestamp } from './text.js';

const count = z.int().min(0);

export const CampaignOutcomes = z
  .object({
    timezone: z.string().meta({ description: "the organization's time zone, in which the hours start" }),
    hours: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'start of the hour' }),
          completed: count,
          voicemail: count,
          noAnswer: count,
          busy: count,
          failed: count,
          cancelled: count,
          skipped: count,
        }),
      )
      .meta({
        description: 'oldest first; recipients whose last call ended in that hour; empty hours are omitted',
      }),
    complete: z
      .boolean()
      .meta({ description: 'false if outcomes more than 31 days before the last one are omitted' }),
  })
  .meta({ id: 'CampaignOutcomes', description: 'Outcomes of a campaign, hour by hour.' });
export type CampaignOutcomes = z.infer<typeof CampaignOutcomes>;
