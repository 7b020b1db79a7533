import { z } from 'zod';
import { callId } from '../values/call.js';
import { cursor, limit, uuid } from '../values/text.js';
import {
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookReplay,
  WebhookTest,
  WebhookTestResult,
} from '../values/webhook-delivery.js';
import { operation } from './operation.js';
import { hidden, org } from './parts.js';

const common = {
  section: 'Extensions',
  service: 'calls-logs',
  extension: true,
  mcp: hidden('an extension of the interface, for people'),
} as const;

export const webhookOperations = {
  webhooksDeliveries: operation({
    ...common,
    id: 'webhooks.deliveries',
    method: 'GET',
    path: '/webhooks/deliveries',
    auth: org('callLogs:read'),
    bucket: 'read',
    summary: 'List webhook deliveries, newest first',
    description:
      'Deliveries are kept for 30 days. After that, a call still shows whether its webhooks were delivered (`webhookDelivery`).',
    query: z.strictObject({
      status: WebhookDeliveryStatus.optional(),
      agentId: uuid.optional(),
      callId: callId.optional(),
      limit,
      cursor,
    }),
    success: 200,
    data: z.array(WebhookDelivery),
    paged: true,
    message: 'Webhook deliveries',
    errors: ['INVALID_CURSOR'],
  }),
  webhooksReplay: operation({
    ...common,
    id: 'webhooks.replay',
    method: 'POST',
    path: '/webhooks/deliveries/{deliveryId}/replay',
    auth: org('agentConfiguration:update'),
    bucket: 'write',
    reaches: 'strangers',
    summary: 'Redeliver a webhook',
    description:
      'Sends the same ID and body with a new signature. The first try is immediate; retries follow the usual schedule.',
    params: z.strictObject({ deliveryId: uuid }),
    body: WebhookReplay,
    success: 202,
    data: WebhookDelivery,
    message: 'The message is sent again',
    errors: [
      'WEBHOOK_DELIVERY_NOT_FOUND',
      'WEBHOOK_DELIVERY_PENDING',
      'WEBHOOK_NOT_CONFIGURED',
      'CALL_NOT_FOUND',
    ],
  }),
  webhooksTest: operation({
    ...common,
    id: 'webhooks.test',
    method: 'POST',
    path: '/webhooks/test',
    auth: org('agentConfiguration:update'),
    bucket: 'write',
    reaches: 'strangers',
    summary: 'Send a test webhook',
    description:
      "Sends one signed `webhook.test` message to the webhook of the agent's current configuration or to the given URL, and returns the response.",
    body: WebhookTest,
    // An address may hold a key.
    confidential: true,
    // A receiver may take thirty seconds.
    answerWithinMs: 35_000,
    success: 200,
    data: WebhookTestResult,
    message: 'Test message sent',
    errors: ['AGENT_NOT_FOUND', 'WEBHOOK_NOT_CONFIGURED', 'URL_NOT_ALLOWED'],
  }),
} as const;
