// A cache that keeps the last used values, up to a number of bytes.

interface Kept<V> {
  readonly value: V;
  readonly bytes: number;
}

export class ByteLru<K, V> {
  readonly #kept = new Map<K, Kept<V>>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: K): V | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    // The map keeps the order of insertion: the first entry is the one that was used longest ago.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  set(key: K, value: V, bytes: number): void {
    this.#drop(key);
    if (bytes > this.#mostBytes) return;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: K): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
