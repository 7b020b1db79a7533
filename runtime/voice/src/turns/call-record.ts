// The record of a call that was answered: in the journal while it lasts, and handed over at its end.
import { randomUUID } from 'node:crypto';
import type { CallContext } from '@parlance/contracts';
import { type FinishedCall, type HandOver, handOverOf } from '@parlance/conversation';
import type { Journal } from './journal.js';
import { logEvent } from './log.js';

interface Answered {
  readonly startedAt: Date;
  readonly answeredAt: Date;
  /** What is known of the call so far. */
  readonly facts: () => Pick<FinishedCall, 'transcript' | 'more'>;
}

export class CallRecord {
  /** Of every attempt to hand the call over, whoever makes it. */
  readonly #eventId = randomUUID();
  readonly #context: CallContext;
  readonly #roomName: string;
  readonly #journal: Pick<Journal, 'write' | 'remove'> | undefined;
  #answered: Answered | undefined;
  #ending: { readonly reason: string; readonly at: Date } | undefined;

  constructor(
    { context }: { readonly context: CallContext },
    {
      roomName,
      journal,
    }: { readonly roomName: string; readonly journal: Pick<Journal, 'write' | 'remove'> | undefined },
  ) {
    this.#context = context;
    this.#roomName = roomName;
    this.#journal = journal;
  }

  answered(answered: Answered): void {
    this.#answered = answered;
    this.keep();
  }

  ended(ending: { readonly reason: string; readonly at: Date }): void {
    this.#ending = ending;
    this.keep();
  }

  /** Writes what is known into the journal. A call without one goes on. */
  keep(): void {
    if (this.#answered === undefined || this.#journal === undefined) return;
    try {
      this.#journal.write(this.handOver());
    } catch (error) {
      logEvent('journal not written', { error: String(error) });
    }
  }

  /** As it would be now; without a reason until the call has ended. @throws Error for a call that was not answered */
  handOver(): HandOver {
    if (this.#answered === undefined) throw new Error('the call was not answered');
    const { startedAt, answeredAt, facts } = this.#answered;
    const { reason = null, at = new Date() } = this.#ending ?? {};
    const { transcript, more } = facts();
    const call = {
      context: this.#context,
      roomName: this.#roomName,
      endedReason: 'unknown' as const,
      startedAt,
      answeredAt,
      endedAt: at,
      transcript,
      ...(more && { more }),
    };
    return { ...handOverOf(call, this.#eventId), endedReason: reason as HandOver['endedReason'] };
  }

  handedOver(): void {
    this.#journal?.remove();
  }
}
