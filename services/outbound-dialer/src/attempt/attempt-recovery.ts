// Recovers an attempt without an outcome: looks for evidence, adopts the call that it finds, and hangs up a cancelled one. When the time
// for evidence is over, it records "unknown". Recovery never dials.
import { isTerminal } from '@parlance/contracts';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock } from '@parlance/observability';
import type { Dialing, Ended } from '../domain/outbound-call/outbound-call-state.js';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import type { AttemptEvidence } from './attempt-evidence.js';
import type { AttemptSettlement } from './attempt-settlement.js';
import type { AttemptSteps } from './attempt-steps.js';
import type { CrashPoints } from './crash-points.js';

export interface AttemptRecoveryOptions {
  readonly calls: Pick<OutboundCalls, 'load'>;
  readonly rooms: Pick<MediaRooms, 'deleteRoom'>;
  readonly evidence: AttemptEvidence;
  readonly settlement: AttemptSettlement;
  readonly steps: AttemptSteps;
  /** Deletes a room, in which the agent would wait for no callee. */
  readonly closeRoom: (roomName: string) => Promise<void>;
  readonly clock: Clock;
  readonly crash: CrashPoints;
}

export class AttemptRecovery {
  readonly #options: AttemptRecoveryOptions;

  constructor(options: AttemptRecoveryOptions) {
    this.#options = options;
  }

  /** Brings an attempt without an outcome closer to one, or cleans up behind a cancelled one. */
  async recover(id: string): Promise<void> {
    const { state } = await this.#options.calls.load(id);
    if (state.phase === 'dialing') await this.#seek(id, state);
    if (state.phase === 'ended' && state.hangUp !== null) await this.hangUp(id, state, state.hangUp);
  }

  /** A dial that may still be on its way finds no room. Once it cannot be on its way any more, all is quiet. */
  async hangUp(id: string, state: Ended, attempt: NonNullable<Ended['hangUp']>): Promise<void> {
    const { rooms, steps, clock, crash } = this.#options;
    await rooms.deleteRoom(attempt.roomName);
    crash.at('hangUp.afterDelete');
    if (attempt.wasDialing && clock.now().toISOString() < attempt.deadlineAt) return;
    await steps.record({ id, state: { ...state, current: attempt } }, { type: 'RecordHangUp' });
  }

  /** Evidence in order: the callee in the room, then the facts of calls-logs. */
  async #seek(id: string, state: Dialing): Promise<void> {
    const { evidence, settlement, steps, closeRoom, clock, crash } = this.#options;
    const { callId, roomName, deadlineAt } = state.current;
    const place = { id, state };
    const isOver = clock.now().toISOString() >= deadlineAt;
    const callee = await evidence.calleeOf(state.current);
    if (callee !== null && (callee.sipCallStatus === 'active' || !isOver)) {
      const isAnswered = callee.sipCallStatus === 'active';
      crash.at('recover.beforeRecord');
      await steps.record(place, { type: 'Adopt', providerCallId: callee.sipCallId ?? null, isAnswered });
      crash.at('recover.afterRecord');
      return;
    }
    const facts = await evidence.factsOf(state.placed.organizationId, callId);
    if (facts !== undefined && isTerminal(facts.status)) return settlement.settle(id, facts);
    if (facts?.answeredAt != null) {
      await steps.record(place, { type: 'Adopt', providerCallId: null, isAnswered: true });
      return;
    }
    await steps.record(place, { type: 'RecordDoubt' });
    if (!isOver) return;
    await closeRoom(roomName);
    crash.at('recover.beforeRecord');
    await steps.record(place, { type: 'GiveUp' });
    crash.at('recover.afterRecord');
  }
}
