// The running totals of the ledger: each change of a reservation is added to its day, its month and its campaign.
import type { Tx } from '@parlance/postgres';
import { nothingSpent, type Total } from './envelope.js';

/** `browser`: a call in a browser, which counts as a call. */
export type SpendKind = 'call' | 'number' | 'browser';
export type Period = 'day' | 'month' | 'campaign' | 'quick';

/** The totals to which a reservation belongs. */
export interface Placement {
  readonly kind: SpendKind;
  readonly campaignId: string | null;
  /** Counts for the organization's budget of quick calls, too. */
  readonly isQuick: boolean;
  /** On the organization's calendar, `2026-11-22`. */
  readonly day: string;
}

export interface Change extends Placement {
  readonly spentMicros: number;
  readonly reservedMicros: number;
}

export interface PeriodKey {
  readonly period: Period;
  readonly key: string;
}

export const monthOf = (day: string): string => day.slice(0, 7);

export const periodsOf = ({ campaignId, isQuick, day }: Placement): readonly PeriodKey[] => [
  { period: 'day', key: day },
  { period: 'month', key: monthOf(day) },
  ...(campaignId === null ? [] : [{ period: 'campaign' as const, key: campaignId }]),
  ...(isQuick ? [{ period: 'quick' as const, key: day }] : []),
];

/** One row of `spend_totals`, or the amounts that are added to it. */
export interface TotalsRow extends PeriodKey {
  readonly calls_spent: number;
  readonly calls_reserved: number;
  readonly numbers_spent: number;
  readonly numbers_reserved: number;
  readonly first_day: string;
  readonly last_day: string;
}

const rowOf = (change: Change, at: PeriodKey): TotalsRow => {
  const { kind, spentMicros: spent, reservedMicros: reserved, day } = change;
  const isCall = kind !== 'number';
  return {
    ...at,
    calls_spent: isCall ? spent : 0,
    calls_reserved: isCall ? reserved : 0,
    numbers_spent: isCall ? 0 : spent,
    numbers_reserved: isCall ? 0 : reserved,
    first_day: day,
    last_day: day,
  };
};

export const addRows = (a: TotalsRow, b: TotalsRow): TotalsRow => ({
  period: a.period,
  key: a.key,
  calls_spent: a.calls_spent + b.calls_spent,
  calls_reserved: a.calls_reserved + b.calls_reserved,
  numbers_spent: a.numbers_spent + b.numbers_spent,
  numbers_reserved: a.numbers_reserved + b.numbers_reserved,
  first_day: a.first_day < b.first_day ? a.first_day : b.first_day,
  last_day: a.last_day > b.last_day ? a.last_day : b.last_day,
});

export const totalOf = (row: TotalsRow | undefined): Total =>
  row === undefined
    ? nothingSpent
    : {
        spentMicros: row.calls_spent + row.numbers_spent,
        reservedMicros: row.calls_reserved + row.numbers_reserved,
      };

/** Sums the changes by period and key, each once. */
export const sumChanges = (changes: readonly Change[]): readonly TotalsRow[] => {
  const sums = new Map<string, TotalsRow>();
  for (const change of changes)
    for (const at of periodsOf(change)) {
      const name = `${at.period}/${at.key}`;
      const before = sums.get(name);
      const row = rowOf(change, at);
      sums.set(name, before === undefined ? row : addRows(before, row));
    }
  return [...sums.values()];
};

const columns = `period text, key text, calls_spent bigint, calls_reserved bigint, numbers_spent bigint,
  numbers_reserved bigint, first_day date, last_day date`;

/** Counts money that was just reserved. The caller has to hold the organization's ledger (`lockLedgers`). */
export const addReserved = async (
  tx: Tx,
  organizationId: string,
  changes: readonly Change[],
): Promise<void> => {
  await tx.query({
    name: 'spend-totals-reserve',
    text: `insert into spend_totals as t (organization_id, period, key, calls_spent, calls_reserved, numbers_spent,
             numbers_reserved, first_day, last_day)
           select $1, period, key, calls_spent, calls_reserved, numbers_spent, numbers_reserved, first_day, last_day
           from jsonb_to_recordset($2) as sums (${columns})
           on conflict (organization_id, period, key) do update
             set calls_reserved = t.calls_reserved + excluded.calls_reserved,
               numbers_reserved = t.numbers_reserved + excluded.numbers_reserved,
               first_day = least(t.first_day, excluded.first_day), last_day = greatest(t.last_day, excluded.last_day)`,
    values: [organizationId, JSON.stringify(sumChanges(changes))],
  });
};

/** Counts reserved money as spent or given back. The caller has to hold the organization's ledger (`lockLedgers`). */
export const moveReserved = async (
  tx: Tx,
  organizationId: string,
  changes: readonly Change[],
): Promise<void> => {
  await tx.query({
    name: 'spend-totals-move',
    text: `update spend_totals t set calls_spent = t.calls_spent + sums.calls_spent,
             calls_reserved = t.calls_reserved + sums.calls_reserved,
             numbers_spent = t.numbers_spent + sums.numbers_spent,
             numbers_reserved = t.numbers_reserved + sums.numbers_reserved
           from jsonb_to_recordset($2) as sums (${columns})
           where t.organization_id = $1 and t.period = sums.period and t.key = sums.key`,
    values: [organizationId, JSON.stringify(sumChanges(changes))],
  });
};

/** The money that is spent and reserved in these periods, in their order. */
export const totalsOf = async (
  tx: Tx,
  organizationId: string,
  keys: readonly PeriodKey[],
): Promise<readonly Total[]> => {
  const { rows } = await tx.query<PeriodKey & Total>({
    name: 'spend-totals-of',
    text: `select period, key, (calls_spent + numbers_spent)::float8 as "spentMicros",
             (calls_reserved + numbers_reserved)::float8 as "reservedMicros"
           from spend_totals
           where organization_id = $1 and (period, key) in (select * from unnest($2::text[], $3::text[]))`,
    values: [organizationId, keys.map(({ period }) => period), keys.map(({ key }) => key)],
  });
  return keys.map(({ period, key }) => {
    const row = rows.find((found) => found.period === period && found.key === key);
    return row === undefined
      ? nothingSpent
      : { spentMicros: row.spentMicros, reservedMicros: row.reservedMicros };
  });
};
