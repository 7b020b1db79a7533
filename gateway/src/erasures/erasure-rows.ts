// Erasures in the gateway's own table.
import type { ErasureState } from '@parlance/contracts';
import { JobQueue, type LeaseHolder } from '@parlance/jobs';
import { deleteInPieces, type Tx } from '@parlance/postgres';

export interface ErasureRow {
  readonly id: string;
  readonly kind: 'person' | 'organization' | 'account';
  readonly organizationId: string;
  readonly subject: string;
  readonly sealedNumber: string | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly waitingFor: readonly string[];
  readonly loggedAt: Date | null;
  readonly finishedAt: Date | null;
}

export type NewErasure = Pick<ErasureRow, 'id' | 'kind' | 'organizationId' | 'subject' | 'requestedBy'> & {
  readonly sealedNumber?: string;
};

/** An erasure as the API shows it. */
export const shownErasure = ({ id, finishedAt, requestedAt, waitingFor }: ErasureRow): ErasureState => ({
  id,
  status: finishedAt === null ? 'running' : 'finished',
  requestedAt: requestedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  waitingFor: [...waitingFor],
});

/** How long the state of a finished erasure can be read. */
const keptDays = 90;

const columns = `id, kind, organization_id as "organizationId", subject, sealed_number as "sealedNumber",
  requested_by as "requestedBy", requested_at as "requestedAt", waiting_for as "waitingFor",
  logged_at as "loggedAt", finished_at as "finishedAt"`;

/** Changes nothing when the erasure is known. */
export const addErasure = async (tx: Tx, erasure: NewErasure): Promise<void> => {
  await tx.query(
    `insert into erasures (id, kind, organization_id, subject, sealed_number, requested_by)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
    [
      erasure.id,
      erasure.kind,
      erasure.organizationId,
      erasure.subject,
      erasure.sealedNumber ?? null,
      erasure.requestedBy,
    ],
  );
};

export const findErasure = async (
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<ErasureRow | undefined> => {
  const { rows } = await tx.query<ErasureRow>(
    `select ${columns} from erasures where organization_id = $1 and id = $2 and kind = 'person'`,
    [organizationId, id],
  );
  return rows[0];
};

/** The removal of an organization, for the person who asked for it: nobody belongs to the organization any more. */
export const findRemoval = async (
  tx: Tx,
  requestedBy: string,
  id: string,
): Promise<ErasureRow | undefined> => {
  const { rows } = await tx.query<ErasureRow>(
    `select ${columns} from erasures where requested_by = $1 and id = $2 and kind = 'organization'`,
    [requestedBy, id],
  );
  return rows[0];
};

export const erasureJobs = new JobQueue<ErasureRow>({
  name: 'erasures',
  table: 'erasures',
  key: ['id'],
  columns,
  dueAt: 'next_at',
  leaseMs: 60_000,
  retry: { firstMs: 5_000, longestMs: 5_000 },
});

export const noteLogged = async (tx: Tx, id: string): Promise<void> => {
  await tx.query('update erasures set logged_at = now() where id = $1', [id]);
};

/** @param lookAgainAt for what may arrive after the end; null when nothing can */
export const finish = (tx: Tx, job: LeaseHolder, lookAgainAt: Date | null): Promise<boolean> =>
  erasureJobs.update(tx, job, {
    set: `finished_at = coalesce(finished_at, now()), waiting_for = '{}', sealed_number = null, next_at = $1`,
    values: [lookAgainAt],
  });

export const pruneErasures = (db: Tx): Promise<number> =>
  deleteInPieces(db, {
    table: 'erasures',
    where: `next_at is null and finished_at < now() - make_interval(days => ${keptDays})`,
  });
