// Records the end of an attempt's call, as calls-logs reports it.
import { type CallFacts, isTerminal } from '@parlance/contracts';
import type { Clock } from '@parlance/observability';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import { countAttempt } from './attempt-steps.js';
import type { CrashPoints } from './crash-points.js';
import type { RecordedEnds } from './recorded-ends.js';

export class AttemptSettlement {
  readonly #calls: OutboundCalls;
  readonly #ends: RecordedEnds;
  readonly #clock: Clock;
  readonly #crash: CrashPoints;

  constructor(calls: OutboundCalls, ends: RecordedEnds, clock: Clock, crash: CrashPoints) {
    this.#calls = calls;
    this.#ends = ends;
    this.#clock = clock;
    this.#crash = crash;
  }

  /** True for a call whose end this process has recorded. calls-logs publishes the same end. */
  isRecorded(callId: string): boolean {
    return this.#ends.has(callId);
  }

  /** Records nothing for a call that has not ended, and for one whose end is recorded. */
  async settle(id: string, facts: CallFacts, causationId?: string): Promise<void> {
    if (!isTerminal(facts.status) || this.#ends.has(facts.callId)) return;
    const known = await this.#calls.load(id);
    const { state } = known;
    if (state.phase === 'absent') return;
    const now = this.#clock.now().toISOString();
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
    const settled = await this.#calls(
      id,
      { type: 'SettleCall', callId, facts: end, now },
      { ...meta, ...(causationId === undefined ? {} : { causationId }) },
      { known },
    );
    if (settled.events.length > 0) {
      countAttempt(status);
      this.#ends.add(callId);
    }
    this.#crash.at('settle.afterAppend');
  }
}
