// Calls begin at a pace. All copies of the dialer together never exceed the calls per second of a provider's account or
// of a campaign. A pace is a row with the time of the next call. A dialer that begins calls moves the time on.
import { counter, paceGranted } from '@parlance/metrics';
import { deleteInPieces, type Tx } from '@parlance/postgres';

const grantedCalls = counter(paceGranted);

export interface Pace {
  /** The name of the pace: a provider's account, or a campaign. */
  readonly account: string;
  /** The time between the beginnings of two calls. */
  readonly intervalMs: number;
}

export interface Slots {
  readonly pace: Pace;
  /** Epoch milliseconds of the first one; each of the others an interval later. */
  readonly firstAt: number;
  readonly count: number;
}

/** Requests arrive a little earlier or later than they were meant to. So the account is asked for this much less than it takes. */
const providerMargin = 1.05;

export const providerPace = (account: string, callsPerSecond: number): Pace => ({
  account,
  intervalMs: (1_000 / callsPerSecond) * providerMargin,
});
export const campaignPace = (campaignId: string, callsPerSecond: number): Pace => ({
  account: `campaign:${campaignId}`,
  intervalMs: 1_000 / callsPerSecond,
});

/** Campaigns are measured as one: their ids are no labels. */
export const measuredAs = ({ account }: Pace): string =>
  account.startsWith('campaign:') ? 'campaign' : account;

/** The time at which call number `index` of these may begin, in epoch milliseconds. */
export const slotAt = ({ firstAt, pace }: Slots, index: number): number => firstAt + index * pace.intervalMs;

// $1 account, $2 now, $3 wanted, $4 horizon and $5 interval in milliseconds
const slots = (from: string): string =>
  `greatest(0, least($3::int, floor(($4::float8 - extract(epoch from ${from} - $2::timestamptz) * 1000) / $5::float8)::int + 1))`;
const fresh = slots('$2::timestamptz');
const later = slots('greatest(p.next_at, $2::timestamptz)');
const ms = (count: string): string => `make_interval(secs => ${count} * $5::float8 / 1000)`;
const reserveStatement = `
  insert into pacing as p (account, next_at, granted) values ($1, $2::timestamptz + ${ms(fresh)}, ${fresh})
  on conflict (account) do update
    set next_at = greatest(p.next_at, $2::timestamptz) + ${ms(later)}, granted = ${later}
  returning extract(epoch from next_at)::float8 * 1000 as "nextAt", granted`;

/**
 * Takes up to `wanted` slots that begin within the horizon. One statement, so that dialers which ask at the same time
 * get different slots.
 * @param horizonMs the longest reservation ahead; an urgent call gets the slot behind all reserved ones
 */
export const reserveSlots = async (
  tx: Tx,
  pace: Pace,
  { wanted, now, horizonMs }: { readonly wanted: number; readonly now: Date; readonly horizonMs: number },
): Promise<Slots> => {
  const { rows } = await tx.query<{ nextAt: number; granted: number }>({
    name: 'pacing-reserve',
    text: reserveStatement,
    values: [pace.account, now.toISOString(), wanted, horizonMs, pace.intervalMs],
  });
  const { nextAt, granted } = rows[0] ?? { nextAt: now.getTime(), granted: 0 };
  grantedCalls.add({ 'parlance.pace.account': measuredAs(pace) }, granted);
  return { pace, firstAt: nextAt - granted * pace.intervalMs, count: granted };
};

/**
 * Gives the last slots back. Only the transaction that reserved them may do so, because no other transaction has
 * reserved later ones yet.
 */
export const returnSlots = async (tx: Tx, { pace }: Slots, count: number): Promise<void> => {
  if (count <= 0) return;
  await tx.query(
    `update pacing set next_at = next_at - make_interval(secs => $2::float8 / 1000) where account = $1`,
    [pace.account, count * pace.intervalMs],
  );
};

/** Deletes the paces that nothing uses any more, such as those of old campaigns. A pace in the past begins anew, as one without a row. */
export const forgetPaces = async (db: Tx, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'pacing',
    where: `next_at < $1::timestamptz - interval '1 hour'`,
    values: [now.toISOString()],
  });
};

/** Calls per second that the platform's account at each provider takes. */
export interface ProviderRates {
  readonly TWILIO: number;
  readonly TELNYX: number;
}

/** The pace of the account that owns the caller number; of an unknown account, the slower provider's pace. */
export const paceOf = (rates: ProviderRates, provider: keyof ProviderRates | null): Pace =>
  provider === null
    ? providerPace('unknown', Math.min(rates.TWILIO, rates.TELNYX))
    : providerPace(provider, rates[provider]);
