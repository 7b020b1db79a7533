// Requests reports of attempts of the dialer, in events: the dialer requests facts of this service, and not the other way around.
import { events } from '@parlance/contracts';
import type { Clock, Ids } from '@parlance/observability';
import { announce, type Database } from '@parlance/postgres';
import type { OpenCall } from '../read-models/open-calls.js';

export interface AttemptRequestsOptions {
  readonly db: Pick<Database, 'transaction'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The time, in milliseconds, after which a report is requested again. */
  readonly everyMs: number;
}

export class AttemptRequests {
  readonly #options: AttemptRequestsOptions;
  /** When the report about a call was requested last, by the process's clock. */
  readonly #requestedAt = new Map<string, number>();

  constructor(options: AttemptRequestsOptions) {
    this.#options = options;
  }

  async request(calls: readonly OpenCall[]): Promise<void> {
    const { db, everyMs } = this.#options;
    const now = performance.now();
    for (const [callId, at] of this.#requestedAt) if (now - at >= everyMs) this.#requestedAt.delete(callId);
    const due = calls.filter(({ callId }) => !this.#requestedAt.has(callId));
    if (due.length === 0) return;
    await db.transaction(async (tx) => {
      for (const organizationId of new Set(due.map((call) => call.organizationId))) {
        const callIds = due
          .filter((call) => call.organizationId === organizationId)
          .map(({ callId }) => callId);
        await announce(tx, this.#options, events.attemptsRequested, organizationId, { callIds });
      }
    });
    for (const { callId } of due) this.#requestedAt.set(callId, now);
  }
}
