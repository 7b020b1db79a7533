// The operations of people on messages to webhooks.
import { Controller } from '@nestjs/common';
import type { contract, WebhookDelivery, WebhookTestResult } from '@parlance/contracts';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { replayDelivery } from './history/replay.js';
import { listDeliveries } from './history/shown-deliveries.js';
import { sendTest } from './trying/send-test.js';

type Contract = typeof contract;

const defaultLimit = 20;

@Controller()
@Serves()
export class WebhooksController {
  constructor(private readonly parts: Parts) {}

  async 'webhooks.deliveries'({
    query,
    caller,
  }: RpcRequest<Contract['webhooksDeliveries']>): Promise<Answer<WebhookDelivery[]>> {
    const { organizationId } = caller;
    const { cursor, limit = defaultLimit, ...filters } = query;
    const scope = { organizationId, route: 'webhooks.deliveries', filters };
    const [createdAt, id] = this.parts.cursors.decode(scope, cursor) ?? [];
    const after = typeof createdAt === 'string' && typeof id === 'string' ? { createdAt, id } : undefined;
    const found = await listDeliveries(this.parts.db, organizationId, filters, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    if (found.length <= limit || last === undefined) return answer(page);
    return answer(page, { nextCursor: this.parts.cursors.encode(scope, [last.createdAt, last.id]) });
  }

  async 'webhooks.replay'({
    params,
    body,
    caller,
    commandId,
  }: RpcRequest<Contract['webhooksReplay']>): Promise<WebhookDelivery> {
    return replayDelivery(this.parts.replays, {
      organizationId: caller.organizationId,
      deliveryId: params.deliveryId,
      commandId: commandId ?? this.parts.ids.next(),
      to: body.to,
    });
  }

  async 'webhooks.test'({
    body,
    caller,
    commandId,
  }: RpcRequest<Contract['webhooksTest']>): Promise<WebhookTestResult> {
    const requestId = commandId ?? this.parts.ids.next();
    return sendTest(this.parts.tests, { ...body, organizationId: caller.organizationId, requestId });
  }
}
