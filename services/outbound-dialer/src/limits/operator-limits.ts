// The limits that the operator of the platform sets for organizations. An organization's own settings stay within them.
import type { Tx } from '@parlance/postgres';
import { type OperatorLimits, usualLimits } from './limits-env.js';

export type { OperatorLimits } from './limits-env.js';

/** The limits set for one organization alone. An absent limit is the same as for every organization. */
export type LimitOverrides = Readonly<Partial<OperatorLimits>>;

/** The organization id of the row with the limits of every organization. */
const everybody = '';

/** The row that `limitColumns` select. */
export interface LimitRow {
  /** Null before a dialer was started with its environment. */
  readonly everybodys: OperatorLimits | null;
  readonly own: LimitOverrides | null;
}

/** For a query of which the first value is the id of an organization. */
export const limitColumns = `(select limits from operator_limits where organization_id = '${everybody}') as everybodys,
  (select limits from operator_limits where organization_id = $1) as own`;

/** The limits in force. */
export const limitsIn = (row: LimitRow | undefined): OperatorLimits => ({
  ...(row?.everybodys ?? usualLimits),
  ...row?.own,
});

/** The limits of every organization, those set for this organization alone, and those in force for it. */
export const knownLimits = async (
  tx: Tx,
  organizationId: string,
): Promise<LimitRow & { readonly inForce: OperatorLimits }> => {
  const { rows } = await tx.query<LimitRow>({
    name: 'operator-limits',
    text: `select ${limitColumns}`,
    values: [organizationId],
  });
  return { everybodys: null, own: null, ...rows[0], inForce: limitsIn(rows[0]) };
};

/** The limits in force. */
export const operatorLimitsOf = async (tx: Tx, organizationId: string): Promise<OperatorLimits> =>
  (await knownLimits(tx, organizationId)).inForce;

/** Stores the limits of the environment, so that every copy of the service, and the command line, use the same ones. */
export const recordEverybodysLimits = async (tx: Tx, limits: OperatorLimits, now: Date): Promise<void> => {
  await tx.query(
    `insert into operator_limits as known (organization_id, limits, updated_at) values ($1, $2, $3)
     on conflict (organization_id) do update set limits = excluded.limits, updated_at = excluded.updated_at
     where known.limits <> excluded.limits`,
    [everybody, JSON.stringify(limits), now.toISOString()],
  );
};

/** Undefined: the limit of every organization again; absent: unchanged. */
export type LimitChange = { readonly [K in keyof OperatorLimits]?: OperatorLimits[K] | undefined };

/** Changes the limits of one organization. A limit below the present use is accepted, too; the use cannot grow then. */
export const setLimits = async (
  tx: Tx,
  organizationId: string,
  change: LimitChange,
  now: Date,
): Promise<void> => {
  const removed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []));
  await tx.query(
    `insert into operator_limits as known (organization_id, limits, updated_at) values ($1, $2::jsonb, $4)
     on conflict (organization_id) do update set limits = (known.limits || $2::jsonb) - $3::text[], updated_at = $4`,
    // JSON leaves out undefined values.
    [organizationId, JSON.stringify(change), removed, now.toISOString()],
  );
};
