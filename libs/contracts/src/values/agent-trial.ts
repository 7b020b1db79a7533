// A conversation in text by which a person or key of the organization tries an agent.
import { z } from 'zod';
import { isVisible, stringMap, text, timestamp, uuid } from './text.js';

export const PreviewConversationInput = z.strictObject({ dynamicVariables: stringMap.optional() });

export const PreviewConversation = z
  .object({
    sessionId: uuid,
    agentId: uuid,
    callId: z
      .string()
      .meta({ description: 'ID of the conversation in the call log, under the channel `preview`' }),
    configVersion: z.int(),
    firstMessage: z
      .string()
      .nullable()
      .meta({ description: "the agent's greeting; null if the agent lets the other side speak first" }),
    maxDurationSeconds: z.int(),
    expiresAt: timestamp.meta({ description: 'when the conversation ends at the latest' }),
  })
  .meta({ id: 'PreviewConversation', description: 'A conversation by text with an agent, to try it.' });
export type PreviewConversation = z.infer<typeof PreviewConversation>;

export const PreviewMessageInput = z.strictObject({
  text: text(1, 2_000).refine(isVisible, { message: 'must have a character that can be seen' }),
});

export const PreviewConversationEnd = z.object({
  sessionId: uuid,
  ended: z.literal(true),
  durationSeconds: z.number(),
});
export type PreviewConversationEnd = z.infer<typeof PreviewConversationEnd>;
