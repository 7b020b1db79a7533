// The last use of each key: noted in memory, written in one statement every half minute. A row that every request
// updates would be a lock that every request waits for.
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';

const everyMs = 30_000;

const write = `
  update apikey k set "lastRequest" = greatest(k."lastRequest", used.at)
    from unnest($1::text[], $2::timestamptz[]) as used(id, at)
   where k.id = used.id`;

export class LastUsed implements RunningPart {
  readonly name = 'last use of keys';
  readonly #db: Tx;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #used = new Map<string, Date>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Tx, clock: Clock, logger: Logger) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), everyMs);
    this.#timer.unref();
  }

  note(keyId: string): void {
    this.#used.set(keyId, this.#clock.now());
  }

  /** Writes the noted uses; a failed write is dropped, because the next use will be noted again. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Map();
    try {
      await this.#db.query(write, [[...used.keys()], [...used.values()]]);
    } catch (error) {
      this.#logger.warn({ err: error, keys: used.size }, 'last use of keys was not recorded');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
