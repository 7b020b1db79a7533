// Removes an organization in three steps. The services that could begin something for it close themselves to it and
// count its open things. Then it is deleted and announced in one transaction, or the services are opened again. A
// gateway that dies in between leaves a row, and any gateway takes that removal back.
import type { ErasureState } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { startJobs } from '@parlance/jobs';
import type { Clock, Ids, Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { findRemoval, shownErasure } from '../erasures/erasure-rows.js';
import {
  beginRemoval,
  type DeletedOrganization,
  deleteOrganization,
  endTakenBack,
  leftRemovals,
  requireOwner,
  takeBack,
} from './removal-store.js';
import type { InUse, Removal, TenantServices } from './tenant-services.js';

export interface RemovalsParts {
  readonly db: Database;
  readonly services: TenantServices;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longer than all services take to answer. */
  readonly leaseMs: number;
}

const everyMs = 2_000;

const isInUse = (found: InUse): boolean => Object.values(found).some((count) => count > 0);

/** A service that cannot be asked is an outage, whether it is away or slow: the same request may succeed later. */
const notAsked = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'UPSTREAM_TIMEOUT'
    ? new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 2 })
    : error;

export class OrganizationRemovals {
  readonly #parts: RemovalsParts;

  constructor(parts: RemovalsParts) {
    this.#parts = parts;
  }

  /**
   * @throws AppError NOT_FOUND; PERMISSION_DENIED; ORGANIZATION_IN_USE with the counts of everything left of it.
   *   CONFLICT while it is being removed already. SERVICE_UNAVAILABLE when a service cannot be asked: nothing was
   *   deleted then
   */
  async remove(organizationId: string, userId: string): Promise<DeletedOrganization> {
    const { db, ids, clock, leaseMs } = this.#parts;
    await requireOwner(db, organizationId, userId);
    const removal = { organizationId, removalId: ids.next() };
    if (!(await beginRemoval(db, removal, userId, leaseMs)))
      throw new AppError('CONFLICT', { retryAfterSeconds: 1 });
    try {
      await this.#refuseInUse(removal);
      return await deleteOrganization(db, removal, { userId, at: clock.now() });
    } catch (error) {
      await this.#reopen(removal);
      throw error;
    }
  }

  /** The state of a removal, for the person who asked for it. @throws AppError NOT_FOUND */
  async stateOf(userId: string, removalId: string): Promise<ErasureState> {
    const row = await findRemoval(this.#parts.db, `user:${userId}`, removalId);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return shownErasure(row);
  }

  /** Takes back the removals that dead gateways have left behind, from now on. */
  start(): RunningPart {
    const { db, services, logger, leaseMs } = this.#parts;
    return startJobs({
      name: 'taking back of removals',
      everyMs,
      db,
      queue: leftRemovals(leaseMs),
      logger,
      atOnce: 1,
      perform: async (left) => {
        await services.reopen(left);
        await endTakenBack(db, left);
        const { organizationId } = left;
        logger.info({ organizationId }, 'a removal that was left behind was taken back');
      },
      describe: ({ organizationId }) => ({ organizationId }),
    });
  }

  async #refuseInUse(removal: Removal): Promise<void> {
    const found = await this.#parts.services.close(removal).catch((error: unknown) => {
      throw notAsked(error);
    });
    if (isInUse(found)) throw new AppError('ORGANIZATION_IN_USE', { details: found });
  }

  /** A reopening that fails now is left to the rounds: the organization begins nothing until then. */
  async #reopen(removal: Removal): Promise<void> {
    const { db, services, logger, leaseMs } = this.#parts;
    try {
      // The table is asked, because a deletion has happened even when its answer was lost.
      if (!(await takeBack(db, removal, leaseMs))) return;
      await services.reopen(removal);
      await endTakenBack(db, removal);
    } catch (err) {
      const { organizationId } = removal;
      logger.warn({ organizationId, err }, 'taking back a removal has to wait');
    }
  }
}
