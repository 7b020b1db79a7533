// The operations on outbound calls. Answers of commands and reads by id come from the stream; lists come from the read
// model and follow a moment later.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type Data,
  isRetryable,
  mostTimelineEntries,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { EventMeta, Revision } from '@parlance/event-sourcing';
import type { CursorScope } from '@parlance/postgres';
import { type Answer, answer, type Concurrency, type RpcRequest, Serves } from '@parlance/rpc';
import { callerNumberOf, refuseUnowned } from '../attempt/caller-ownership.js';
import { admitQuickCall, concurrencyOf, takePlace } from '../dispatch/quick-call.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import {
  type Known,
  statusOf,
  toOutboundCall,
  toOutboundCallDetail,
  toStatusView,
} from '../domain/outbound-call/outbound-call-view.js';
import { timelineOf } from '../domain/outbound-call/timeline.js';
import { isDeleted, noteDeletion, withdrawDeletion } from '../erasure/deleted-calls.js';
import { type AgentOfCall, agentOfCall, refuseForbiddenOverrides } from '../integration/agent-of-call.js';
import {
  attemptsBehind,
  countOpen,
  type Listed,
  type ListPosition,
  listOutboundCalls,
} from '../read-models/outbound-call-queries.js';
import { longestSeconds } from '../rules/worst-case.js';
import { Parts } from './parts.js';

type Contract = typeof contract;
type Requests = typeof serviceRequests;

const defaultPageSize = 20;
const defaultRingingTimeoutSeconds = 30;

/** The call, if it belongs to the organization. Any other call is not found, exactly as one that does not exist. */
const owned = (state: OutboundCall, organizationId: string): Known => {
  if (state.phase === 'absent' || state.placed.organizationId !== organizationId)
    throw new AppError('OUTBOUND_CALL_NOT_FOUND');
  return state;
};

/** The revision as a number; -1 before the first event. */
const revisionOf = (revision: Revision): bigint => (revision === 'none' ? -1n : revision);

/** The time at which an operator cut off the dial of this call; null for any other dial. */
const endedByOperatorAt = ({ past }: Known, callId: string): string | null => {
  const attempt = past.find((one) => one.callId === callId);
  const isCutOff = attempt?.status === 'cancelled' && attempt.endedReason === 'operator_ended';
  return isCutOff ? attempt.endedAt : null;
};

const isAbsent = (state: OutboundCall): boolean => state.phase === 'absent';

@Controller()
@Serves()
export class OutboundCallsController {
  constructor(private readonly parts: Parts) {}

