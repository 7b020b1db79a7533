// What counts against the operator's limits, by UTC days and months: the rows of `operator_spend`, which triggers keep. A limit
// of the installation is shared out among stripes (installation-shares.ts). Where the share of a stripe is too small, the
// transaction is undone and done again with all stripes locked, so that shares can move.
import type { Database, Tx } from '@parlance/postgres';
import type { InstallationLimits } from '../limits/limits-env.js';
import { type Bound, nothingSpent, ownBound, type Total } from './envelope.js';
import { shareOut, stripeCount } from './installation-shares.js';
import { monthOf } from './totals.js';

/** The limits of the installation that a reservation meets. */
export type InstallationMost = Pick<InstallationLimits, 'dayMicros' | 'monthMicros' | 'concurrentCalls'>;

export const unlimitedInstallation: InstallationMost = {
  dayMicros: null,
  monthMicros: null,
  concurrentCalls: null,
};

/** The limits of the operator that a reservation meets. */
export interface OperatorMost {
  readonly organizationId: string;
  /** True for something that counts as a call in progress. */
  readonly isCall: boolean;
  readonly utcDay: string;
  /** Of the organization. */
  readonly dayMicros: number | null;
  readonly monthMicros: number | null;
  readonly installation: InstallationMost;
}

type OperatorPeriod = 'calls' | 'day' | 'month';

interface SpendRow {
  readonly isInstallation: boolean;
  readonly period: OperatorPeriod;
  readonly spent: number;
  readonly reserved: number;
  readonly share: number | null;
  readonly sharedLimit: number | null;
}

const installation = '*';

const limitIn = (most: InstallationMost, period: OperatorPeriod): number | null =>
  period === 'calls' ? most.concurrentCalls : period === 'day' ? most.dayMicros : most.monthMicros;

const boundsIn = (
  { isCall, dayMicros, monthMicros, installation: most }: OperatorMost,
  rowOf: (isInstallation: boolean, period: OperatorPeriod) => SpendRow | undefined,
): Bound[] => {
  const totalOf = (period: OperatorPeriod): Total => {
    const row = rowOf(false, period);
    return row === undefined ? nothingSpent : { spentMicros: row.spent, reservedMicros: row.reserved };
  };
  /** The most that may be used and what is used; a limit that was not shared out yet leaves no room. */
  const shareOf = (period: OperatorPeriod): { readonly most: number | null; readonly used: number } => {
    const row = rowOf(true, period);
    const used = (row?.spent ?? 0) + (row?.reserved ?? 0);
    const limit = limitIn(most, period);
    if (limit === null) return { most: null, used };
    return { most: row?.sharedLimit === limit ? (row.share ?? used) : used, used };
  };
  const [calls, day, month] = [shareOf('calls'), shareOf('day'), shareOf('month')];
  const ofAll = (limit: 'day' | 'month', share: typeof day): Bound => ({
    limit,
    scope: 'installation',
    mostMicros: share.most,
    usedMicros: share.used,
    total: totalOf(limit),
  });
  const money: Bound[] = [
    ownBound('day', dayMicros, totalOf('day')),
    ownBound('month', monthMicros, totalOf('month')),
    ofAll('day', day),
    ofAll('month', month),
  ];
  return isCall
    ? [...money, { limit: 'calls', scope: 'installation', mostCalls: calls.most, usedCalls: calls.used }]
    : money;
};

const keysOf = (utcDay: string): readonly [string, string] => [utcDay, monthOf(utcDay)];

const ownStripe = async (tx: Tx, most: OperatorMost): Promise<readonly Bound[]> => {
  const { rows } = await tx.query<SpendRow>({
    name: 'operator-spend',
    text: `select organization_id = '${installation}' as "isInstallation", period, spent::float8 as spent,
             reserved::float8 as reserved, share::float8 as share, shared_limit::float8 as "sharedLimit"
           from operator_spend
           where ((organization_id = $1 and stripe = 0)
               or (organization_id = '${installation}' and stripe = installation_stripe($1)))
             and ((period = 'calls' and key = '') or (period = 'day' and key = $2) or (period = 'month' and key = $3))
           order by organization_id = '${installation}', period for update`,
    values: [most.organizationId, ...keysOf(most.utcDay)],
  });
  return boundsIn(most, (isInstallation, period) =>
    rows.find((row) => row.isInstallation === isInstallation && row.period === period),
  );
};

const installationSums = `select true as "isInstallation", period, sum(spent)::float8 as spent, sum(reserved)::float8 as reserved,
    null::float8 as share, null::float8 as "sharedLimit"
  from operator_spend where organization_id = '${installation}'
    and ((period = 'calls' and key = '') or (period = 'day' and key = $1) or (period = 'month' and key = $2))
  group by period`;

/** The same for a look that grants nothing: of the installation the sums count, whichever stripe has room. */
export const operatorBounds = async (tx: Tx, most: OperatorMost): Promise<readonly Bound[]> => {
  const { rows } = await tx.query<SpendRow>({
    name: 'operator-spend-sums',
    text: `${installationSums}
           union all select false, period, spent::float8, reserved::float8, null, null from operator_spend
           where organization_id = $3 and stripe = 0 and (period, key) in (('day', $1), ('month', $2))`,
    values: [...keysOf(most.utcDay), most.organizationId],
  });
  return boundsIn(most, (isInstallation, period) => {
    const row = rows.find((one) => one.isInstallation === isInstallation && one.period === period);
    if (!isInstallation) return row;
    const limit = limitIn(most.installation, period);
    const { spent, reserved } = row ?? { spent: 0, reserved: 0 };
    return { isInstallation, period, spent, reserved, share: limit, sharedLimit: limit };
  });
};

