// What the operator of the platform lets an organization have at the most. An organization's own settings come below it.
import type { Tx } from '@parlance/persistence';
import { type OperatorLimits, usualLimits } from './limits-env.js';

export type { OperatorLimits } from './limits-env.js';

/** What was set for one organization: what is absent is as for everybody. */
export type LimitOverrides = Readonly<Partial<OperatorLimits>>;

/** Where the limits of every organization stand. */
const everybody = '';

/** As `limitColumns` select it. */
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

/** The limits of every organization, and what of them is another one for this organization. */
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

/** Writes down what the environment says, so that every copy of the service, and the command line, go by the same. */
export const recordEverybodysLimits = async (tx: Tx, limits: OperatorLimits, now: Date): Promise<void> => {
  await tx.query(
    `insert into operator_limits as known (organization_id, limits, updated_at) values ($1, $2, $3)
     on conflict (organization_id) do update set limits = excluded.limits, updated_at = excluded.updated_at
     where known.limits <> excluded.limits`,
    [everybody, JSON.stringify(limits), now.toISOString()],
  );
};

/** Undefined: as for everybody again; absent: as it was. */
export type LimitChange = { readonly [K in keyof OperatorLimits]?: OperatorLimits[K] | undefined };

/** Changes the limits of one organization. Below what is in use they are taken, too: nothing is added to it then. */
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
    // JSON leaves out what is undefined.
    [organizationId, JSON.stringify(change), removed, now.toISOString()],
  );
};