  async 'outboundCalls.quick'({
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['outboundCallsQuick']>): Promise<Answer<Data<Contract['outboundCallsQuick']>>> {
    const { calls, ids, crash } = this.parts;
    const { organizationId } = caller;
    // Under an Idempotency-Key the command's id is the call's: a second try finds the call of the first one.
    const id = commandId ?? ids.next();
    const placedBefore = commandId === undefined ? undefined : (await calls.load(id)).state;
    if (placedBefore !== undefined && !isAbsent(placedBefore))
      return answer(toOutboundCall(id, owned(placedBefore, organizationId)), {
        concurrency: await concurrencyOf(this.parts, organizationId),
      });
    const { numbers, provider, sid } = await admitQuickCall(this.parts, organizationId, body);
    const agent = await agentOfCall(this.parts, { organizationId, agentId: body.agentId, requestId });
    refuseForbiddenOverrides(body, agent);
    const meta = this.#meta(caller, requestId, commandId ?? id);
    const lasting = this.#longest(agent);
    const placed = {
      organizationId,
      mode: 'quick',
      agentId: body.agentId,
      agentName: agent.agentName,
      configVersion: agent.configVersion,
      provider,
      sid,
      campaignId: null,
      rowNumber: null,
      ringingTimeoutSeconds: body.ringingTimeoutSeconds ?? defaultRingingTimeoutSeconds,
      retryPolicy: null,
      longestSeconds: lasting,
      placedAt: meta.occurredAt,
    } as const;
    const personal = {
      ...numbers,
      username: body.username ?? null,
      firstMessage: body.firstMessage ?? null,
      systemPrompt: body.systemPrompt ?? null,
      language: null,
      voiceId: null,
      dynamicVariables: body.dynamicVariables ?? {},
      metadata: body.metadata ?? {},
    };
    const concurrency = await takePlace(this.parts, {
      ...{ organizationId, outboundCallId: id, attempt: 1, revision: -1n, campaignId: null },
      ...{ phoneNumber: numbers.phoneNumber, longestSeconds: lasting },
    });
    const { state } = await calls(id, { type: 'PlaceCall', placed, personal }, meta);
    crash.at('place.afterAppend');
    return answer(toOutboundCall(id, owned(state, organizationId)), { concurrency });
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
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return answer(
      shown.map(({ id, state }) => toOutboundCall(id, state)),
      last === undefined ? {} : { nextCursor: cursors.encode(scope, positionOf(last)) },
    );
  }

  async 'outboundCalls.get'({ params, caller }: RpcRequest<Contract['outboundCallsGet']>) {
    return toOutboundCallDetail(params.outboundId, await this.#read(caller, params.outboundId));
  }

  async 'outboundCalls.status'({ params, caller }: RpcRequest<Contract['outboundCallsStatus']>) {
    return toStatusView(params.outboundId, await this.#read(caller, params.outboundId));
  }

  async 'outboundCalls.timeline'({
    params,
    caller,
  }: RpcRequest<Contract['outboundCallsTimeline']>): Promise<Data<Contract['outboundCallsTimeline']>> {
    const id = params.outboundId;
    await this.#read(caller, id);
    const entries = timelineOf(await this.parts.historyOf(id));
    return { entries: entries.slice(0, mostTimelineEntries), isCut: entries.length > mostTimelineEntries };
  }

  async 'outboundCalls.cancel'({
    params,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['outboundCallsCancel']>) {
    const { calls, ids, crash, hangUpSoon } = this.parts;
    const { organizationId } = caller;
    const id = params.outboundId;
    await this.#refuseDeleted(id);
    const meta = this.#meta(caller, requestId, commandId ?? ids.next());
    const { state } = await calls(
      id,
      { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now: meta.occurredAt },
      meta,
    );
    crash.at('cancel.afterAppend');
    hangUpSoon(id);
    return { id, status: statusOf(owned(state, organizationId)), cancelled: true };
  }

  async 'outboundCalls.retry'({
    params,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['outboundCallsRetry']>): Promise<Answer<Data<Contract['outboundCallsRetry']>>> {
    const { calls, ids } = this.parts;
    const { organizationId } = caller;
    const id = params.outboundId;
    const { state, revision } = await calls.load(id);
    const before = owned(state, organizationId);
    await this.#refuseDeleted(id);
    const retryId = commandId ?? ids.next();
    // A client that lost the answer asks again, perhaps after the attempt's end. The retry stays granted and needs no
    // new place.
    if (before.retryIds.includes(retryId))
      return answer(toOutboundCall(id, before), {
        concurrency: await concurrencyOf(this.parts, organizationId),
      });
    const { agentId } = before.placed;
    const agent = await agentOfCall(this.parts, { organizationId, agentId, requestId });
    const { agentName, configVersion } = agent;
    const lasting = this.#longest(agent);
    let concurrency: Concurrency | undefined;
    if (isRetryable(statusOf(before)) && before.personal !== null) {
      await this.#refuseUnownedCaller(before);
      concurrency = await takePlace(this.parts, {
        ...{ organizationId, outboundCallId: id, attempt: before.past.length + 1 },
        ...{ revision: revisionOf(revision), campaignId: before.placed.campaignId },
        ...{ phoneNumber: before.personal.phoneNumber, longestSeconds: lasting },
      });
    }
    const meta = this.#meta(caller, requestId, retryId);
    const command = { type: 'RetryCall', organizationId, retryId, agentName, configVersion } as const;
    const retry = { ...command, longestSeconds: lasting, now: meta.occurredAt };
    const { state: after } = await calls(id, retry, meta);
    if (await isDeleted(this.parts.db, id)) {
      // In the same moment.
      await this.#cancelRetry(caller, id, retryId);
      throw new AppError('OUTBOUND_CALL_NOT_FOUND');
    }
    return answer(toOutboundCall(id, owned(after, organizationId)), concurrency ? { concurrency } : {});
  }

  async 'outboundCalls.delete'({
    params,
    caller,
    commandId,
  }: RpcRequest<Contract['outboundCallsDelete']>): Promise<undefined> {
    const { db, clock, ids } = this.parts;
    const { organizationId, actor } = caller;
    const id = params.outboundId;
    await this.#refuseOpen(caller, id);
    const deletion = {
      outboundCallId: id,
      organizationId,
      deletedBy: `${actor.type}:${actor.id}`,
      commandId: commandId ?? ids.next(),
    };
    if (!(await noteDeletion(db, deletion, clock.now()))) throw new AppError('OUTBOUND_CALL_NOT_FOUND');
    // A retry that was granted in the meantime has not seen the deletion.
    await this.#refuseOpen(caller, id).catch(async (error: unknown) => {
      await withdrawDeletion(db, deletion);
      throw error;
    });
  }

  async 'outboundCalls.attemptFacts'({
    body,
    caller,
  }: RpcRequest<Requests['outboundCallsAttemptFacts']>): Promise<
    Data<Requests['outboundCallsAttemptFacts']>
  > {
    const attempts = await attemptsBehind(this.parts.db, caller.organizationId, body.callIds);
    return attempts.map(({ callId, status, endedReason, answeredAt, endedAt }) => ({
      callId,
      status,
      endedReason,
      answeredAt,
      endedAt,
    }));
  }

  async 'outboundCalls.endAttempt'({
    body,
    caller,
    requestId,
  }: RpcRequest<Requests['outboundCallsEndAttempt']>): Promise<Data<Requests['outboundCallsEndAttempt']>> {
    const { calls, hangUpSoon } = this.parts;
    const { outboundCallId: id, callId } = body;
    const meta = this.#meta(caller, requestId, `endAttempt:${callId}`);
    const { organizationId } = caller;
    const command = { type: 'EndAttempt', organizationId, callId, now: meta.occurredAt } as const;
    const { state } = await calls(id, command, meta);
    const cancelledAt = endedByOperatorAt(owned(state, organizationId), callId);
    if (cancelledAt !== null) hangUpSoon(id);
    return { cancelledAt };
  }

  async 'outboundCalls.openCountOfAgent'({
    body,
    caller,
  }: RpcRequest<Requests['outboundCallsOpenCountOfAgent']>) {
    return { open: await countOpen(this.parts.db, caller.organizationId, body.agentId) };
  }

  #longest({ maxDurationSeconds }: AgentOfCall): number {
    return longestSeconds(maxDurationSeconds, this.parts.spend.maxCallSeconds);
  }

  async #read({ organizationId }: Caller, id: string): Promise<Known> {
    const state = owned((await this.parts.calls.load(id)).state, organizationId);
    // Only a call that has ended can be deleted.
    if (state.phase === 'ended') await this.#refuseDeleted(id);
    return state;
  }

  async #refuseDeleted(id: string): Promise<void> {
    if (await isDeleted(this.parts.db, id)) throw new AppError('OUTBOUND_CALL_NOT_FOUND');
  }

