// The ledger of an organization's spending. The worst case is reserved before anything is dialled or bought, and the
// real cost replaces the reservation. Every function runs in the transaction of its caller and locks the organization's
// ledger until the transaction ends. It does nothing the second time.
import type { Tx } from '@parlance/postgres';
import { type Bound, type Grant, grantInOrder, ownBound, type Refusal } from './envelope.js';
import { countRefusal, type InstallationLimitName } from './installation-refusals.js';
import {
  type InstallationMost,
  lockOperatorBounds,
  type OperatorMost,
  operatorBounds,
  type Shares,
  ShareTooSmall,
} from './operator-spend.js';
import { addReserved, moveReserved, type PeriodKey, type Placement, totalsOf } from './totals.js';

/** The parts of a call's reservation. */
export interface ReservedCall {
  readonly outboundCallId: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The platform's own further tries of the same wish use the same reservation. */
  readonly isRenewed: boolean;
  /** The price of a started minute. */
  readonly rateMicros: number;
  /** The longest that the call may last, in seconds. */
  readonly seconds: number;
}

export interface Wanted {
  /** `call:<outbound call>:<attempt>`, `number:<number>` or `browser:<call>`. */
  readonly subject: string;
  /** The worst case. */
  readonly micros: number;
  /** The call, for a telephone call only. */
  readonly call?: ReservedCall;
}

/** The facts that all reservations of one request share. */
export interface Spending extends Placement {
  readonly organizationId: string;
  readonly currency: string;
  /** The day of the operator's limits. */
  readonly utcDay: string;
  readonly most: {
    /** The operator's limits for the organization; null where nothing is limited. */
    readonly dayMicros: number | null;
    readonly monthMicros: number | null;
    readonly installation: InstallationMost;
    /** The campaign's own budget. */
    readonly campaignMicros: number | null;
    /** The most that all quick calls of one day may cost together. */
    readonly quickMicros: number | null;
  };
}

export const callSubject = (outboundCallId: string, attempt: number): string =>
  `call:${outboundCallId}:${attempt}`;
export const numberSubject = (numberId: string): string => `number:${numberId}`;

/**
 * Waits for its turn at the ledgers of these organizations. A transaction takes this advisory lock after all its
 * others. While it holds the lock, it waits only for rows, such as those of the ledger.
 */
export const lockLedgers = async (tx: Tx, organizationIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'spend-lock',
    text: `select pg_advisory_xact_lock(l.key)
           from (select distinct hashtextextended('spend-of:' || o.id, 0) as key from unnest($1::text[]) as o (id)
                 order by 1) as l`,
    values: [organizationIds],
  });
};

const ownKeys = ({ campaignId, isQuick, day }: Spending): readonly PeriodKey[] => [
  ...(campaignId === null ? [] : [{ period: 'campaign', key: campaignId } as const]),
  ...(isQuick ? [{ period: 'quick', key: day } as const] : []),
];

/** The budgets of the organization itself. */
const ownBounds = async (tx: Tx, spending: Spending): Promise<readonly Bound[]> => {
  const keys = ownKeys(spending);
  if (keys.length === 0) return [];
  const totals = await totalsOf(tx, spending.organizationId, keys);
  const { campaignMicros, quickMicros } = spending.most;
  return keys.flatMap(({ period }, index) => {
    const total = totals[index];
    if (total === undefined) return [];
    return [
      period === 'campaign'
        ? ownBound('campaign', campaignMicros, total)
        : ownBound('day', quickMicros, total),
    ];
  });
};

const operatorMostOf = ({ organizationId, kind, utcDay, most }: Spending): OperatorMost => ({
  organizationId,
  isCall: kind !== 'number',
  utcDay,
  dayMicros: most.dayMicros,
  monthMicros: most.monthMicros,
  installation: most.installation,
});

/** The sides of the envelope that this spending meets, for a look that grants nothing. */
export const boundsOf = async (tx: Tx, spending: Spending): Promise<readonly Bound[]> => [
  ...(await ownBounds(tx, spending)),
  ...(await operatorBounds(tx, operatorMostOf(spending))),
];

