// The content of a row of a campaign's file about one recipient, besides the number; kept as JSON.
import { z } from 'zod';

export const RecipientRow = z.object({
  variables: z.record(z.string(), z.string()),
  username: z.string().optional(),
  firstMessage: z.string().optional(),
  systemPrompt: z.string().optional(),
  language: z.string().optional(),
  voiceId: z.string().optional(),
  externalId: z.string().optional(),
});
export type RecipientRow = z.infer<typeof RecipientRow>;
