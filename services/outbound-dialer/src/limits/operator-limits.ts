// The limits that the operator of the platform sets: for organizations, whose own settings stay within them, and for the
// installation.
import type { Tx } from '@parlance/postgres';
import {
  type InstallationLimits,
  type OperatorLimits,
  usualInstallationLimits,
  usualLimits,
} from './limits-env.js';

export type { InstallationLimits, OperatorLimits } from './limits-env.js';

/** The limits set for one organization alone. An absent limit is the same as for every organization. */
export type LimitOverrides = Readonly<Partial<OperatorLimits>>;

/** The organization id of the row with the limits of every organization. */
const everybody = '';
/** Those of the rows with the limits of the installation: from the environment, and set by command. */
const installationEnv = '*env';
export const installation = '*';

/** The row that `limitColumns` select. */
export interface LimitRow {
  /** Null before a dialer was started with its environment. */
  readonly everybodys: OperatorLimits | null;
  readonly own: LimitOverrides | null;
}

interface InstallationRow {
  readonly ofInstallation: InstallationLimits | null;
  readonly setForInstallation: Partial<InstallationLimits> | null;
}

/** For a query of which the first value is the id of an organization. */
export const limitColumns = `(select limits from operator_limits where organization_id = '${everybody}') as everybodys,
  (select limits from operator_limits where organization_id = $1) as own`;

const installationColumns = `(select limits from operator_limits where organization_id = '${installationEnv}') as "ofInstallation",
  (select limits from operator_limits where organization_id = '${installation}') as "setForInstallation"`;

/** The limits in force. A dialer of an older release stored fewer of them. */
export const limitsIn = (row: LimitRow | undefined): OperatorLimits => ({
  ...usualLimits,
  ...row?.everybodys,
  ...row?.own,
});

const installationIn = (row: InstallationRow | undefined): InstallationLimits => ({
  ...usualInstallationLimits,
  ...row?.ofInstallation,
  ...row?.setForInstallation,
});

/** The limits in force, of an organization and of the installation. */
export interface LimitsInForce {
  readonly organization: OperatorLimits;
  readonly installation: InstallationLimits;
}

export const limitsInForce = async (tx: Tx, organizationId: string): Promise<LimitsInForce> => {
  const { rows } = await tx.query<LimitRow & InstallationRow>({
    name: 'limits-in-force',
    text: `select ${limitColumns}, ${installationColumns}`,
    values: [organizationId],
  });
  return { organization: limitsIn(rows[0]), installation: installationIn(rows[0]) };
};

/** The limits of the installation in force, and those of them that were set by command. */
export const knownInstallationLimits = async (
  tx: Tx,
): Promise<{ readonly inForce: InstallationLimits; readonly set: Partial<InstallationLimits> }> => {
  const { rows } = await tx.query<InstallationRow>(`select ${installationColumns}`);
  return { inForce: installationIn(rows[0]), set: rows[0]?.setForInstallation ?? {} };
};

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

const record = async (tx: Tx, id: string, limits: object, now: Date): Promise<void> => {
  await tx.query(
    `insert into operator_limits as known (organization_id, limits, updated_at) values ($1, $2, $3)
     on conflict (organization_id) do update set limits = excluded.limits, updated_at = excluded.updated_at
     where known.limits <> excluded.limits`,
    [id, JSON.stringify(limits), now.toISOString()],
  );
};

/** Stores the limits of the environment, so that every copy of the service, and the command line, use the same ones. */
export const recordEverybodysLimits = (tx: Tx, limits: OperatorLimits, now: Date): Promise<void> =>
  record(tx, everybody, limits, now);

export const recordInstallationLimits = (tx: Tx, limits: InstallationLimits, now: Date): Promise<void> =>
  record(tx, installationEnv, limits, now);

/** Undefined: the limit of every organization again; absent: unchanged. */
export type LimitChange = { readonly [K in keyof OperatorLimits]?: OperatorLimits[K] | undefined };
export type InstallationChange = {
  readonly [K in keyof InstallationLimits]?: InstallationLimits[K] | undefined;
};

const change = async (
  tx: Tx,
  id: string,
  changes: LimitChange | InstallationChange,
  now: Date,
): Promise<void> => {
  const removed = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [name] : []));
  await tx.query(
    `insert into operator_limits as known (organization_id, limits, updated_at) values ($1, $2::jsonb, $4)
     on conflict (organization_id) do update set limits = (known.limits || $2::jsonb) - $3::text[], updated_at = $4`,
    // JSON leaves out undefined values.
    [id, JSON.stringify(changes), removed, now.toISOString()],
  );
};

/** Changes the limits of one organization. A limit below the present use is accepted, too; the use cannot grow then. */
export const setLimits = (tx: Tx, organizationId: string, changes: LimitChange, now: Date): Promise<void> =>
  change(tx, organizationId, changes, now);

/** Undefined takes the limit of the environment again. */
export const setInstallationLimits = (tx: Tx, changes: InstallationChange, now: Date): Promise<void> =>
  change(tx, installation, changes, now);

/** The narrower of two limits, of which null is none. */
const narrower = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** @param left undefined where nothing was set */
const narrowest = (a: LimitOverrides, b: LimitOverrides): LimitOverrides => {
  const number = (name: 'dayMicros' | 'monthMicros' | 'numbers' | 'concurrentCalls' | 'dailyAttempts') => {
    const [one, other] = [a[name], b[name]];
    const value = one === undefined ? other : other === undefined ? one : narrower(one, other);
    return value === undefined ? {} : { [name]: value };
  };
  const countries =
    a.countries == null ? b.countries : a.countries.filter((code) => b.countries?.includes(code) ?? true);
  const callingWindow = a.callingWindow ?? b.callingWindow;
  return {
    ...number('dayMicros'),
    ...number('monthMicros'),
    ...number('numbers'),
    ...number('concurrentCalls'),
    ...number('dailyAttempts'),
    ...(countries === undefined ? {} : { countries }),
    ...(callingWindow === undefined ? {} : { callingWindow }),
  };
};

/**
 * Sets the limits of an organization that begins now: those that were set for earlier organizations of its owner, and no money where
 * the operator has to give it some. The rows of organizations stay after their removal for this.
 */
export const beginLimits = async (
  tx: Tx,
  organizationId: string,
  { earlierIds, isFunded }: { readonly earlierIds: readonly string[]; readonly isFunded: boolean },
  now: Date,
): Promise<void> => {
  const { rows } = await tx.query<{ limits: LimitOverrides }>(
    'select limits from operator_limits where organization_id = any($1) order by organization_id',
    [earlierIds],
  );
  const unfunded: LimitOverrides = isFunded ? {} : { dayMicros: 0, monthMicros: 0 };
  const limits = rows.reduce<LimitOverrides>((sum, row) => narrowest(sum, row.limits), unfunded);
  if (Object.keys(limits).length > 0) await record(tx, organizationId, limits, now);
};
