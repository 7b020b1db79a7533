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
  .object({ code: WebhookProblemCode, text: z.string().meta({ description: 'one sentence for people' }) })
  .meta({ id: 'WebhookProblem', description: 'Why a delivery failed.' });
export type WebhookProblem = z.infer<typeof problem>;

const origin = z.string().meta({
  description: "scheme, host and port of the receiver's address; the rest of the address may hold a key",
});
const statusCode = z.int().nullable().meta({ description: 'of the answer; null when there was none' });

export const WebhookDeliveryStatus = z.enum(['pending', 'retrying', 'delivered', 'failed']).meta({
  description:
    '`pending` until the first try, `retrying` after a try that failed, `failed` once it is given up',
});
export type WebhookDeliveryStatus = z.infer<typeof WebhookDeliveryStatus>;

export const WebhookDelivery = z
  .object({
    id: uuid.meta({ description: 'the header `webhook-id` of every try' }),
    callId: z.string(),
    agentId: uuid.nullable(),
    type: PostCallEvent,
    sequence: z.int().meta({ description: 'orders the messages of one call' }),
    origin,
    status: WebhookDeliveryStatus,
    occurredAt: timestamp.meta({ description: 'when the event of the call happened' }),
    createdAt: timestamp.meta({ description: 'when the message was first due' }),
    tries: z.int(),
    attempts: z
      .array(
        z.object({
          at: timestamp,
          statusCode,
          durationMs: z.int(),
          problem: problem.nullable().meta({ description: 'null for a try that arrived' }),
        }),
      )
      .meta({ description: 'the last tries, at most 40, oldest first' }),
    lastProblem: problem.nullable(),
    nextAttemptAt: timestamp.nullable(),
    receiverClosedAt: timestamp.nullable().meta({
      description:
        'since when nothing is sent to this address: it answered 410, or failed for five days. A replay opens it',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'A message to a webhook, with its attempts.' });
export type WebhookDelivery = z.input<typeof WebhookDelivery>;

export const WebhookReplay = z
  .strictObject({
    to: z.enum(['recorded', 'current']).default('recorded').meta({
      description:
        '`recorded`: the webhook that the call ran with. `current`: the one that the agent has now, with any events',
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
          "another address than the saved one. It gets the signature, and none of the webhook's headers and body",
      }),
  })
  .meta({ id: 'WebhookTest', description: 'The webhook to send a test message to.' });

export const WebhookTestResult = z
  .object({
    messageId: uuid.meta({ description: 'the header `webhook-id`' }),
    origin,
    delivered: z.boolean().meta({ description: 'true for a status from 200 to 299, and for no other' }),
    statusCode,
    durationMs: z.int(),
    problem: problem.nullable(),
    answer: z.string().nullable().meta({
      description:
        'the first 1,024 characters of the answer, with "•••" for secrets; null when there was none',
    }),
  })
  .meta({ id: 'WebhookTestResult', description: 'Result of a test message.' });
export type WebhookTestResult = z.input<typeof WebhookTestResult>;
