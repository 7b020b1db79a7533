// The envelope: the money that an organization may spend in a day, in a month and for a campaign. There is one for the
// quick calls of a day, too. Money is granted only where its worst case fits, so a grant never takes spent and reserved
// money together beyond it.

export type SpendLimit = 'day' | 'month' | 'campaign';

/** The money of one day, month or campaign. */
export interface Total {
  readonly spentMicros: number;
  readonly reservedMicros: number;
}

export const nothingSpent: Total = { spentMicros: 0, reservedMicros: 0 };

/** One side of the envelope, with its limit and its sums. */
export interface Bound {
  readonly limit: SpendLimit;
  /** Null where nothing is limited. */
  readonly mostMicros: number | null;
  readonly total: Total;
}

export interface Refusal extends Total {
  readonly granted: false;
  /** The side of the envelope that is full. */
  readonly limit: SpendLimit;
}

export type Grant = { readonly granted: true } | Refusal;

/** Refused by the first bound that has no room for the worst case. */
export const grant = (bounds: readonly Bound[], micros: number): Grant => {
  for (const { limit, mostMicros, total } of bounds)
    if (mostMicros !== null && total.spentMicros + total.reservedMicros + micros > mostMicros)
      return { granted: false, limit, ...total };
  return { granted: true };
};

const reserving = (bound: Bound, micros: number): Bound => {
  const { spentMicros, reservedMicros } = bound.total;
  return { ...bound, total: { spentMicros, reservedMicros: reservedMicros + micros } };
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
