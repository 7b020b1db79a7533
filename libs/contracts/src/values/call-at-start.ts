// The facts of a call that the voice runtime knows when it asks for the configuration.
import { parseJson } from '@parlance/json';
import { z } from 'zod';
import { callId } from './call.js';
import { Channel, Direction, Provider } from './call-status.js';
import { metadata, stringMap, text, uuid } from './text.js';

const parsed = (value: string, context: z.RefinementCtx): unknown => {
  try {
    return parseJson(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
};

/** An object, as JSON in a query string. */
const jsonText = <T extends z.ZodType<unknown, Record<string, unknown>>>(schema: T) =>
  text(2, 4_000)
    .transform(parsed)
    .pipe(z.preprocess((value) => value, schema));

/** The facts of a call that is about to be held. The initiation webhook gets them; each of them may be absent. */
export const CallAtStart = z.strictObject({
  callId: callId.optional(),
  channel: Channel.optional(),
  direction: Direction.optional(),
  callerNumber: text(1, 64).optional(),
  calledNumber: text(1, 64).optional(),
  provider: Provider.optional(),
  providerCallId: text(1, 256).optional(),
  campaignId: uuid.optional(),
  dynamicVariables: jsonText(stringMap)
    .optional()
    .meta({ description: 'JSON object, up to 4,000 characters' }),
  metadata: jsonText(metadata).optional().meta({ description: 'JSON object, up to 4,000 characters' }),
});
export type CallAtStart = z.infer<typeof CallAtStart>;
