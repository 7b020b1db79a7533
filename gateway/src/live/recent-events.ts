// The last live events of all organizations together, for readers that come back. Always bounded.
import type { LiveEvent } from '@parlance/contracts';

/** The live events that one event of the broker's stream causes for the people of its organization. */
export interface Happening {
  /** Its place in the stream. */
  readonly sequence: number;
  readonly organizationId: string;
  readonly told: readonly LiveEvent[];
}

const kept = 10_000;

export class RecentEvents {
  readonly #most: number;
  #happenings: Happening[] = [];
  #after = Number.POSITIVE_INFINITY;

  constructor(most = kept) {
    this.#most = most;
  }

  /** Forgets everything; the next events follow this place without a gap. */
  startAfter(sequence: number): void {
    this.#happenings = [];
    this.#after = sequence;
  }

  add(happening: Happening): void {
    this.#happenings.push(happening);
    // In batches, because taking from the front moves all that is behind.
    if (this.#happenings.length < this.#most * 1.25) return;
    const forgotten = this.#happenings.splice(0, this.#happenings.length - this.#most);
    this.#after = forgotten.at(-1)?.sequence ?? this.#after;
  }

  /** The events for an organization since then, in order; undefined when some of them may be forgotten. */
  since(organizationId: string, sequence: number): readonly Happening[] | undefined {
    if (sequence < this.#after) return undefined;
    const from = this.#happenings.findIndex((one) => one.sequence > sequence);
    if (from < 0) return [];
    return this.#happenings.slice(from).filter((one) => one.organizationId === organizationId);
  }
}
