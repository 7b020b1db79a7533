// Takes the events that the voice runtime tells of a call while it lasts, and says where its recording is to be uploaded.
import { Controller } from '@nestjs/common';
import type {
  Caller,
  CallProgress,
  contract,
  ProgressEvent,
  RecordingUpload,
  Result,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { counter, histogram, modelFallbacks, turnSteps, turnTime } from '@parlance/metrics';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { phaseOfKnown } from './known-call.js';
import type { LiveCallKey, ToldTurn } from './live-turns.js';

type Progress = (typeof contract)['callsProgress'];
type Upload = (typeof contract)['callsRecordingUpload'];
type TextTurns = (typeof serviceRequests)['callsTextTurns'];

const iso = (moment: string): string => new Date(moment).toISOString();

const turnIn = (event: ProgressEvent): ToldTurn[] => {
  if (event.type !== 'turn') return [];
  const { seq: eventSeq, at, turn } = event;
  return [{ eventSeq, turn: { ...turn, createdAt: iso(turn.createdAt ?? at) } }];
};

const turnTimes = histogram(turnTime);
const fallbacks = counter(modelFallbacks);

/** Repeated reports are counted again; they are few. */
const record = ({ events }: CallProgress): void => {
  for (const event of events) {
    if (event.type !== 'metric') continue;
    const step = turnSteps.find((name) => name === event.name);
    if (step !== undefined) turnTimes.record(event.ms / 1_000, { 'parlance.turn.step': step });
    else if (event.name === 'fallback') fallbacks.add({});
  }
};

/**
 * Turns alone are kept. States and measurements would serve people who watch a live call, and no page shows them yet.
 */
const turnsIn = ({ events }: CallProgress): ToldTurn[] => events.flatMap(turnIn);

/** @throws AppError UNAUTHENTICATED for the token of another call */
const keyOf = ({ organizationId, actor }: Caller, callId: string): LiveCallKey => {
  if (actor.type !== 'call' || actor.id !== callId) throw new AppError('UNAUTHENTICATED');
  return { organizationId, agentId: actor.agentId, callId };
};

@Controller()
@Serves()
export class ProgressController {
  constructor(private readonly parts: Parts) {}

  /** Turns of a call without a report so far are kept under the token's organization and agent. */
  async 'calls.progress'({ params, body, caller, requestId }: RpcRequest<Progress>): Promise<undefined> {
    const key = keyOf(caller, params.callId);
    record(body);
    await this.#keep(key, turnsIn(body), requestId);
  }

  /** A call that was handed over takes no other recording. */
  async 'calls.recordingUpload'({
    params: { callId },
    body,
    caller,
  }: RpcRequest<Upload>): Promise<RecordingUpload> {
    const { clock, db, recordings } = this.parts;
    const key = keyOf(caller, callId);
    await phaseOfKnown(db, key, clock.now());
    if (await this.#isHandedOver(callId)) throw new AppError('CALL_NOT_FOUND');
    return recordings.offerUpload(key, body);
  }

  /** The number of a turn in text is that of its event, too: each turn is told once, when it is whole. */
  async 'calls.textTurns'({
    body: { callId, agentId, turns },
    caller: { organizationId },
    requestId,
  }: RpcRequest<TextTurns>): Promise<Result<TextTurns>> {
    const told = turns.map((turn) => ({
      eventSeq: turn.seq,
      turn: { ...turn, createdAt: iso(turn.createdAt) },
    }));
    await this.#keep({ organizationId, agentId, callId }, told, requestId);
    return {};
  }

  async #keep(key: LiveCallKey, told: readonly ToldTurn[], requestId: string): Promise<void> {
    const now = this.parts.clock.now();
    const phase = await phaseOfKnown(this.parts.db, key, now);
    if (told.length === 0 || (phase === 'ended' && (await this.#isHandedOver(key.callId)))) return;
    const redact = await this.parts.redactor.forTurns({ ...key, version: null, requestId });
    const turns = redact(told.map(({ turn }) => turn));
    const redacted = told.map(({ eventSeq, turn }, index) => ({ eventSeq, turn: turns[index] ?? turn }));
    await this.parts.liveTurns.add(key, redacted, now);
  }

  async #isHandedOver(callId: string): Promise<boolean> {
    const call = await this.parts.calls.find(callId);
    return call !== undefined && (call.ingested !== null || call.deletedAt !== null);
  }
}
