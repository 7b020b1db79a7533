// The operations on outbound calls. Answers of commands and reads by id come from the stream; lists come from the read
// model and follow a moment later.
import { Controller } from '@nestjs/common';
import {
  type contract,
  type Data,
  mostTimelineEntries,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import type { CursorScope } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import {
  statusOf,
  toOutboundCall,
  toOutboundCallDetail,
  toStatusView,
} from '../domain/outbound-call/outbound-call-view.js';
import { timelineOf } from '../domain/outbound-call/timeline.js';
import { attemptFacts } from '../integration/attempt-report.js';
import {
  countOpen,
  type Listed,
  type ListPosition,
  listOutboundCalls,
} from '../read-models/outbound-call-queries.js';
import { type Ordered, OutboundCallService } from './outbound-call-service.js';
import { Parts } from './parts.js';

type Contract = typeof contract;
type Requests = typeof serviceRequests;

const defaultPageSize = 20;
@Controller()
@Serves()
export class OutboundCallsController {
  constructor(
    private readonly calls: OutboundCallService,
    private readonly parts: Parts,
  ) {}

  async 'outboundCalls.quick'({
    body,
    ...order
  }: RpcRequest<Contract['outboundCallsQuick']>): Promise<Answer<Data<Contract['outboundCallsQuick']>>> {
    return shown(await this.calls.place(order, body));
  }

  async 'outboundCalls.list'({
    query,
    caller,
  }: RpcRequest<Contract['outboundCallsList']>): Promise<Answer<Result<Contract['outboundCallsList']>>> {
    const { cursors } = this.parts;
    const { organizationId } = caller;
    const { limit = defaultPageSize, cursor, ...filters } = query;
    const scope: CursorScope = { organizationId, route: 'outboundCalls.list', filters };
    const after = toPosition(cursors.decode(scope, cursor));
    // One row more than the page tells whether there is a next page.
    const found = await listOutboundCalls(this.parts, organizationId, filters, { limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return answer(
      page.map(({ id, state }) => toOutboundCall(id, state)),
      last === undefined ? {} : { nextCursor: cursors.encode(scope, positionOf(last)) },
    );
  }

  async 'outboundCalls.get'({ params, caller }: RpcRequest<Contract['outboundCallsGet']>) {
    const { outboundId: id } = params;
    return toOutboundCallDetail(id, await this.calls.read(caller.organizationId, id));
  }

  async 'outboundCalls.status'({ params, caller }: RpcRequest<Contract['outboundCallsStatus']>) {
    const { outboundId: id } = params;
    return toStatusView(id, await this.calls.read(caller.organizationId, id));
  }

  async 'outboundCalls.timeline'({
    params,
    caller,
  }: RpcRequest<Contract['outboundCallsTimeline']>): Promise<Data<Contract['outboundCallsTimeline']>> {
    const entries = timelineOf(await this.calls.history(caller.organizationId, params.outboundId));
    return { entries: entries.slice(0, mostTimelineEntries), isCut: entries.length > mostTimelineEntries };
  }

  async 'outboundCalls.cancel'({ params, ...order }: RpcRequest<Contract['outboundCallsCancel']>) {
    const { outboundId: id } = params;
    return { id, status: statusOf(await this.calls.cancel(order, id)), cancelled: true };
  }

  async 'outboundCalls.retry'({
    params,
    ...order
  }: RpcRequest<Contract['outboundCallsRetry']>): Promise<Answer<Data<Contract['outboundCallsRetry']>>> {
    return shown(await this.calls.retry(order, params.outboundId));
  }

  async 'outboundCalls.delete'({
    params,
    ...order
  }: RpcRequest<Contract['outboundCallsDelete']>): Promise<undefined> {
    await this.calls.delete(order, params.outboundId);
  }

  async 'outboundCalls.attemptFacts'({
    body,
    caller,
  }: RpcRequest<Requests['outboundCallsAttemptFacts']>): Promise<
    Data<Requests['outboundCallsAttemptFacts']>
  > {
    return attemptFacts(this.parts.db, caller.organizationId, body.callIds);
  }

  async 'outboundCalls.endAttempt'({
    body,
    ...order
  }: RpcRequest<Requests['outboundCallsEndAttempt']>): Promise<Data<Requests['outboundCallsEndAttempt']>> {
    return { cancelledAt: await this.calls.endAttempt(order, body.outboundCallId, body.callId) };
  }

  async 'outboundCalls.openCountOfAgent'({
    body,
    caller,
  }: RpcRequest<Requests['outboundCallsOpenCountOfAgent']>) {
    return { open: await countOpen(this.parts.db, caller.organizationId, body.agentId) };
  }
}

const shown = ({ id, state, concurrency }: Ordered) =>
  answer(toOutboundCall(id, state), concurrency === undefined ? {} : { concurrency });

const positionOf = ({ id, state }: Listed): readonly string[] => [state.placed.placedAt, id];

/** Cursors are signed, so a returned cursor holds a position that `positionOf` made. */
const toPosition = (position: readonly (string | number)[] | undefined): ListPosition | undefined =>
  position === undefined ? undefined : { createdAt: String(position[0]), id: String(position[1]) };
