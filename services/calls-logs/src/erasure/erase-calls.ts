// Erases calls that were deleted: their rows, documents and files, and last the keys of their streams, after which the events and
// every copy of them in a backup are unreadable.
import type { PersonalData } from '@parlance/crypto';
import type { Erasures } from '@parlance/erasure';
import { streamOf } from '@parlance/event-sourcing';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { callCategory } from '../call/call-repository.js';
import type { CallDocuments } from '../read-models/call-documents.js';
import { eraseRows } from './erase-rows.js';
import type { CallToErase } from './erasure-queue.js';

export interface CallEraserOptions {
  readonly db: Database;
  readonly documents: Pick<CallDocuments, 'erase'>;
  readonly personalData: Pick<PersonalData, 'forget'>;
  readonly erasures: Pick<Erasures, 'record'>;
  readonly clock: Clock;
}

export class CallEraser {
  readonly #options: CallEraserOptions;

  constructor(options: CallEraserOptions) {
    this.#options = options;
  }

  /**
   * Erases what is left of these calls, and logs it. Repetitions do no harm.
   * @throws AppError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT or STORAGE_UNAVAILABLE; it is to be repeated then
   */
  async erase(calls: readonly CallToErase[]): Promise<void> {
    await this.eraseAgain(calls);
    const logged = calls.filter(({ isLogged }) => isLogged);
    await this.#options.erasures.record(
      logged.map(({ callId, organizationId, requestedAt }) => ({
        organizationId,
        kind: 'call',
        id: callId,
        at: requestedAt.toISOString(),
      })),
    );
  }

  /** Without the log, which has these calls already. */
  async eraseAgain(calls: readonly Pick<CallToErase, 'callId' | 'organizationId'>[]): Promise<void> {
    if (calls.length === 0) return;
    const { db, documents, personalData, clock } = this.#options;
    const callIds = calls.map(({ callId }) => callId);
    await eraseRows(db, calls, clock.now());
    await documents.erase(callIds);
    await personalData.forget(...callIds.map((callId) => streamOf(callCategory, callId)));
  }
}
