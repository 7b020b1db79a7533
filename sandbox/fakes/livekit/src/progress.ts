// Tells the platform each turn while the call lasts. The conversation does not wait for it. A turn that the platform
// does not take is not told again: the hand-over at the end holds all turns.
import type { Abilities } from './abilities.js';
import type { Turn } from './conversation.js';

/** Turns of the same half second go together: a simulation in a hurry must not send a request for each. */
const everyMs = 500;
const mostAtOnce = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Progress {
  readonly #abilities: Pick<Abilities, 'tell'> | undefined;
  readonly #waiting: object[] = [];
  #seq = 0;
  #telling: Promise<void> | undefined;

  constructor(abilities: Pick<Abilities, 'tell'> | undefined) {
    this.#abilities = abilities;
  }

  said(turn: Turn): void {
    if (this.#abilities === undefined) return;
    this.#waiting.push({ seq: this.#seq, at: new Date().toISOString(), type: 'turn', turn });
    this.#seq += 1;
    this.#telling ??= this.#tell(this.#abilities);
  }

  async #tell(abilities: Pick<Abilities, 'tell'>): Promise<void> {
    while (this.#waiting.length > 0) {
      await abilities.tell(this.#waiting.splice(0, mostAtOnce)).catch(() => undefined);
      await pause(everyMs);
    }
    this.#telling = undefined;
  }
}
