// The in-doubt protocol dials an attempt at most once and learns its outcome, even when something breaks in between.
//
// Dialling: record the start, make the room, check the admission again, send one request, record its answer. An
// uncertain outcome stays in doubt. Recovery looks for evidence, adopts the call that it finds, and hangs up a
// cancelled one. When the time for evidence is over, it records "unknown". Recovery never dials.
import { type CallFacts, isTerminal } from '@parlance/contracts';
import type { Standing } from '@parlance/event-sourcing';
import type { DialOutcome, MediaRooms, Participant } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { attemptIds, calleeIdentity } from '../domain/outbound-call/attempt-ids.js';
import type { Dialing, Ended, OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { Admission, Verdict } from './admission.js';
import { AttemptSteps, countAttempt, isPassing, type StepOf } from './attempt-steps.js';
import type { CrashPoints } from './crash-points.js';
import { deadlineSeconds, dialOf, roomOf } from './dial-request.js';

export interface ProtocolParts {
  readonly calls: OutboundCalls;
  readonly rooms: Pick<MediaRooms, 'createRoom' | 'deleteRoom' | 'participant' | 'dial'>;
  /** The facts that calls-logs has of these calls; unknown calls are left out. */
  readonly askCalls: (organizationId: string, callIds: readonly string[]) => Promise<readonly CallFacts[]>;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly crash: CrashPoints;
  readonly logger: Logger;
  /** The trunk of every call, where the operator set one up; else each call has that of its number's provider. */
  readonly trunkId: string | undefined;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** A process that started an attempt and was then held up for longer than this may no longer dial it. */
const zombieMs = 5_000;
/** Looks at the admission, at most. The promise about a number lasts two seconds, and a busy machine may need as long for a look. */
const looksBeforeDial = 2;
/** The wait before the next attempt, when the media server could not be reached at all. */
const unreachableRetrySeconds = 5;

type Granted = Extract<Verdict, { readonly kind: 'yes' }>;

/** Through another provider's trunk a call must not leave: it waits until its own is there. */
const noTrunk: DialOutcome = {
  ...{ kind: 'refused', status: 'failed', endedReason: 'provider_unavailable' },
  providerCode: 'no_trunk',
};

/** An attempt that this process has started and is responsible for. */
interface Started {
  readonly id: string;
  readonly state: Dialing;
  readonly personal: NonNullable<Dialing['personal']>;
  /** The state of the call at the last look. */
  readonly known: Standing<OutboundCall>;
}

export interface AttemptOptions {
  /** Called when the request was sent and only the answer is waited for. */
  readonly onDial?: () => void;
  /**
   * The state in which the caller of this function has just found or left the call. An attempt starts only if nothing
   * happened since.
   */
  readonly known?: Standing<OutboundCall>;
}

const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString();

export class InDoubtProtocol {
  readonly #parts: ProtocolParts;
  readonly #steps: AttemptSteps;

  constructor(parts: ProtocolParts) {
    this.#parts = parts;
    this.#steps = new AttemptSteps(parts);
  }

  /** Makes the attempt that is due, if this process is the one to start it. Resolves when the dial is answered. */
  async attempt(id: string, { onDial = () => undefined, known }: AttemptOptions = {}): Promise<void> {
    const started = await this.#start(id, known);
    if (started === undefined) return;
    this.#parts.crash.at('dial.afterStart');
    const roomless = await this.#prepareRoom(started);
    if (roomless !== undefined) return this.#conclude(started, roomless);
    const { verdict, known: latest } = await this.#mayStillDial(started);
    const looked = { ...started, known: latest };
    if (verdict.kind !== 'yes') return this.#abandon(looked, verdict);
    await this.#conclude(looked, await this.#dial(looked, verdict, onDial));
  }

  /** Brings an attempt without an outcome closer to one, or cleans up behind a cancelled one. Never dials. */
  async recover(id: string): Promise<void> {
    const { state } = await this.#parts.calls.load(id);
    if (state.phase === 'dialing') await this.#seek(id, state);
    if (state.phase === 'ended' && state.hangUp !== null) await this.#hangUp(id, state, state.hangUp);
  }

  /** Records the end of a call that calls-logs tells of; nothing for one that goes on. */
  async settle(id: string, facts: CallFacts, causationId?: string): Promise<void> {
    if (!isTerminal(facts.status)) return;
    const { calls, clock, crash } = this.#parts;
    const known = await calls.load(id);
    const { state } = known;
    if (state.phase === 'absent') return;
    const now = clock.now().toISOString();
    const { callId, status, outcome, endedReason, answeredBy, answeredAt, durationSeconds, costMicros } =
      facts;
    const endedAt = facts.endedAt ?? now;
    const end = {
      status,
      outcome,
      endedReason,
      answeredBy,
      answeredAt,
      endedAt,
      durationSeconds,
      costMicros,
    };
    const meta = stepMeta(state.placed.organizationId, callId, 'SettleCall', now);
    const settled = await calls(
      id,
      { type: 'SettleCall', callId, facts: end, now },
      { ...meta, ...(causationId === undefined ? {} : { causationId }) },
      { known },
    );
    if (settled.events.length > 0) countAttempt(status);
    crash.at('settle.afterAppend');
  }

  async #start(id: string, known?: Standing<OutboundCall>): Promise<Started | undefined> {
    const { calls, clock, ids } = this.#parts;
    const found = known ?? (await calls.load(id));
    const { state } = found;
    if (state.phase !== 'queued') return undefined;
    const attempt = state.past.length + 1;
    const idsOfAttempt = attemptIds(id, attempt);
    const at = clock.now();
    const now = at.toISOString();
    const deadlineAt = after(at, deadlineSeconds(state.placed.ringingTimeoutSeconds));
    // No two starts are one command: to the store the second would be a repetition of the first, and both would dial.
    const step = `StartAttempt:${ids.next()}`;
    const meta = stepMeta(state.placed.organizationId, idsOfAttempt.attemptId, step, now);
    const start = { type: 'StartAttempt', attempt, ...idsOfAttempt, deadlineAt, now } as const;
    const handled = await calls(id, start, meta, { known: found });
    // Nothing decided: another worker has started it, or it was cancelled, or it is not its time yet.
    if (handled.events.length === 0 || handled.state.phase !== 'dialing') return undefined;
    countAttempt('started');
    const { personal } = handled.state;
    return personal === null ? undefined : { id, state: handled.state, personal, known: handled };
  }

  /** The room is made before the dial: a dial into a room that is gone again reaches no agent. */
  async #prepareRoom({ id, state, personal }: Started): Promise<DialOutcome | undefined> {
    const { rooms, crash, logger } = this.#parts;
    try {
      await rooms.createRoom(roomOf(id, state, personal));
    } catch (err) {
      logger.warn({ attemptId: state.current.attemptId, err }, 'no room for the attempt');
      return { kind: 'refused', status: 'failed', endedReason: 'provider_unavailable' };
    }
    crash.at('dial.afterRoom');
    return undefined;
  }

  async #abandon(looked: Started, verdict: Exclude<Verdict, { readonly kind: 'yes' }>): Promise<void> {
    const retryAt = verdict.kind === 'later' ? verdict.at.toISOString() : null;
    await this.#steps.record(looked, { type: 'Abandon', reason: verdict.reason, retryAt });
    await this.#clear(looked.state.current.roomName);
  }

  async #dial({ state, personal }: Started, verdict: Granted, onDial: () => void): Promise<DialOutcome> {
    const { rooms, crash, logger } = this.#parts;
    const { longestSeconds } = verdict;
    const trunkId = this.#parts.trunkId ?? verdict.trunkId;
    if (trunkId === null) {
      const { provider } = state.placed;
      logger.warn(
        { attemptId: state.current.attemptId, provider },
        'no trunk at the media server for the call',
      );
      return noTrunk;
    }
    crash.at('dial.beforeRequest');
    const dialling = rooms.dial(dialOf(state, personal, { trunkId, longestSeconds }));
    onDial();
    crash.during('dial.duringRequest');
    return dialling;
  }

  /**
   * Is the call allowed at this hour? Was it cancelled meanwhile? Was this process held up so long that others may
   * think it dead? Uncertain means no. The call is read anew for these questions, even if its state is known. Where the
   * promise about the number ran out during the look, there is another look.
   */
  async #mayStillDial({ id, state, known }: Started): Promise<Pick<Started, 'known'> & { verdict: Verdict }> {
    const { calls, clock, admission, logger } = this.#parts;
    const { attemptId, startedAt } = state.current;
    const unsure: Verdict = { kind: 'later', reason: 'unknown', at: clock.now() };
    let latest = known;
    try {
      for (let look = 1; ; look += 1) {
        const [verdict, seen] = await Promise.all([admission.mayDialNow(id, state), calls.load(id)]);
        latest = seen;
        const isMine = seen.state.phase === 'dialing' && seen.state.current.attemptId === attemptId;
        if (!isMine) return { verdict: unsure, known: seen };
        if (verdict.kind !== 'yes') return { verdict, known: seen };
        const now = clock.now();
        const heldUpMs = now.getTime() - Date.parse(startedAt);
        if (heldUpMs < zombieMs && now < verdict.until) return { verdict, known: seen };
        if (heldUpMs < zombieMs && look < looksBeforeDial) continue;
        logger.warn(
          { attemptId, heldUpMs },
          'attempt is abandoned because this process was held up before its dial',
        );
        return { verdict: unsure, known: seen };
      }
    } catch (err) {
      if (!isPassing(err)) throw err;
      logger.warn(
        { attemptId, err },
        'attempt is abandoned because its call could not be read before its dial',
      );
      return { verdict: unsure, known: latest };
    }
  }

  async #conclude(started: Started, outcome: DialOutcome): Promise<void> {
    const { crash } = this.#parts;
    crash.at('dial.afterRequest');
    await this.#recordOutcome(started, outcome);
    crash.at('dial.afterRecord');
  }

  async #recordOutcome(started: Started, outcome: DialOutcome): Promise<void> {
    const { roomName } = started.state.current;
    switch (outcome.kind) {
      case 'answered': {
        const state = await this.#steps.record(started, {
          type: 'RecordAnswer',
          providerCallId: outcome.sipCallId,
        });
        if (state.phase === 'ended' && state.hangUp !== null)
          await this.#hangUp(started.id, state, state.hangUp);
        return;
      }
      case 'refused':
        await this.#steps.record(started, this.#refusal(outcome));
        return this.#clear(roomName);
      case 'unanswered':
        return this.#concludeUnanswered(started, outcome);
      case 'inDoubt':
        await this.#steps.record(started, { type: 'RecordDoubt' });
        return;
    }
  }

  /** An answer at the last moment is in the room, or was in it and calls-logs knows. Else the phone rang in vain. */
  async #concludeUnanswered(
    started: Started,
    { status, endedReason }: Extract<DialOutcome, { kind: 'unanswered' }>,
  ): Promise<void> {
    const { id, state } = started;
    const { callId, roomName } = state.current;
    const callee = await this.#calleeOf(state.current);
    const facts = await this.#factsOf(state.placed.organizationId, callId);
    if (callee?.sipCallStatus === 'active') {
      const providerCallId = callee.sipCallId ?? null;
      await this.#steps.record(started, { type: 'Adopt', providerCallId, isAnswered: true });
      return;
    }
    if (facts?.answeredAt != null) {
      await this.#steps.record(started, { type: 'Adopt', providerCallId: null, isAnswered: true });
      return this.settle(id, facts);
    }
    await this.#steps.record(started, this.#refusal({ kind: 'refused', status, endedReason }));
    return this.#clear(roomName);
  }

  #refusal(outcome: Extract<DialOutcome, { kind: 'refused' }>): StepOf {
    const { status, endedReason, sipStatus = null, providerCode = null } = outcome;
    const isUnreachable = endedReason === 'provider_unavailable';
    const retrySeconds = outcome.retryAfterSeconds ?? (isUnreachable ? unreachableRetrySeconds : undefined);
    const retryAt = retrySeconds === undefined ? null : after(this.#parts.clock.now(), retrySeconds);
    return { type: 'RecordRefusal', status, endedReason, sipStatus, providerCode, retryAt };
  }

  /** Evidence in order: the callee in the room, then the facts of calls-logs. */
  async #seek(id: string, state: Dialing): Promise<void> {
    const { clock, crash } = this.#parts;
    const { callId, roomName, deadlineAt } = state.current;
    const place = { id, state };
    const isOver = clock.now().toISOString() >= deadlineAt;
    const callee = await this.#calleeOf(state.current);
    if (callee !== null && (callee.sipCallStatus === 'active' || !isOver)) {
      const isAnswered = callee.sipCallStatus === 'active';
      crash.at('recover.beforeRecord');
      await this.#steps.record(place, {
        type: 'Adopt',
        providerCallId: callee.sipCallId ?? null,
        isAnswered,
      });
      crash.at('recover.afterRecord');
      return;
    }
    const facts = await this.#factsOf(state.placed.organizationId, callId);
    if (facts !== undefined && isTerminal(facts.status)) return this.settle(id, facts);
    if (facts?.answeredAt != null) {
      await this.#steps.record(place, { type: 'Adopt', providerCallId: null, isAnswered: true });
      return;
    }
    await this.#steps.record(place, { type: 'RecordDoubt' });
    if (!isOver) return;
    await this.#clear(roomName);
    crash.at('recover.beforeRecord');
    await this.#steps.record(place, { type: 'GiveUp' });
    crash.at('recover.afterRecord');
  }

  async #calleeOf({ attemptId, roomName }: Dialing['current']): Promise<Participant | null> {
    const { rooms, logger } = this.#parts;
    try {
      return await rooms.participant(roomName, calleeIdentity(attemptId));
    } catch (err) {
      logger.warn({ attemptId, err }, 'media server could not be asked for the callee');
      return null;
    }
  }

  async #factsOf(organizationId: string, callId: string): Promise<CallFacts | undefined> {
    try {
      const facts = await this.#parts.askCalls(organizationId, [callId]);
      return facts.find((known) => known.callId === callId);
    } catch (err) {
      this.#parts.logger.warn({ callId, err }, 'calls-logs could not be asked for the call');
      return undefined;
    }
  }

  /** A dial that may still be on its way finds no room. Once it cannot be on its way any more, all is quiet. */
  async #hangUp(id: string, state: Ended, attempt: NonNullable<Ended['hangUp']>): Promise<void> {
    const { rooms, clock, crash } = this.#parts;
    await rooms.deleteRoom(attempt.roomName);
    crash.at('hangUp.afterDelete');
    if (attempt.wasDialing && clock.now().toISOString() < attempt.deadlineAt) return;
    await this.#steps.record({ id, state: { ...state, current: attempt } }, { type: 'RecordHangUp' });
  }

  /**
   * Deletes the room, in which the agent would wait for no callee. A room that cannot be deleted closes by itself when
   * it stays empty.
   */
  async #clear(roomName: string): Promise<void> {
    await this.#parts.rooms
      .deleteRoom(roomName)
      .catch((err: unknown) => this.#parts.logger.warn({ roomName, err }, 'room could not be closed'));
  }
}