  async #refuseOpen({ organizationId }: Caller, id: string): Promise<void> {
    const state = owned((await this.parts.calls.load(id)).state, organizationId);
    if (state.phase !== 'ended' || state.hangUp !== null)
      throw new AppError('CALL_NOT_DELETABLE', { details: { status: statusOf(state) } });
  }

  async #cancelRetry(caller: Caller, id: string, retryId: string): Promise<void> {
    const { calls, hangUpSoon } = this.parts;
    const { organizationId } = caller;
    const meta = this.#meta(caller, retryId, `cancel:${retryId}`);
    const now = meta.occurredAt;
    await calls(id, { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now }, meta);
    hangUpSoon(id);
  }

  /** A number that was given back since the call is not called from again. A forgotten callee is refused by the decider. */
  async #refuseUnownedCaller({ placed, personal }: Known): Promise<void> {
    if (personal === null) return;
    await refuseUnowned(this.parts, placed.organizationId, callerNumberOf(placed, personal.fromNumber));
  }

  #meta({ organizationId, actor }: Caller, requestId: string, commandId: string): EventMeta {
    const occurredAt = this.parts.clock.now().toISOString();
    return { commandId, organizationId, actor: `${actor.type}:${actor.id}`, requestId, occurredAt };
  }
}

const positionOf = ({ id, state }: Listed): readonly string[] => [state.placed.placedAt, id];

/** Cursors are signed, so a returned cursor holds a position that `positionOf` made. */
const toPosition = (position: readonly (string | number)[] | undefined): ListPosition | undefined =>
  position === undefined ? undefined : { createdAt: String(position[0]), id: String(position[1]) };
