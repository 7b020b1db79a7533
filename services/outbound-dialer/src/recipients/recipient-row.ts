// The content of a row of a campaign's file about one recipient, besides the number; kept as JSON.
import { z } from 'zod';
import type { FileReport } from '../domain/campaign/campaign-events.js';

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

/** One row of the file that cannot be called. */
export interface RefusedRow {
  readonly rowNumber: number;
  /** The cell as it stands in the file; null where it is empty. */
  readonly phoneNumber: string | null;
  readonly code: FileReport['errors'][number]['code'];
  /** A sentence for the person whose file it is. */
  readonly message: string;
}
