// A binary heap of what happens next.

export interface Happening {
  /** Milliseconds since the start. */
  readonly at: number;
}

export class Agenda<T extends Happening> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(item: T): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as T;
      if (above.at <= item.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = item;
  }

  /** Takes the earliest. */
  next(): T | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let child = left;
      if (right < heap.length && (heap[right] as T).at < (heap[left] as T).at) child = right;
      if (child >= heap.length || (heap[child] as T).at >= last.at) break;
      heap[index] = heap[child] as T;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
