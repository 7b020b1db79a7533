// The turns of one call: kept for the hand-over, and reported to the platform while the call lasts. The conversation does
// not wait for a report, and a turn whose report failed is in the hand-over all the same.
import type { ProgressEvent, TranscriptTurn } from '@parlance/contracts';
import type { z } from 'zod';
import type { CallSession } from './call-session.js';

type Turn = z.input<typeof TranscriptTurn>;
/** A turn before it is numbered. */
export type NewTurn = Omit<Turn, 'seq'>;

const mostAtOnce = 100;

export class Transcript {
  readonly #session: Pick<CallSession, 'report'>;
  readonly #turns: Turn[] = [];
  #waiting: z.input<typeof ProgressEvent>[] = [];
  #reporting: Promise<void> | undefined;

  constructor(session: Pick<CallSession, 'report'>) {
    this.#session = session;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  add(added: NewTurn): void {
    const turn = { seq: this.#turns.length, ...added };
    this.#turns.push(turn);
    this.#waiting.push({ seq: turn.seq, at: new Date().toISOString(), type: 'turn', turn });
    this.#reporting ??= this.#report();
  }

  /** Resolves when no turn waits to be reported. */
  async reported(): Promise<void> {
    await this.#reporting;
  }

  async #report(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, mostAtOnce);
      this.#waiting = this.#waiting.slice(mostAtOnce);
      await this.#session.report(events).catch(() => undefined);
    }
    this.#reporting = undefined;
  }
}