/** Also locks the stripe of the installation that the organization uses. */
const lockBounds = async (
  tx: Tx,
  spending: Spending,
  fresh: readonly Wanted[],
  shares: Shares,
): Promise<readonly Bound[]> => {
  const micros = fresh.reduce((sum, wanted) => sum + wanted.micros, 0);
  const wanted = { micros, calls: fresh.length };
  return [
    ...(await ownBounds(tx, spending)),
    ...(await lockOperatorBounds(tx, operatorMostOf(spending), wanted, shares)),
  ];
};

const installationLimitOf = ({ limit }: Refusal): InstallationLimitName =>
  limit === 'calls' ? 'concurrentCalls' : limit === 'day' ? 'dayMicros' : 'monthMicros';

interface Known {
  readonly subject: string;
  readonly isOpen: boolean;
}

/** Finds subjects that were reserved before. An open one is renewed, so that the sweep leaves it for a while. */
const renewKnown = async (tx: Tx, organizationId: string, subjects: readonly string[], now: Date) => {
  const { rows } = await tx.query<Known>({
    name: 'spend-known',
    text: `update spend_reservations set reserved_at = case when settled_at is null then $3 else reserved_at end
           where organization_id = $1 and subject = any($2)
           returning subject, settled_at is null as "isOpen"`,
    values: [organizationId, subjects, now.toISOString()],
  });
  return new Map(rows.map((row) => [row.subject, row]));
};

const insert = async (
  tx: Tx,
  { organizationId, kind, campaignId, isQuick, currency, day, utcDay }: Spending,
  wanted: readonly Wanted[],
  now: Date,
): Promise<void> => {
  const rows = wanted.map(({ subject, micros, call }) => ({
    ...{ subject, micros },
    outbound_call_id: call?.outboundCallId ?? null,
    attempt: call?.attempt ?? null,
    is_renewed: call?.isRenewed ?? null,
    rate_micros: call?.rateMicros ?? null,
    seconds: call?.seconds ?? null,
  }));
  await tx.query({
    name: 'spend-reserve',
    text: `insert into spend_reservations (organization_id, kind, campaign_id, is_quick, currency, day, utc_day, reserved_at,
             subject, micros, outbound_call_id, attempt, is_renewed, rate_micros, seconds)
           select $1, $2, $3, $4, $5, $6, $7, $8, subject, micros, outbound_call_id, attempt, is_renewed, rate_micros, seconds
           from jsonb_to_recordset($9) as wanted (subject text, micros bigint, outbound_call_id uuid, attempt int,
             is_renewed boolean, rate_micros bigint, seconds int)`,
    values: [
      ...[organizationId, kind, campaignId, isQuick, currency, day, utcDay],
      ...[now.toISOString(), JSON.stringify(rows)],
    ],
  });
};

export interface ReserveResult {
  /** Subjects reserved now or before. A settled subject is among them, and counts no second time. */
  readonly granted: ReadonlySet<string>;
  /** The refusal of the first call without a grant; undefined when all were granted. */
  readonly refusal: Refusal | undefined;
}

/**
 * Reserves in order, and stops at the first for which there is no room.
 * @param shares given by `reserving`, which undoes the transaction where the share of a limit of the installation is too small
 * @throws ShareTooSmall, which `reserving` answers
 */
export const reserveAll = async (
  tx: Tx,
  spending: Spending,
  wanted: readonly Wanted[],
  now: Date,
  shares: Shares,
): Promise<ReserveResult> => {
  if (wanted.length === 0) return { granted: new Set(), refusal: undefined };
  const { organizationId, kind, campaignId, isQuick, day } = spending;
  await lockLedgers(tx, [organizationId]);
  const subjects = wanted.map(({ subject }) => subject);
  const known = await renewKnown(tx, organizationId, subjects, now);
  const fresh = wanted.filter(({ subject }) => !known.has(subject));
  const { granted, refusal } = grantInOrder(await lockBounds(tx, spending, fresh, shares), fresh);
  if (refusal?.scope === 'installation') {
    if (shares === 'as they are') throw new ShareTooSmall();
    countRefusal(installationLimitOf(refusal));
  }
  if (granted.length > 0) {
    await insert(tx, spending, granted, now);
    const placement = { kind, campaignId, isQuick, day };
    const changes = granted.map(({ micros }) => ({ ...placement, spentMicros: 0, reservedMicros: micros }));
    await addReserved(tx, organizationId, changes);
  }
  return { granted: new Set([...known.keys(), ...granted.map(({ subject }) => subject)]), refusal };
};

