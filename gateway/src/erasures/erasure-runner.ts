// Works on the erasures until nothing is left. Every gateway does; each erasure is leased by one of them at a time.
import type { Erasures } from '@parlance/erasure';
import { type Leased, startJobs } from '@parlance/jobs';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Logger, RunningPart } from '@parlance/observability';
import { type Database, deleteOfOrganization } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import { type ErasureRow, erasureJobs, finish, noteLogged, pruneErasures } from './erasure-rows.js';
import { deleteFilesOf, noUploadsAfter } from './organization-files.js';
import type { PersonKeys } from './person-keys.js';
import { erasePerson, leftOfOrganization } from './remains.js';

export interface ErasureRunnerOptions {
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly keys: PersonKeys;
  readonly erasures: Erasures;
  /** Undefined where no object storage is configured. */
  readonly storage: ObjectStorage | undefined;
  readonly logger: Logger;
}

/** Finished, or the time of the next look. */
type Progress =
  | { readonly isFinished: true; readonly lookAgainAt: Date | null }
  | { readonly isFinished: false; readonly seconds: number; readonly left: readonly string[] };

const everyMs = 1_000;
const waitSeconds = 5;
const soonSeconds = 1;
const finished: Progress = { isFinished: true, lookAgainAt: null };

export class ErasureRunner {
  readonly #options: ErasureRunnerOptions;

  constructor(options: ErasureRunnerOptions) {
    this.#options = options;
  }

  start(): RunningPart {
    const { db, logger } = this.#options;
    return startJobs({
      name: 'erasures',
      everyMs,
      db,
      queue: erasureJobs,
      logger,
      atOnce: 1,
      perform: (erasure) => this.#work(erasure),
      describe: ({ id: erasureId, kind, organizationId }) => ({ erasureId, kind, organizationId }),
      afterwards: () => pruneErasures(db),
    });
  }

  async #work(erasure: Leased<ErasureRow>): Promise<void> {
    const { db, logger } = this.#options;
    const { id, kind, organizationId } = erasure;
    const progress = await this.#progress(erasure);
    if (!progress.isFinished) {
      const change = { set: 'waiting_for = $1', values: [progress.left] };
      await erasureJobs.defer(db, erasure, progress.seconds * 1_000, change);
      return;
    }
    const isHeld = await finish(db, erasure, progress.lookAgainAt);
    if (isHeld && erasure.finishedAt === null)
      logger.info({ erasureId: id, kind, organizationId }, 'erasure finished');
  }

  #progress(erasure: ErasureRow): Promise<Progress> {
    if (erasure.kind === 'person') return this.#person(erasure);
    return erasure.kind === 'organization' ? this.#organization(erasure) : this.#account(erasure);
  }

  /** The services log it, each under its own hash of the number. */
  async #person({ id, organizationId, sealedNumber, requestedBy }: ErasureRow): Promise<Progress> {
    const { rpc, keys } = this.#options;
    if (sealedNumber === null) return finished;
    const phoneNumber = keys.open(id, sealedNumber);
    const { erased, left } = await erasePerson(rpc, {
      erasureId: id,
      organizationId,
      phoneNumber,
      requestedBy,
    });
    // Whatever was erased may have led to something elsewhere, such as the end of a call that was cancelled.
    if (left.length === 0 && erased === 0) return finished;
    return { isFinished: false, seconds: erased > 0 ? soonSeconds : waitSeconds, left };
  }

  async #organization(erasure: ErasureRow): Promise<Progress> {
    const { db, rpc, storage } = this.#options;
    const { id, organizationId, requestedAt, finishedAt } = erasure;
    if (finishedAt === null) {
      await this.#log(erasure);
      if (!(await deleteOfOrganization(db, organizationId, ['idempotency_records'])))
        return { isFinished: false, seconds: soonSeconds, left: ['gateway'] };
      const left = await leftOfOrganization(rpc, { organizationId, removalId: id });
      if (left.length > 0) return { isFinished: false, seconds: soonSeconds, left };
    }
    if (storage === undefined) return finished;
    if (!(await deleteFilesOf(storage, organizationId)))
      return { isFinished: false, seconds: 0, left: ['object storage'] };
    const lookAgainAt = noUploadsAfter(requestedAt);
    return { isFinished: true, lookAgainAt: lookAgainAt > new Date() ? lookAgainAt : null };
  }

  async #account(erasure: ErasureRow): Promise<Progress> {
    await this.#log(erasure);
    return finished;
  }

  /** Before the end, so that nothing counts as erased that a restored backup would bring back. */
  async #log({ id, kind, organizationId, subject, requestedAt, loggedAt }: ErasureRow): Promise<void> {
    if (loggedAt !== null) return;
    const { db, erasures } = this.#options;
    await erasures.record([{ organizationId, kind, id: subject, at: requestedAt.toISOString() }]);
    await noteLogged(db, id);
  }
}
