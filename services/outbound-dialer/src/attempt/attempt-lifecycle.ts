// The lifecycle of an attempt, which is dialled at most once and whose outcome is learned even when something breaks in between: record the
// start, make the room, check the admission again, send one request, record its answer. An uncertain outcome stays in doubt until
// recovery finds evidence (attempt-recovery.ts).
import type { EventMeta, Standing } from '@parlance/event-sourcing';
import type { DialOutcome, MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import type { OutboundCallCommand } from '../domain/outbound-call/outbound-call.js';
import type { Dialing, OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { Admission, Verdict } from './admission.js';
import type { AttemptEvidence } from './attempt-evidence.js';
import type { AttemptRecovery } from './attempt-recovery.js';
import type { AttemptSettlement } from './attempt-settlement.js';
import { type AttemptSteps, countAttempt, isPassing, type StepOf } from './attempt-steps.js';
import type { CrashPoints } from './crash-points.js';
import { deadlineSeconds, dialOf, roomOf } from './dial-request.js';

export interface LifecycleOptions {
  readonly calls: OutboundCalls;
  readonly rooms: Pick<MediaRooms, 'createRoom' | 'dial'>;
  readonly admission: Admission;
  readonly steps: AttemptSteps;
  readonly evidence: Pick<AttemptEvidence, 'calleeOf' | 'factsOf'>;
  readonly settlement: Pick<AttemptSettlement, 'settle'>;
  readonly recovery: Pick<AttemptRecovery, 'hangUp'>;
  /** Deletes a room, in which the agent would wait for no callee. */
  readonly closeRoom: (roomName: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly crash: CrashPoints;
  readonly logger: Logger;
  /** The trunk of every call, where the operator set one up; else each call has that of its number's provider. */
  readonly trunkId: string | undefined;
}

/** A process that started an attempt and was then held up for longer than this may no longer dial it. */
const zombieMs = 5_000;
/** Looks at the admission, at most. The promise about a number lasts two seconds, and a busy machine may need as long for a look. */
const looksBeforeDial = 2;
/** The wait before the next attempt, when the media server could not be reached at all. */
const unreachableRetrySeconds = 5;

type PlaceCall = Extract<OutboundCallCommand, { readonly type: 'PlaceCall' }>;
type Placed = Pick<Dialing['placed'], 'organizationId' | 'ringingTimeoutSeconds'>;
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

/** The call whose attempt is due: nothing is known of it, or its state was just found or left, or it is placed with its attempt. */
export interface Opening {
  /** An attempt starts only if nothing happened since. */
  readonly known?: Standing<OutboundCall>;
  /** The call that nobody has placed yet, as far as the caller knows. */
  readonly place?: PlaceCall;
}

export interface AttemptOptions extends Opening {
  /** Called when the request was sent and only the answer is waited for. */
  readonly onDial?: () => void;
}

const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString();

export class AttemptLifecycle {
  readonly #options: LifecycleOptions;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Makes the attempt that is due, if this process is the one to start it. Resolves when the dial is answered. */
  async attempt(id: string, { onDial = () => undefined, ...opening }: AttemptOptions = {}): Promise<void> {
    const started = await this.#start(id, opening);
    if (started === undefined) return;
    this.#options.crash.at('dial.afterStart');
    const roomless = await this.#prepareRoom(started);
    if (roomless !== undefined) return this.#conclude(started, roomless);
    const { verdict, known: latest } = await this.#mayStillDial(started);
    const looked = { ...started, known: latest };
    if (verdict.kind !== 'yes') return this.#abandon(looked, verdict);
    await this.#conclude(looked, await this.#dial(looked, verdict, onDial));
  }

  async #start(id: string, { known, place }: Opening): Promise<Started | undefined> {
    const handled = await (place === undefined
      ? this.#startPlaced(id, known)
      : this.#placeAndStart(id, place));
    // Nothing decided: another worker has started it, or it was cancelled, or it is not its time yet.
    if (handled === undefined || handled.events.length === 0 || handled.state.phase !== 'dialing')
      return undefined;
    countAttempt('started');
    const { personal } = handled.state;
    return personal === null ? undefined : { id, state: handled.state, personal, known: handled };
  }

  async #startPlaced(id: string, known: Standing<OutboundCall> | undefined) {
    const { calls } = this.#options;
    const found = known ?? (await calls.load(id));
    const { state } = found;
    if (state.phase !== 'queued') return undefined;
    const start = this.#startOf(id, state.past.length + 1, state.placed);
    return calls(id, start, this.#metaOf(start, state.placed), { known: found });
  }

  /** One append: a recipient whose call is placed and not started would only be another thing to recover. */
  #placeAndStart(id: string, place: PlaceCall) {
    const start = this.#startOf(id, 1, place.placed);
    const command = { type: 'PlaceAndStart', place, start } as const;
    return this.#options.calls(id, command, this.#metaOf(start, place.placed), { presumedNew: true });
  }

  #startOf(id: string, attempt: number, { ringingTimeoutSeconds }: Pick<Placed, 'ringingTimeoutSeconds'>) {
    const at = this.#options.clock.now();
    const deadlineAt = after(at, deadlineSeconds(ringingTimeoutSeconds));
    return {
      type: 'StartAttempt',
      attempt,
      ...attemptIds(id, attempt),
      deadlineAt,
      now: at.toISOString(),
    } as const;
  }

  /** No two starts are one command: to the store the second would be a repetition of the first, and both would dial. */
  #metaOf(
    { attemptId, now }: { readonly attemptId: string; readonly now: string },
    { organizationId }: Pick<Placed, 'organizationId'>,
  ): EventMeta {
    return stepMeta(organizationId, attemptId, `StartAttempt:${this.#options.ids.next()}`, now);
  }

  /** The room is made before the dial: a dial into a room that is gone again reaches no agent. */
  async #prepareRoom({ id, state, personal }: Started): Promise<DialOutcome | undefined> {
    const { rooms, crash, logger } = this.#options;
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
    await this.#options.steps.record(looked, { type: 'Abandon', reason: verdict.reason, retryAt });
    await this.#options.closeRoom(looked.state.current.roomName);
  }

  async #dial({ state, personal }: Started, verdict: Granted, onDial: () => void): Promise<DialOutcome> {
    const { rooms, crash, logger } = this.#options;
    const { longestSeconds } = verdict;
    const trunkId = this.#options.trunkId ?? verdict.trunkId;
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
   * think it dead? Uncertain means no. The stream answers, even if the state of the call is known. Where the
   * promise about the number ran out during the look, there is another look.
   */
  async #mayStillDial(started: Started): Promise<Pick<Started, 'known'> & { verdict: Verdict }> {
    const { clock, admission, logger } = this.#options;
    const { id, state } = started;
    const { attemptId, startedAt } = state.current;
    const unsure: Verdict = { kind: 'later', reason: 'unknown', at: clock.now() };
    let latest = started.known;
    try {
      for (let look = 1; ; look += 1) {
        const [verdict, seen] = await Promise.all([
          admission.mayDialNow(id, state),
          this.#latest(id, started.known),
        ]);
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

  /** The call as its stream has it now; the stream is read as a whole only where somebody has appended. */
  async #latest(id: string, known: Standing<OutboundCall>): Promise<Standing<OutboundCall>> {
    const { calls } = this.#options;
    return (await calls.isCurrent(id, known)) ? known : calls.load(id);
  }

  async #conclude(started: Started, outcome: DialOutcome): Promise<void> {
    const { crash } = this.#options;
    crash.at('dial.afterRequest');
    await this.#recordOutcome(started, outcome);
    crash.at('dial.afterRecord');
  }

  async #recordOutcome(started: Started, outcome: DialOutcome): Promise<void> {
    const { roomName } = started.state.current;
    switch (outcome.kind) {
      case 'answered': {
        const state = await this.#options.steps.record(started, {
          type: 'RecordAnswer',
          providerCallId: outcome.sipCallId,
        });
        if (state.phase === 'ended' && state.hangUp !== null)
          await this.#options.recovery.hangUp(started.id, state, state.hangUp);
        return;
      }
      case 'refused':
        await this.#options.steps.record(started, this.#refusal(outcome));
        return this.#options.closeRoom(roomName);
      case 'unanswered':
        return this.#concludeUnanswered(started, outcome);
      case 'inDoubt':
        await this.#options.steps.record(started, { type: 'RecordDoubt' });
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
    const callee = await this.#options.evidence.calleeOf(state.current);
    const facts = await this.#options.evidence.factsOf(state.placed.organizationId, callId);
    if (callee?.sipCallStatus === 'active') {
      const providerCallId = callee.sipCallId ?? null;
      await this.#options.steps.record(started, { type: 'Adopt', providerCallId, isAnswered: true });
      return;
    }
    if (facts?.answeredAt != null) {
      await this.#options.steps.record(started, { type: 'Adopt', providerCallId: null, isAnswered: true });
      return this.#options.settlement.settle(id, facts);
    }
    await this.#options.steps.record(started, this.#refusal({ kind: 'refused', status, endedReason }));
    return this.#options.closeRoom(roomName);
  }

  #refusal(outcome: Extract<DialOutcome, { kind: 'refused' }>): StepOf {
    const { status, endedReason, sipStatus = null, providerCode = null } = outcome;
    const isUnreachable = endedReason === 'provider_unavailable';
    const retrySeconds = outcome.retryAfterSeconds ?? (isUnreachable ? unreachableRetrySeconds : undefined);
    const retryAt = retrySeconds === undefined ? null : after(this.#options.clock.now(), retrySeconds);
    return { type: 'RecordRefusal', status, endedReason, sipStatus, providerCode, retryAt };
  }
}
