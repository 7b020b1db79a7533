// The messages that the platform sends to webhooks of organizations.
import { z } from 'zod';
import { CallLog, Transcript } from './call.js';
import { Channel, Direction, Provider } from './call-status.js';
import { json, timestamp } from './text.js';

const envelope = {
  id: z.string().meta({ description: 'identical for every attempt; also in the `webhook-id` header' }),
  timestamp: timestamp.meta({ description: 'when it happened' }),
  apiVersion: z.string(),
};
// The sender of a webhook knows this value as a filled template.
const filled: z.ZodType<z.core.util.JSONType> = json;
const custom = filled
  .optional()
  .meta({ description: '`body` of the configured webhook, with its placeholders replaced' });

/** The call as it was after the event; its field `initiation` is in the call log alone. */
const call = CallLog.omit({ initiation: true }).meta({
  id: 'WebhookCall',
  description: 'A call, as messages to webhooks carry it.',
});

const aboutCall = {
  ...envelope,
  organizationId: z.string(),
  sequence: z.int().meta({ description: 'order of the messages of one call' }),
};

export const CallMessage = z
  .object({
    ...aboutCall,
    type: z.enum(['call.started', 'call.ended', 'call.failed']),
    data: z.object({ call, custom }),
  })
  .meta({ id: 'CallMessage', description: 'A call has started, ended or failed.' });
export type CallMessage = z.input<typeof CallMessage>;

/** A call was handed over, with its transcript and analysis. */
export const CallAnalyzedMessage = z
  .object({
    ...aboutCall,
    type: z.literal('call.analyzed'),
    data: z.object({ call, transcript: z.array(Transcript), custom }),
  })
  .meta({ id: 'CallAnalyzedMessage', description: 'A call has been analyzed.' });
export type CallAnalyzedMessage = z.input<typeof CallAnalyzedMessage>;

/** A call is about to be held; the answer may change its configuration. */
export const InitiationMessage = z
  .object({
    ...envelope,
    type: z.literal('call.initiation'),
    data: z.object({
      callId: z.string().nullable(),
      agentId: z.string(),
      direction: Direction.nullable(),
      channel: Channel.nullable(),
      callerNumber: z.string().nullable(),
      calledNumber: z.string().nullable(),
      provider: Provider.nullable(),
      providerCallId: z.string().nullable(),
      campaignId: z.string().nullable(),
      dynamicVariables: z.record(z.string(), z.string()),
      metadata: z.record(z.string(), json),
      custom,
    }),
  })
  .meta({
    id: 'InitiationMessage',
    description: 'A call is about to start; the answer may change its configuration.',
  });
export type InitiationMessage = z.input<typeof InitiationMessage>;

export const WebhookTestMessage = z
  .object({
    ...envelope,
    organizationId: z.string(),
    type: z.literal('webhook.test'),
    data: z.object({ agentId: z.string(), custom }),
  })
  .meta({ id: 'WebhookTestMessage', description: 'A test message of a person who sets up a webhook.' });
export type WebhookTestMessage = z.input<typeof WebhookTestMessage>;

/** Any message to a webhook. */
export const WebhookMessage = z
  .union([CallMessage, CallAnalyzedMessage, InitiationMessage, WebhookTestMessage])
  .meta({
    id: 'WebhookMessage',
    description: 'Webhook message, signed according to Standard Webhooks',
  });

/** The messages by the names of their types, each with one line about it. */
export const webhookMessages = {
  'call.started': { schema: CallMessage, summary: 'A call began' },
  'call.ended': { schema: CallMessage, summary: 'A call ended' },
  'call.failed': { schema: CallMessage, summary: 'A call failed' },
  'call.analyzed': { schema: CallAnalyzedMessage, summary: 'A call was handed over, with its transcript' },
  'call.initiation': { schema: InitiationMessage, summary: 'A call is about to be held' },
  'webhook.test': { schema: WebhookTestMessage, summary: 'A person tries whether messages arrive' },
} as const;
