// The envelope: the money that an organization may spend in a day, in a month and for a campaign, that all organizations may
// spend together, and the calls that may be in progress. Something is granted only where its worst case fits, so a grant never
// takes used and reserved amounts together beyond a limit.

export type SpendLimit = 'day' | 'month' | 'campaign';

/** The money of one day, month or campaign. */
export interface Total {
  readonly spentMicros: number;
  readonly reservedMicros: number;
}

export const nothingSpent: Total = { spentMicros: 0, reservedMicros: 0 };

/** One side of the envelope, with its limit and its sums. */
export interface MoneyBound {
  readonly limit: SpendLimit;
  /** `installation`: the limit is shared by all organizations, and `total` is the use of the organization itself. */
  readonly scope: 'organization' | 'installation';
  /** Null where nothing is limited. */
  readonly mostMicros: number | null;
  /** Spent and reserved money that counts for the limit. */
  readonly usedMicros: number;
  /** What the organization is told about the limit. */
  readonly total: Total;
}

/** The calls that all organizations may have in progress. */
export interface CallsBound {
  readonly limit: 'calls';
  readonly scope: 'installation';
  readonly mostCalls: number | null;
  readonly usedCalls: number;
}

export type Bound = MoneyBound | CallsBound;

/** A bound of the organization's own. */
export const ownBound = (limit: SpendLimit, mostMicros: number | null, total: Total): MoneyBound => ({
  limit,
  scope: 'organization',
  mostMicros,
  usedMicros: total.spentMicros + total.reservedMicros,
  total,
});

export interface Refusal extends Total {
  readonly granted: false;
  /** The side of the envelope that is full. */
  readonly limit: SpendLimit | 'calls';
  readonly scope: Bound['scope'];
}

export type Grant = { readonly granted: true } | Refusal;

const isFull = (bound: Bound, micros: number): boolean =>
  bound.limit === 'calls'
    ? bound.mostCalls !== null && bound.usedCalls + 1 > bound.mostCalls
    : bound.mostMicros !== null && bound.usedMicros + micros > bound.mostMicros;

/** Refused by the first bound that has no room for the worst case. */
export const grant = (bounds: readonly Bound[], micros: number): Grant => {
  const full = bounds.find((bound) => isFull(bound, micros));
  if (full === undefined) return { granted: true };
  const { limit, scope } = full;
  return { granted: false, limit, scope, ...(full.limit === 'calls' ? nothingSpent : full.total) };
};

const reserving = (bound: Bound, micros: number): Bound => {
  if (bound.limit === 'calls') return { ...bound, usedCalls: bound.usedCalls + 1 };
  const { spentMicros, reservedMicros } = bound.total;
  const total = { spentMicros, reservedMicros: reservedMicros + micros };
  return { ...bound, usedMicros: bound.usedMicros + micros, total };
};

export interface Granted<T> {
  readonly granted: readonly T[];
  /** The refusal of the first call without a grant; undefined when all were granted. */
  readonly refusal: Refusal | undefined;
}

/** Grants in order and stops at the first call that does not fit, so that no cheaper call overtakes an earlier one. */
export const grantInOrder = <T extends { readonly micros: number }>(
  bounds: readonly Bound[],
  wanted: readonly T[],
): Granted<T> => {
  let left = bounds;
  const granted: T[] = [];
  for (const want of wanted) {
    const answer = grant(left, want.micros);
    if (!answer.granted) return { granted, refusal: answer };
    granted.push(want);
    left = left.map((bound) => reserving(bound, want.micros));
  }
  return { granted, refusal: undefined };
};
