// The outcomes of a campaign's recipients, by the hour.
import { z } from 'zod';
import { timestamp } from './text.js';

const count = z.int().min(0);

export const CampaignOutcomes = z
  .object({
    timezone: z.string().meta({ description: "the organization's, by whose clock the hours begin" }),
    hours: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'the beginning of the hour' }),
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
        description: 'oldest first: people whose last call ended in the hour; hours without any are left out',
      }),
    complete: z
      .boolean()
      .meta({ description: 'false: outcomes of more than 31 days before the last one are left out' }),
  })
  .meta({ id: 'CampaignOutcomes', description: 'Outcomes of a campaign, hour by hour.' });
export type CampaignOutcomes = z.infer<typeof CampaignOutcomes>;
