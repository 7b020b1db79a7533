// Deliveries to webhooks as people see them: the message, the result of each try, and the result of a test message.
import { z } from 'zod';
import { PostCallEvent } from './agent-configuration.js';
import { answersWith, text, timestamp, uuid } from './text.js';

/** The reason of a message that did not arrive. Receivers answered for `status` and `redirect`, and for no other reason. */
export const WebhookProblemCode = z.enum([
  'status',
  'redirect',
  'timeout',
  'unreachable',
  'unresolved',
  'tls',
  'bad_response',
  'url_not_allowed',
  'secret_not_found',
  'call_deleted',
  'endpoint_disabled',
  'cannot_open',
  'internal',
]);
export type WebhookProblemCode = z.infer<typeof WebhookProblemCode>;

const problem = z
  .object({ code: WebhookProblemCode, text: z.string().meta({ description: 'human-readable sentence' }) })
  .meta({ id: 'WebhookProblem', description: 'Why a delivery failed.' });
export type WebhookProblem = z.infer<typeof problem>;

const origin = z.string().meta({
  description: 'scheme, host and port of the receiver; the rest of the URL may contain a key',
});
const statusCode = z.int().nullable().meta({ description: 'status of the response; null if there was none' });

export const WebhookDeliveryStatus = z.enum(['pending', 'retrying', 'delivered', 'failed']).meta({
  description:
    '`pending` until the first attempt, `retrying` after a failed attempt, `failed` after the last one',
});
export type WebhookDeliveryStatus = z.infer<typeof WebhookDeliveryStatus>;

export const WebhookDelivery = z
  .object({
    id: uuid.meta({ description: 'value of the `webhook-id` header in every attempt' }),
    callId: z.string(),
    agentId: uuid.nullable(),
    type: PostCallEvent,
    sequence: z.int().meta({ description: 'order of the messages of one call' }),
    origin,
    status: WebhookDeliveryStatus,
    occurredAt: timestamp.meta({ description: 'when the event happened' }),
    createdAt: timestamp.meta({ description: 'when the first attempt was due' }),
    tries: z.int(),
    attempts: z
      .array(
        z.object({
          at: timestamp,
          statusCode,
          durationMs: z.int(),
          problem: problem.nullable().meta({ description: 'null for a successful attempt' }),
        }),
      )
      .meta({ description: 'the last 40 attempts, oldest first' }),
    lastProblem: problem.nullable(),
    nextAttemptAt: timestamp.nullable(),
    receiverClosedAt: timestamp.nullable().meta({
      description:
        'when deliveries to this URL were stopped, because it returned 410 or failed for five days; a redelivery resumes them',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'A message to a webhook, with its attempts.' });
export type WebhookDelivery = z.input<typeof WebhookDelivery>;

export const WebhookReplay = z
  .strictObject({
    to: z.enum(['recorded', 'current']).default('recorded').meta({
      description:
        "`recorded`: the webhook configured when the call took place. `current`: the agent's current webhook, regardless of its event filter",
    }),
  })
  .meta({ id: 'WebhookReplay', description: 'Which webhook gets the message again.' });

const isAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.parse(value) !== null;

export const WebhookTest = z
  .strictObject({
    agentId: uuid,
    url: text(1, 2_048)
      .refine(isAddress, answersWith('URL_NOT_ALLOWED', 'must be an http or https address'))
      .optional()
      .meta({
        description:
          "URL to test instead of the saved one. The request is signed, but has none of the webhook's headers or body",
      }),
  })
  .meta({ id: 'WebhookTest', description: 'The webhook to send a test message to.' });

export const WebhookTestResult = z
  .object({
    messageId: uuid.meta({ description: 'value of the `webhook-id` header' }),
    origin,
    delivered: z.boolean().meta({ description: 'true for a status from 200 to 299' }),
    statusCode,
    durationMs: z.int(),
    problem: problem.nullable(),
    answer: z.string().nullable().meta({
      description:
        'first 1,024 characters of the response, with secrets shown as "•••"; null if there was none',
    }),
  })
  .meta({ id: 'WebhookTestResult', description: 'Result of a test message.' });
export type WebhookTestResult = z.input<typeof WebhookTestResult>;
