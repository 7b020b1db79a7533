// The call log, transcripts, live calls, and ending one.
import { Controller } from '@nestjs/common';
import type {
  Caller,
  CallLog,
  CallTimeline,
  contract,
  LiveCall,
  Result,
  serviceRequests,
  Transcript,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { EventMeta } from '@parlance/event-sourcing';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { toCallLog, toolRunsOf, toTranscript } from '../call/call-log.js';
import { type Call, endingOf } from '../call/call-state.js';
import { Parts } from '../parts.js';
import { callOfRoomName, factsOf, liveCountOfAgent } from '../read-models/call-index.js';
import { webhooksAbout, withWebhooks } from '../webhooks/about-calls.js';
import { CallPages } from './call-pages.js';
import { dialCancelledAt, inRoom } from './ends-elsewhere.js';

type Contract = typeof contract;
type Facts = (typeof serviceRequests)['callsFacts'];
type Numbers = (typeof serviceRequests)['callsNumbers'];
type BelongsToOther = (typeof serviceRequests)['callsBelongsToOther'];
type Standing = (typeof serviceRequests)['callsStanding'];
type InRoom = (typeof serviceRequests)['callsInRoom'];
type OutboundCall = (typeof serviceRequests)['callsOutboundCall'];
type LiveCount = (typeof serviceRequests)['callsLiveCountOfAgent'];
type EndResult = Result<Contract['callsEndLive']>;

const defaultLimit = 20;

const actorOf = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;

@Controller()
@Serves()
export class CallsController {
  readonly #pages: CallPages;

  constructor(private readonly parts: Parts) {
    this.#pages = new CallPages(parts);
  }

  async 'calls.list'({ query, caller }: RpcRequest<Contract['callsList']>): Promise<Answer<CallLog[]>> {
    const { cursor, limit = defaultLimit, ...filters } = query;
    const scope = { organizationId: caller.organizationId, route: 'calls.list', filters };
    const [startedAt, callId] = this.parts.cursors.decode(scope, cursor) ?? [];
    const after =
      typeof startedAt === 'string' && typeof callId === 'string' ? { startedAt, callId } : undefined;
    const found = await this.#pages.find(caller.organizationId, filters, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const logs = await this.#pages.logsOf(caller.organizationId, page);
    if (found.length <= limit || last === undefined) return answer(logs);
    return answer(logs, { nextCursor: this.parts.cursors.encode(scope, [last.startedAt, last.callId]) });
  }

  async 'calls.get'({ params, caller }: RpcRequest<Contract['callsGet']>): Promise<CallLog> {
    const { callId } = params;
    const call = await this.#own(caller, callId);
    const known = { ...toCallLog(callId, call), ...toolRunsOf(call) };
    const [log, about] = await Promise.all([
      this.parts.recordings.withLink(known, call),
      webhooksAbout(this.parts.db, caller.organizationId, [callId]),
    ]);
    return withWebhooks(log, about.get(callId));
  }

  async 'calls.delete'({
    params,
    caller,
    commandId,
  }: RpcRequest<Contract['callsDelete']>): Promise<undefined> {
    const { organizationId } = caller;
    const by = actorOf(caller);
    const now = this.#now();
    await this.parts.calls.handle(
      params.callId,
      { type: 'DeleteCall', now, organizationId, by },
      this.#wish(caller, 'delete', now, commandId),
    );
  }

  async 'calls.transcripts'({
    params,
    query,
    caller,
  }: RpcRequest<Contract['callsTranscripts']>): Promise<Answer<Transcript[]>> {
    const { callId } = params;
    const { cursor, limit = defaultLimit } = query;
    const scope = { organizationId: caller.organizationId, route: 'calls.transcripts', filters: { callId } };
    const [seq] = this.parts.cursors.decode(scope, cursor) ?? [];
    const after = typeof seq === 'number' ? seq : -1;
    const turns = await this.parts.transcripts.page(caller.organizationId, callId, {
      after,
      limit: limit + 1,
    });
    if (turns === undefined) throw new AppError('CALL_NOT_FOUND');
    const page = turns.slice(0, limit);
    const last = page.at(-1);
    const transcript = page.map((turn) => toTranscript(callId, turn));
    if (turns.length <= limit || last === undefined) return answer(transcript);
    return answer(transcript, { nextCursor: this.parts.cursors.encode(scope, [last.seq]) });
  }

  async 'calls.timeline'({
    params,
    composed,
    caller,
  }: RpcRequest<Contract['callsTimeline']>): Promise<CallTimeline> {
    return this.parts.timelines.ofCall(caller, params.callId, composed);
  }

  async 'calls.live'({ caller }: RpcRequest<Contract['callsLive']>): Promise<LiveCall[]> {
    const now = this.parts.clock.now().getTime();
    const { organizationId } = caller;
    const live = await this.parts.documents.live(organizationId);
    const lastMessages = await this.parts.liveTurns.lastMessages(
      live.map(({ callId, agentId }) => ({ callId, agentId, organizationId })),
    );
    return live.map((call) => {
      const talkingMs = call.answeredAt === null ? 0 : now - Date.parse(call.answeredAt);
      const durationSeconds = Math.max(0, Math.round(talkingMs / 100) / 10);
      return { ...call, durationSeconds, lastMessage: lastMessages.get(call.callId) ?? null };
    });
  }

  async 'calls.endLive'({
    body,
    composed,
    caller,
    commandId,
  }: RpcRequest<Contract['callsEndLive']>): Promise<EndResult> {
    const { organizationId } = caller;
    const { roomName } = body;
    // A room name is looked up, never taken apart: its text proves nothing about the room's organization.
    const callId = await this.#callOfRoom(organizationId, roomName);
    const call = callId && (await this.parts.calls.findOwn(organizationId, callId));
    if (!callId || !call) throw new AppError('LIVE_CALL_NOT_FOUND');
    // The dialer may have reported the same end meanwhile.
    const wasLive = call.phase === 'live' || composed?.ended?.callId === callId;
    if (!wasLive) return ended(roomName, callId, call, { already: true });
    const cancelledAt = await dialCancelledAt(this.parts, composed, callId, call);
    const now = this.#now();
    await this.parts.calls.handle(
      callId,
      { type: 'RequestEnd', now, organizationId, by: actorOf(caller), dialCancelledAt: cancelledAt },
      this.#wish(caller, 'end', now, commandId),
    );
    if (!call.description.inText) await this.parts.rooms.deleteRoom(roomName);
    const { state } = await this.parts.calls.handle(
      callId,
      { type: 'RecordRoomLost', now: this.#now() },
      this.#wish(caller, 'room', now, commandId),
    );
    return ended(roomName, callId, state.phase === 'absent' ? call : state, { already: false });
  }

  /** The live calls have another store than the index, and may show a call first. */
  async #callOfRoom(organizationId: string, roomName: string): Promise<string | undefined> {
    const indexed = await callOfRoomName(this.parts.db, organizationId, roomName);
    if (indexed !== undefined) return indexed;
    const live = await this.parts.documents.live(organizationId);
    return live.find((call) => call.roomName === roomName)?.callId;
  }

  async 'calls.inRoom'({
    body: { roomName },
    caller: { organizationId },
  }: RpcRequest<InRoom>): Promise<Result<InRoom>> {
    const callId = await this.#callOfRoom(organizationId, roomName);
    const call = callId && (await this.parts.calls.findOwn(organizationId, callId));
    return { call: callId && call && call.phase === 'live' ? inRoom(callId, call) : null };
  }

  async 'calls.outboundCall'({ body, caller }: RpcRequest<OutboundCall>): Promise<Result<OutboundCall>> {
    const call = await this.parts.calls.findOwn(caller.organizationId, body.callId);
    return { outboundCallId: call?.description.outboundCallId ?? null };
  }

  async 'calls.facts'({ body, caller }: RpcRequest<Facts>): Promise<Result<Facts>> {
    return factsOf(this.parts.db, caller.organizationId, body.callIds);
  }

  async 'calls.numbers'({ body, caller }: RpcRequest<Numbers>): Promise<Result<Numbers>> {
    // A deleted call is erased, and its numbers are withheld from then on.
    const call = await this.parts.calls.find(body.callId);
    const { description, people } = call ?? {};
    if (description === undefined || description.organizationId !== caller.organizationId)
      throw new AppError('CALL_NOT_FOUND');
    const { direction, channel } = description;
    const { fromNumber = null, toNumber = null } = channel === 'phone' ? (people ?? {}) : {};
    return { direction, fromNumber, toNumber };
  }

  /** The stream decides: the index may not show a call yet that has just begun. */
  async 'calls.belongsToOther'({
    body,
    caller,
  }: RpcRequest<BelongsToOther>): Promise<Result<BelongsToOther>> {
    const call = await this.parts.calls.find(body.callId);
    return { isForeign: call !== undefined && call.description.organizationId !== caller.organizationId };
  }

  /** The stream decides here, too. */
  async 'calls.standing'({ body }: RpcRequest<Standing>): Promise<Result<Standing>> {
    const call = await this.parts.calls.find(body.callId);
    if (call === undefined) return { standing: null };
    const { organizationId, agentId } = call.description;
    return { standing: { organizationId, agentId, isOver: endingOf(call) !== null } };
  }

  async 'calls.liveCountOfAgent'({ body, caller }: RpcRequest<LiveCount>): Promise<Result<LiveCount>> {
    // The caller acts on the answer: it may delete an agent that is in no call.
    await this.parts.untilReportsRecorded(caller.organizationId);
    await this.parts.untilIndexed();
    return { live: await liveCountOfAgent(this.parts.db, caller.organizationId, body.agentId) };
  }

  async #own({ organizationId }: Caller, callId: string): Promise<Call> {
    const call = await this.parts.calls.findOwn(organizationId, callId);
    if (call === undefined) throw new AppError('CALL_NOT_FOUND');
    return call;
  }

  #now(): string {
    return this.parts.clock.now().toISOString();
  }

  #wish(caller: Caller, what: string, occurredAt: string, commandId: string | undefined): EventMeta {
    const id = commandId ?? this.parts.ids.next();
    return {
      commandId: `${what}:${id}`,
      organizationId: caller.organizationId,
      actor: actorOf(caller),
      requestId: id,
      occurredAt,
    };
  }
}

const ended = (
  roomName: string,
  callId: string,
  call: Call,
  { already }: { already: boolean },
): EndResult => ({
  roomName,
  callId,
  ended: true,
  alreadyEnded: already,
  // The time at which the room went, so that a second request gets the same answer even after a hand-over with another
  // end.
  endedAt: call.closedAt ?? call.end?.endedAt ?? call.updatedAt,
});
