import { setTimeout as delay } from 'node:timers/promises';

/**
 * Writes items in groups: those that arrive during a write are the next one. A lone item is written at once, and under load the size of
 * a group follows from the time that a write takes.
 */
export class GroupedWrites<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<Result>;
  readonly #gatherMs: number;
  #next: { readonly items: Item[]; readonly written: Promise<Result> } | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  /** @param gatherMs a further time in which each group collects items, for writes that nobody waits for (0) */
  constructor(write: (items: readonly Item[]) => Promise<Result>, gatherMs = 0) {
    this.#write = write;
    this.#gatherMs = gatherMs;
  }

  /** Resolves with the result of the write of its group. @throws the error of that write */
  add(item: Item): Promise<Result> {
    this.#next ??= this.#nextGroup();
    this.#next.items.push(item);
    return this.#next.written;
  }

  #nextGroup(): { readonly items: Item[]; readonly written: Promise<Result> } {
    const items: Item[] = [];
    const written = this.#underWay.then(async () => {
      if (this.#gatherMs > 0) await delay(this.#gatherMs);
      this.#next = undefined;
      return this.#write(items);
    });
    this.#underWay = written.catch(() => undefined);
    return { items, written };
  }
}
