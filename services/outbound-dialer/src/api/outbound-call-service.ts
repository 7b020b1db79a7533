// The verbs of outbound calls: place, cancel, retry, end an attempt, delete, settle, and their history. The operations map requests to
// them, and consumers call the same ones.
import { type Caller, type CallFacts, type contract, type Input, isRetryable } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { EventMeta, Recorded, Revision } from '@parlance/event-sourcing';
import type { Ids } from '@parlance/observability';
import type { Concurrency } from '@parlance/rpc';
import type { AttemptSettlement } from '../attempt/attempt-settlement.js';
import { callerNumberOf, refuseUnowned } from '../attempt/caller-ownership.js';
import { admitQuickCall, concurrencyOf, type QuickCallParts, takePlace } from '../dispatch/quick-call.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { type Known, statusOf } from '../domain/outbound-call/outbound-call-view.js';
import { isDeleted, noteDeletion, withdrawDeletion } from '../erasure/deleted-calls.js';
import { type AgentOfCall, refuseForbiddenOverrides } from '../integration/agent-of-call.js';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import { longestSeconds } from '../rules/worst-case.js';

type QuickCall = Input<typeof contract.outboundCallsQuick>['body'];

/** A request for a change, by somebody of an organization. */
export interface Order {
  readonly caller: Caller;
  readonly requestId: string;
  /** Same for a repeated request. */
  readonly commandId?: string | undefined;
}

export interface Ordered {
  readonly id: string;
  readonly state: Known;
  readonly concurrency: Concurrency | undefined;
}

type AskAgent = (asked: {
  readonly organizationId: string;
  readonly agentId: string;
  readonly requestId: string;
}) => Promise<AgentOfCall>;

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

const personalOf = (body: QuickCall) => ({
  username: body.username ?? null,
  firstMessage: body.firstMessage ?? null,
  systemPrompt: body.systemPrompt ?? null,
  language: null,
  voiceId: null,
  dynamicVariables: body.dynamicVariables ?? {},
  metadata: body.metadata ?? {},
});

export class OutboundCallService {
  constructor(
    private readonly calls: OutboundCalls,
    private readonly admitting: QuickCallParts,
    private readonly askAgent: AskAgent,
    private readonly settlement: Pick<AttemptSettlement, 'settle'>,
    /** Begins to hang up a cancelled call; recovery ends the calls that this fails to end now. */
    private readonly hangUpSoon: (outboundCallId: string) => void,
    /** The recorded events of an outbound call, in order. */
    private readonly historyOf: (outboundCallId: string) => Promise<readonly Recorded<OutboundCallEvent>[]>,
    private readonly ids: Ids,
  ) {}

  /** Places a quick call. @throws AppError as `admitQuickCall` and `takePlace` do */
  async place(order: Order, body: QuickCall): Promise<Ordered> {
    const { caller, requestId, commandId } = order;
    const { organizationId } = caller;
    // Under an Idempotency-Key the command's id is the call's: a second try finds the call of the first one.
    const id = commandId ?? this.ids.next();
    const before = commandId === undefined ? undefined : (await this.calls.load(id)).state;
    if (before !== undefined && before.phase !== 'absent')
      return {
        id,
        state: owned(before, organizationId),
        concurrency: await this.concurrency(organizationId),
      };
    const { numbers, provider, sid } = await admitQuickCall(this.admitting, organizationId, body);
    const { agentId } = body;
    const agent = await this.askAgent({ organizationId, agentId, requestId });
    refuseForbiddenOverrides(body, agent);
    const { agentName, configVersion } = agent;
    const meta = this.#meta(order, commandId ?? id);
    const lasting = this.#longest(agent);
    const placed = {
      organizationId,
      mode: 'quick',
      agentId,
      agentName,
      configVersion,
      provider,
      sid,
      campaignId: null,
      rowNumber: null,
      retryPolicy: null,
      ringingTimeoutSeconds: body.ringingTimeoutSeconds ?? defaultRingingTimeoutSeconds,
      longestSeconds: lasting,
      placedAt: meta.occurredAt,
    } as const;
    const concurrency = await takePlace(this.admitting, {
      organizationId,
      outboundCallId: id,
      attempt: 1,
      revision: -1n,
      campaignId: null,
      phoneNumber: numbers.phoneNumber,
      longestSeconds: lasting,
    });
    const personal = { ...numbers, ...personalOf(body) };
    const { state } = await this.calls(id, { type: 'PlaceCall', placed, personal }, meta);
    this.admitting.crash.at('place.afterAppend');
    return { id, state: owned(state, organizationId), concurrency };
  }

  /** The call as its stream has it. */
  async read(organizationId: string, id: string): Promise<Known> {
    const state = owned((await this.calls.load(id)).state, organizationId);
    // Only a call that has ended can be deleted.
    if (state.phase === 'ended') await this.#refuseDeleted(id);
    return state;
  }

  async history(organizationId: string, id: string): Promise<readonly Recorded<OutboundCallEvent>[]> {
    await this.read(organizationId, id);
    return this.historyOf(id);
  }

