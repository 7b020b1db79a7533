// Claims on numbers that are being bought or given back. One process at a time works on a number, and a holder that
// lost its claim cannot write. Purchases are safe without claims, because only the buyer's process ever sends a request
// to buy.
import type { Clock } from '@parlance/observability';
import { inLocked, type Tx } from '@parlance/postgres';
import type { NumberRow, Step } from '../numbers/number-record.js';

export interface Claimant {
  readonly holder: string;
  readonly now: Date;
  readonly forMs: number;
}

/** A claim is made of these parts of the service: the process that works on a number, the clock, and the time. */
interface Claiming {
  readonly holder: string;
  readonly clock: Clock;
  /** The life of a claim after its last step, in milliseconds; then another process may claim the number. */
  readonly claimMs: number;
}

export const claimantOf = ({ holder, clock, claimMs }: Claiming): Claimant => ({
  holder,
  now: clock.now(),
  forMs: claimMs,
});

const until = ({ now, forMs }: Claimant): Date => new Date(now.getTime() + forMs);
/** A buyer waits for a purchase; a release has no person waiting, so its pauses may be longer. */
const longestWaitMs = { provisioning: 5_000, releasing: 60_000 };
const shortestWaitMs = 500;

const unfinished = {
  table: 'numbers',
  where: `status in ('provisioning', 'releasing') and next_try_at <= $2
    and (claimed_until is null or claimed_until < $2)`,
  order: 'next_try_at',
};

/** Numbers without a claim that are due. */
export const claimUnfinished = async (tx: Tx, claimant: Claimant, limit: number): Promise<NumberRow[]> => {
  const { rows } = await tx.query<NumberRow>(
    `update numbers set claimed_by = $1, claimed_until = $3 where ${inLocked(unfinished, '$4')}
     returning *`,
    [claimant.holder, claimant.now, until(claimant), limit],
  );
  return rows;
};

/**
 * Takes a begun purchase over from the process that began it; undefined for one that is ordered or over. Whoever gets the row sends the
 * one request to buy.
 */
export const takeBegun = async (
  tx: Tx,
  claimant: Claimant,
  organizationId: string,
  id: string,
): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>(
    `update numbers set awaits_money = false, claimed_by = $3, claimed_until = $4
     where organization_id = $1 and id = $2 and awaits_money and status = 'provisioning' returning *`,
    [organizationId, id, claimant.holder, until(claimant)],
  );
  return rows[0];
};

export interface Progress {
  readonly step: Step;
  readonly providerNumberId?: string;
  readonly purchasedAt?: Date;
}

/** Records a step of a purchase, and keeps the claim; undefined when this process has lost the number. */
export const recordStep = async (
  tx: Tx,
  claimant: Claimant,
  row: NumberRow,
  progress: Progress,
): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>(
    `update numbers set step = $4, provider_number_id = coalesce($5, provider_number_id),
       purchased_at = coalesce(purchased_at, $6), claimed_until = $7, updated_at = $3
     where id = $1 and claimed_by = $2 and status = 'provisioning' and step = $8 returning *`,
    [
      row.id,
      claimant.holder,
      claimant.now,
      progress.step,
      progress.providerNumberId ?? null,
      progress.purchasedAt ?? null,
      until(claimant),
      row.step,
    ],
  );
  return rows[0];
};

export interface Settled {
  readonly status: 'active' | 'failed' | 'releasing' | 'released';
  readonly failureCode?: string | null;
}

/** The end of a purchase or a release, or its turning into one; undefined as above. */
export const recordStatus = async (
  tx: Tx,
  { holder, now }: Claimant,
  row: NumberRow,
  { status, failureCode }: Settled,
): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>(
    `update numbers set status = $4, step = case when $4 in ('active', 'released') then 'done' else step end,
       failure_code = coalesce($5, failure_code), version = version + 1, updated_at = $3,
       claimed_by = null, claimed_until = null, tries = 0, next_try_at = $3
     where id = $1 and claimed_by = $2 and status = $6 returning *`,
    [row.id, holder, now, status, failureCode ?? null, row.status],
  );
  return rows[0];
};

/** Gives the claim up; the next look at the number comes later with every try. */
export const letGo = async (tx: Tx, { holder, now }: Claimant, row: NumberRow): Promise<void> => {
  const longest = row.status === 'releasing' ? longestWaitMs.releasing : longestWaitMs.provisioning;
  const waitMs = Math.min(longest, shortestWaitMs * 2 ** Math.min(row.tries, 10));
  await tx.query(
    `update numbers set claimed_by = null, claimed_until = null, tries = tries + 1, next_try_at = $3
     where id = $1 and claimed_by = $2`,
    [row.id, holder, new Date(now.getTime() + waitMs)],
  );
};

export const currentRow = async (tx: Tx, id: string): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>('select * from numbers where id = $1', [id]);
  return rows[0];
};