/** What all organizations together use at this moment, for people and metrics. */
export interface InstallationUse {
  readonly calls: number;
  readonly day: Total;
  readonly month: Total;
}

/** Sums the rows of the stripes, so it costs the same however many organizations and calls there are. */
export const installationUse = async (tx: Tx, utcDay: string): Promise<InstallationUse> => {
  const { rows } = await tx.query<SpendRow>({
    name: 'installation-use',
    text: installationSums,
    values: [...keysOf(utcDay)],
  });
  const sumOf = (period: OperatorPeriod): Total => {
    const row = rows.find((one) => one.period === period);
    return { spentMicros: row?.spent ?? 0, reservedMicros: row?.reserved ?? 0 };
  };
  return { calls: sumOf('calls').reservedMicros, day: sumOf('day'), month: sumOf('month') };
};

/** Whether the share of the stripe is enough or the work is undone, or shares move to the stripe while the others wait. */
export type Shares = 'as they are' | 'moving';

/** The share of a limit of the installation is too small for a reservation, which may fit into the limit all the same. */
export class ShareTooSmall extends Error {
  override readonly name = 'ShareTooSmall';
}

interface StripeRow {
  readonly stripe: number;
  readonly period: OperatorPeriod;
  readonly used: number;
  readonly favoured: number;
}

const usedIn = (rows: readonly StripeRow[], period: OperatorPeriod): readonly number[] =>
  Array.from(
    { length: stripeCount },
    (_, stripe) => rows.find((row) => row.stripe === stripe && row.period === period)?.used ?? 0,
  );

/** Locks all stripes and moves shares to the one of the organization. @param wanted micros and calls that it would like to have */
const moveShares = async (
  tx: Tx,
  most: OperatorMost,
  wanted: { readonly micros: number; readonly calls: number },
): Promise<void> => {
  const [day, month] = keysOf(most.utcDay);
  const keys = { calls: '', day, month };
  await tx.query(
    `insert into operator_spend (organization_id, stripe, period, key)
     select '${installation}', stripe, period, key
     from generate_series(0, ${stripeCount - 1}) as s (stripe)
       cross join (values ('calls', ''), ('day', $1), ('month', $2)) as p (period, key)
     order by stripe, period on conflict do nothing`,
    [day, month],
  );
  const { rows } = await tx.query<StripeRow>(
    `select stripe, period, (spent + reserved)::float8 as used, installation_stripe($3) as favoured from operator_spend
     where organization_id = '${installation}'
       and ((period = 'calls' and key = '') or (period = 'day' and key = $1) or (period = 'month' and key = $2))
     order by stripe, period for update`,
    [day, month, most.organizationId],
  );
  const favoured = rows[0]?.favoured ?? 0;
  const changes = (['calls', 'day', 'month'] as const).flatMap((period) => {
    const limit = limitIn(most.installation, period);
    if (limit === null) return [];
    const all = period === 'calls' ? wanted.calls : wanted.micros;
    const shares = shareOut(limit, usedIn(rows, period), { favoured, wanted: all });
    return shares.map((share, stripe) => ({ stripe, period, key: keys[period], share, shared_limit: limit }));
  });
  await tx.query(
    `update operator_spend o set share = c.share, shared_limit = c.shared_limit
     from jsonb_to_recordset($1) as c (stripe smallint, period text, key text, share bigint, shared_limit bigint)
     where o.organization_id = '${installation}' and o.stripe = c.stripe and o.period = c.period and o.key = c.key`,
    [JSON.stringify(changes)],
  );
};

/**
 * The operator's sides of the envelope. The caller holds the organization's ledger (`lockLedgers`); from here on it holds the
 * stripe of the organization, too, and all stripes where shares move.
 */
export const lockOperatorBounds = async (
  tx: Tx,
  most: OperatorMost,
  wanted: { readonly micros: number; readonly calls: number },
  shares: Shares,
): Promise<readonly Bound[]> => {
  const isLimited = Object.values(most.installation).some((limit) => limit !== null);
  if (shares === 'moving' && isLimited) await moveShares(tx, most, wanted);
  return ownStripe(tx, most);
};

/** Runs a transaction that reserves. It is undone and run again where shares have to move for it. */
export const reserving = async <T>(
  db: Database,
  work: (tx: Tx, shares: Shares) => Promise<T>,
): Promise<T> => {
  try {
    return await db.transaction((tx) => work(tx, 'as they are'));
  } catch (error) {
    if (!(error instanceof ShareTooSmall)) throw error;
    return db.transaction((tx) => work(tx, 'moving'));
  }
};

/** Deletes the rows of months that are over for a long time. */
export const pastOperatorSpend = {
  table: 'operator_spend',
  where: `(period = 'day' and key < to_char($1::timestamptz - interval '40 days', 'YYYY-MM-DD'))
    or (period = 'month' and key < to_char($1::timestamptz - interval '100 days', 'YYYY-MM'))`,
} as const;