  async cancel(order: Order, id: string): Promise<Known> {
    await this.#refuseDeleted(id);
    const state = await this.#cancel(order, id, order.commandId ?? this.ids.next());
    this.admitting.crash.at('cancel.afterAppend');
    this.hangUpSoon(id);
    return owned(state, order.caller.organizationId);
  }

  /** Another attempt of a call that has ended. */
  async retry(order: Order, id: string): Promise<Ordered> {
    const { caller, requestId, commandId } = order;
    const { organizationId } = caller;
    const { state, revision } = await this.calls.load(id);
    const before = owned(state, organizationId);
    await this.#refuseDeleted(id);
    const retryId = commandId ?? this.ids.next();
    // A client that lost the answer repeats the request, perhaps after the attempt's end. The retry stays granted and needs
    // no new place.
    if (before.retryIds.includes(retryId))
      return { id, state: before, concurrency: await this.concurrency(organizationId) };
    const agent = await this.askAgent({ organizationId, agentId: before.placed.agentId, requestId });
    const { agentName, configVersion } = agent;
    const lasting = this.#longest(agent);
    let concurrency: Concurrency | undefined;
    if (isRetryable(statusOf(before)) && before.personal !== null) {
      // A number that was released since the call is not called from again. A forgotten callee is refused by the decider.
      const named = callerNumberOf(before.placed, before.personal.fromNumber);
      await refuseUnowned(this.admitting, organizationId, named);
      concurrency = await takePlace(this.admitting, {
        organizationId,
        outboundCallId: id,
        attempt: before.past.length + 1,
        revision: revisionOf(revision),
        campaignId: before.placed.campaignId,
        phoneNumber: before.personal.phoneNumber,
        longestSeconds: lasting,
      });
    }
    const meta = this.#meta(order, retryId);
    const command = { type: 'RetryCall', organizationId, retryId, agentName, configVersion } as const;
    const retry = { ...command, longestSeconds: lasting, now: meta.occurredAt };
    const { state: after } = await this.calls(id, retry, meta);
    if (await isDeleted(this.admitting.db, id)) {
      // In the same moment.
      await this.#cancel({ caller, requestId: retryId }, id, `cancel:${retryId}`);
      this.hangUpSoon(id);
      throw new AppError('OUTBOUND_CALL_NOT_FOUND');
    }
    return { id, state: owned(after, organizationId), concurrency };
  }

  /** Ends the named attempt while it is dialled. @returns when it was ended; null for any other attempt */
  async endAttempt(order: Order, id: string, callId: string): Promise<string | null> {
    const { organizationId } = order.caller;
    const meta = this.#meta(order, `endAttempt:${callId}`);
    const command = { type: 'EndAttempt', organizationId, callId, now: meta.occurredAt } as const;
    const { state } = await this.calls(id, command, meta);
    const cancelledAt = endedByOperatorAt(owned(state, organizationId), callId);
    if (cancelledAt !== null) this.hangUpSoon(id);
    return cancelledAt;
  }

  async delete({ caller, commandId }: Order, id: string): Promise<void> {
    const { db, clock } = this.admitting;
    const { organizationId, actor } = caller;
    await this.#refuseOpen(organizationId, id);
    const deletion = {
      outboundCallId: id,
      organizationId,
      deletedBy: `${actor.type}:${actor.id}`,
      commandId: commandId ?? this.ids.next(),
    };
    if (!(await noteDeletion(db, deletion, clock.now()))) throw new AppError('OUTBOUND_CALL_NOT_FOUND');
    // A retry that was granted in the meantime has not seen the deletion.
    await this.#refuseOpen(organizationId, id).catch(async (error: unknown) => {
      await withdrawDeletion(db, deletion);
      throw error;
    });
  }

  /** Records the end of an attempt's call, as calls-logs reports it. */
  settle(id: string, facts: CallFacts, causationId: string): Promise<void> {
    return this.settlement.settle(id, facts, causationId);
  }

  concurrency(organizationId: string): Promise<Concurrency> {
    return concurrencyOf(this.admitting, organizationId);
  }

  #longest({ maxDurationSeconds }: AgentOfCall): number {
    return longestSeconds(maxDurationSeconds, this.admitting.spend.maxCallSeconds);
  }

  async #cancel(order: Order, id: string, commandId: string): Promise<OutboundCall> {
    const { organizationId } = order.caller;
    const meta = this.#meta(order, commandId);
    const now = meta.occurredAt;
    const command = { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now } as const;
    return (await this.calls(id, command, meta)).state;
  }

  async #refuseDeleted(id: string): Promise<void> {
    if (await isDeleted(this.admitting.db, id)) throw new AppError('OUTBOUND_CALL_NOT_FOUND');
  }

  async #refuseOpen(organizationId: string, id: string): Promise<void> {
    const state = owned((await this.calls.load(id)).state, organizationId);
    if (state.phase !== 'ended' || state.hangUp !== null)
      throw new AppError('CALL_NOT_DELETABLE', { details: { status: statusOf(state) } });
  }

  #meta({ caller, requestId }: Order, commandId: string): EventMeta {
    const { organizationId, actor } = caller;
    const occurredAt = this.admitting.clock.now().toISOString();
    return { commandId, organizationId, actor: `${actor.type}:${actor.id}`, requestId, occurredAt };
  }
}
