// The turns of one call: kept for the hand-over, and told to the platform while the call lasts. The conversation does not
// wait for the telling. A turn that could not be told is in the hand-over all the same.
import type { CallSession, ProgressEvent, Turn } from './protocol.js';

/** A turn before it has its place. */
export type Saying = Omit<Turn, 'seq'>;

const mostAtOnce = 100;

export class Transcript {
  readonly #session: Pick<CallSession, 'tell'>;
  readonly #turns: Turn[] = [];
  #waiting: ProgressEvent[] = [];
  #telling: Promise<void> | undefined;

  constructor(session: Pick<CallSession, 'tell'>) {
    this.#session = session;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  add(saying: Saying): void {
    const turn = { seq: this.#turns.length, ...saying };
    this.#turns.push(turn);
    this.#waiting.push({ seq: turn.seq, at: new Date().toISOString(), type: 'turn', turn });
    this.#telling ??= this.#tell();
  }

  /** Resolves when no turn waits to be told. */
  async told(): Promise<void> {
    await this.#telling;
  }

  async #tell(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, mostAtOnce);
      this.#waiting = this.#waiting.slice(mostAtOnce);
      await this.#session.tell(events).catch(() => undefined);
    }
    this.#telling = undefined;
  }
}