/** Whether money is put aside for the subject already. */
export const isReserved = async (tx: Tx, organizationId: string, subject: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'spend-is-reserved',
    text: 'select from spend_reservations where organization_id = $1 and subject = $2 and settled_at is null',
    values: [organizationId, subject],
  });
  return rowCount > 0;
};

/** Reserves the worst case of one call or number. */
export const reserve = async (
  tx: Tx,
  spending: Spending,
  wanted: Wanted,
  now: Date,
  shares: Shares,
): Promise<Grant> => {
  const { refusal } = await reserveAll(tx, spending, [wanted], now, shares);
  return refusal ?? { granted: true };
};

interface Ended extends Placement {
  readonly subject: string;
  readonly micros: number;
  readonly settledMicros: number;
}

const endedColumns = `r.subject, r.kind, r.campaign_id as "campaignId", r.is_quick as "isQuick", r.day::text as day,
  r.micros::float8 as micros`;

const changeOf = ({ kind, campaignId, isQuick, day, micros, settledMicros }: Ended) => ({
  ...{ kind, campaignId, isQuick, day },
  spentMicros: settledMicros,
  reservedMicros: -micros,
});

export interface Settlement {
  readonly subject: string;
  /** The real cost. A cost above the reserved amount counts as the reserved amount. */
  readonly micros: number;
}

/**
 * Replaces reservations by their real cost, once. A reservation that is not open stays as it is. The caller has to hold the
 * organization's ledger (`lockLedgers`).
 */
export const settleHeld = async (
  tx: Tx,
  organizationId: string,
  settlements: readonly Settlement[],
  now: Date,
): Promise<void> => {
  if (settlements.length === 0) return;
  const { rows } = await tx.query<Ended>({
    name: 'spend-settle',
    text: `update spend_reservations r set settled_at = $3, settled_micros = least(s.micros, r.micros)
           from jsonb_to_recordset($2) as s (subject text, micros bigint)
           where r.organization_id = $1 and r.subject = s.subject and r.settled_at is null
           returning ${endedColumns}, r.settled_micros::float8 as "settledMicros"`,
    values: [organizationId, JSON.stringify(settlements), now.toISOString()],
  });
  if (rows.length > 0) await moveReserved(tx, organizationId, rows.map(changeOf));
};

export const settle = async (
  tx: Tx,
  organizationId: string,
  settlement: Settlement,
  now: Date,
): Promise<void> => {
  await lockLedgers(tx, [organizationId]);
  await settleHeld(tx, organizationId, [settlement], now);
};

/**
 * Gives back money that was reserved for something that certainly did not happen. The subject may be reserved again. A
 * call that was let through to its dial is not released: it is settled when it ends.
 * @param unusedSince if given, a subject that was asked for again after this moment keeps its money
 */
export const release = async (
  tx: Tx,
  organizationId: string,
  subjects: readonly string[],
  unusedSince?: Date,
): Promise<void> => {
  if (subjects.length === 0) return;
  await lockLedgers(tx, [organizationId]);
  const { rows } = await tx.query<Ended>({
    name: 'spend-release',
    text: `delete from spend_reservations r
           where r.organization_id = $1 and r.subject = any($2) and r.settled_at is null
             and coalesce(r.dialled_attempt < r.attempt, true) and ($3::timestamptz is null or r.reserved_at <= $3)
           returning ${endedColumns}, 0 as "settledMicros"`,
    values: [organizationId, subjects, unusedSince?.toISOString() ?? null],
  });
  if (rows.length > 0) await moveReserved(tx, organizationId, rows.map(changeOf));
};
