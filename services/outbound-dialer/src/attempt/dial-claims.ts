// Claims on calls: any number of dialers share the due calls, and each takes over the calls of a dead one.
import type { Provider } from '@parlance/contracts';
import { type Database, deleteInPieces, lockedRows, type Tx } from '@parlance/postgres';

/** A dialer that stops renewing is thought dead after this time. */
export const claimMs = 15_000;
/** The interval at which recovery asks about connected calls, in case the news of their end was lost. */
const connectedCheckMs = 30_000;

export interface Claimant {
  /** Unique per process. */
  readonly holder: string;
  /** Read when the connection is there: a claim that is counted from an earlier time may have run out already. */
  readonly now: Date;
}

export interface DueCall {
  readonly id: string;
  /** Account that it goes through, if that is known. */
  readonly provider: Provider | null;
}

export interface ConnectedCall {
  readonly id: string;
  readonly organizationId: string;
  readonly callId: string;
}

const later = ({ now }: Claimant, ms: number): string => new Date(now.getTime() + ms).toISOString();

/**
 * Claims calls `c`, unless another process works on them. Two processes never get the same call.
 */
const claim = async <R extends object>(
  db: Tx,
  candidates: { readonly where: string; readonly order: string; readonly columns: string },
  claimant: Claimant,
  { limit, forMs }: { readonly limit: number; readonly forMs: number },
): Promise<R[]> => {
  const unclaimed = lockedRows(
    {
      table: 'outbound_calls c',
      columns: `c.id, c.organization_id, c.current_call_id, c.state->'placed'->>'provider' as provider`,
      where: `${candidates.where} and not exists (
        select from dial_claims d where d.outbound_call_id = c.id and d.claimed_until > $1::timestamptz)`,
      order: candidates.order,
    },
    '$2',
  );
  const { rows } = await db.query<R>(
    `with candidates as (${unclaimed}),
     claimed as (
       insert into dial_claims (outbound_call_id, holder, claimed_until)
       select id, $3, $4::timestamptz from candidates order by id
       on conflict (outbound_call_id) do update set holder = excluded.holder, claimed_until = excluded.claimed_until
         where dial_claims.claimed_until <= $1::timestamptz
       returning outbound_call_id)
     select ${candidates.columns} from candidates c join claimed on claimed.outbound_call_id = c.id`,
    [claimant.now.toISOString(), limit, claimant.holder, later(claimant, forMs)],
  );
  return rows;
};

/** Due calls, oldest first; calls of campaigns have dialers of their own. */
export const claimDue = (db: Tx, claimant: Claimant, limit: number): Promise<DueCall[]> =>
  claim<DueCall>(
    db,
    {
      where: `c.phase = 'queued' and c.campaign_id is null and c.not_before <= $1::timestamptz`,
      order: 'c.not_before, c.id',
      columns: 'c.id, c.provider',
    },
    claimant,
    { limit, forMs: claimMs },
  );

/** Attempts without an outcome on which no process works (any more). */
export const claimUnattended = async (
  db: Tx,
  claimant: Claimant,
  { limit, forMs }: { readonly limit: number; readonly forMs: number },
): Promise<string[]> => {
  const rows = await claim<{ id: string }>(
    db,
    { where: `c.phase = 'dialing'`, order: 'c.updated_at', columns: 'c.id' },
    claimant,
    { limit, forMs },
  );
  return rows.map(({ id }) => id);
};

/** Calls that have been connected for a while, each again after a while. */
export const claimConnected = (db: Tx, claimant: Claimant, limit: number): Promise<ConnectedCall[]> =>
  claim<ConnectedCall>(
    db,
    {
      where: `c.phase = 'connected' and c.updated_at <= $1::timestamptz - interval '30 seconds'`,
      order: 'c.updated_at',
      columns: `c.id, c.organization_id as "organizationId", c.current_call_id as "callId"`,
    },
    claimant,
    { limit, forMs: connectedCheckMs },
  );

/**
 * Cancelled calls in which a phone may still ring or talk. Every process that sees one hangs up: twice does no harm.
 */
export const findHangUps = async (db: Tx, limit: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>('select id from outbound_calls where hang_up limit $1', [
    limit,
  ]);
  return rows.map(({ id }) => id);
};

/** Renews the claims of this process, and begins at once: behind other background work it could come too late. */
export const renewClaims = async (
  db: Pick<Database, 'atOnce'>,
  claimant: Claimant,
  ids: readonly string[],
): Promise<void> => {
  await db.atOnce.query(
    'update dial_claims set claimed_until = $3 where holder = $1 and outbound_call_id = any($2)',
    [claimant.holder, ids, later(claimant, claimMs)],
  );
};

/**
 * Gives the calls up to other processes, at once or a moment later. The read model may lag behind the stream, and would
 * offer the same call again.
 */
export const releaseClaims = async (
  db: Tx,
  claimant: Claimant,
  ids: readonly string[],
  afterMs = 0,
): Promise<void> => {
  await db.query(
    'update dial_claims set claimed_until = $3 where holder = $1 and outbound_call_id = any($2)',
    [claimant.holder, ids, later(claimant, afterMs)],
  );
};

/** Lets others have all that this process still claims, a moment later at the latest. */
export const releaseAllClaims = async (db: Tx, claimant: Claimant, afterMs: number): Promise<void> => {
  await db.query(
    `update dial_claims set claimed_until = $2::timestamptz where holder = $1 and claimed_until > $2::timestamptz`,
    [claimant.holder, later(claimant, afterMs)],
  );
};

/** Deletes claims without a renewal for ten minutes. */
export const forgetOldClaims = async (db: Tx, { now }: Claimant): Promise<void> => {
  await deleteInPieces(db, {
    table: 'dial_claims',
    where: `claimed_until < $1::timestamptz - interval '10 minutes'`,
    values: [now.toISOString()],
  });
};
