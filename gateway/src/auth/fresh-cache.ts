// Remembers looked-up values for a second, so that a busy credential costs no database round trip per request. A revoked
// credential stops within that second, even when the message about it is lost.
import { LRUCache } from 'lru-cache';

const usualFreshMs = 1_000;
/** Until this age a value is used when it cannot be looked up: a failover of Postgres takes seconds. */
const graceMs = 4_000;
/** The time for which the absence of a value is believed. */
const absentMs = 1_000;
const remembered = 10_000;

export interface FreshCacheOptions {
  /**
   * Older than this, in milliseconds (1 s): looked up before it is used. Older than half of it: used once more while it is looked up
   * again in the background. Look-ups are dated by their start, so this bounds the life of a revoked credential.
   */
  readonly freshMs?: number;
  readonly now?: () => number;
}

interface Entry<T> {
  readonly value: T;
  readonly at: number;
}

export class FreshCache<T extends object> {
  readonly #present = new LRUCache<string, Entry<T>>({ max: remembered });
  // Kept apart, so that a flood of unknown credentials cannot push out the good ones.
  readonly #absent = new LRUCache<string, Entry<true>>({ max: remembered });
  readonly #running = new Map<string, Promise<T | undefined>>();
  readonly #freshMs: number;
  readonly #now: () => number;
  /** Grows with every removal: results of lookups from before a removal are not kept. */
  #generation = 0;

  constructor({ freshMs = usualFreshMs, now = () => Date.now() }: FreshCacheOptions = {}) {
    this.#freshMs = freshMs;
    this.#now = now;
  }

  /**
   * The value behind `key`, undefined if there is none. At most one lookup per key runs at a time.
   * @throws the error of `load`, unless a value of the last seconds is at hand that nothing has removed
   */
  async get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.#now();
    const entry = this.#present.get(key);
    if (entry !== undefined && now - entry.at <= this.#freshMs) {
      if (now - entry.at > this.#freshMs / 2) void this.#load(key, load).catch(() => undefined);
      return entry.value;
    }
    const absent = this.#absent.get(key);
    if (absent !== undefined && now - absent.at <= absentMs) return undefined;
    return this.#load(key, load).catch((error: unknown) => this.#valueOfLastSeconds(key, error));
  }

  /** @throws the error */
  #valueOfLastSeconds(key: string, error: unknown): T {
    const entry = this.#present.get(key);
    if (entry === undefined || this.#now() - entry.at > graceMs) throw error;
    return entry.value;
  }

  delete(key: string): void {
    this.#outdateLookups();
    this.#present.delete(key);
    this.#absent.delete(key);
  }

  /** Drops every value that fits. */
  deleteWhere(fits: (value: T) => boolean): void {
    this.#outdateLookups();
    this.#absent.clear();
    for (const [key, { value }] of [...this.#present.entries()]) if (fits(value)) this.#present.delete(key);
  }

  clear(): void {
    this.#outdateLookups();
    this.#present.clear();
    this.#absent.clear();
  }

  // A running lookup may have read values from before the change: no request may join it, and its result is not kept.
  #outdateLookups(): void {
    this.#generation += 1;
    this.#running.clear();
  }

  #load(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const at = this.#now();
    const generation = this.#generation;
    const loading = load()
      .then((value) => {
        if (generation === this.#generation) this.#keep(key, value, at);
        return value;
      })
      .finally(() => {
        if (this.#running.get(key) === loading) this.#running.delete(key);
      });
    this.#running.set(key, loading);
    return loading;
  }

  #keep(key: string, value: T | undefined, at: number): void {
    if (value === undefined) {
      this.#present.delete(key);
      this.#absent.set(key, { value: true, at });
    } else this.#present.set(key, { value, at });
  }
}
