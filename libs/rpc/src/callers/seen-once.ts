// Remembers keys for a while, in two sets that take turns: memory follows the traffic, and nothing is swept.
import type { Clock } from '@parlance/observability';

export class SeenOnce {
  readonly #forMs: number;
  readonly #clock: Clock;
  #young = new Set<string>();
  #old = new Set<string>();
  #turnedAt: number;

  /** @param forMs a key is remembered for at least so long */
  constructor(forMs: number, clock: Clock) {
    this.#forMs = forMs;
    this.#clock = clock;
    this.#turnedAt = clock.now().getTime();
  }

  /** False for a key that was added before. */
  add(key: string): boolean {
    this.#turn(this.#clock.now().getTime());
    if (this.#young.has(key) || this.#old.has(key)) return false;
    this.#young.add(key);
    return true;
  }

  #turn(now: number): void {
    const turns = Math.floor((now - this.#turnedAt) / this.#forMs);
    if (turns < 1) return;
    this.#old = turns === 1 ? this.#young : new Set();
    this.#young = new Set();
    this.#turnedAt = now;
  }
}
