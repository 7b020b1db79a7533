// Places of calls in a browser. They count among the calls of the organization and are paid for out of its envelope, as
// telephone calls are. Every function may be repeated.
import { AppError } from '@parlance/errors';
import { type Database, deleteInPieces, type Tx } from '@parlance/postgres';
import { spendLimitReached } from '../ledger/call-spending.js';
import { release, reserve, type Spending, settle } from '../ledger/ledger.js';
import { currentRates } from '../ledger/rates.js';
import { limitsInForce } from '../limits/operator-limits.js';
import { type AskSettings, settingsOf } from '../limits/organization-settings.js';
import { dayOf, utcDayOf } from '../rules/calendar.js';
import { costOfSeconds, worstCaseMicros } from '../rules/worst-case.js';
import { callsInProgress, inTurn } from './call-slots.js';

/** The call that a place is taken for. */
export interface BrowserCall {
  readonly organizationId: string;
  readonly callId: string;
}

export interface WantedPlace extends BrowserCall {
  /** The longest that the call may last. */
  readonly seconds: number;
}

export interface PlaceParts {
  readonly db: Database;
  readonly askSettings: AskSettings;
  /** Price of a started minute, in micros of the rates' currency. */
  readonly rateMicros: number;
}

interface PlaceRow {
  readonly organizationId: string;
  readonly seconds: number | null;
  readonly rateMicros: number | null;
  readonly isOpen: boolean;
}

/** A service that is away for so long gives its places back in time. */
const lostAfterMs = 10 * 60_000;
const forgottenAfter = `interval '1 day'`;
const lostAtOnce = 100;

const subjectOf = (callId: string): string => `browser:${callId}`;

const columns = `organization_id as "organizationId", seconds, rate_micros::float8 as "rateMicros",
  given_back_at is null as "isOpen"`;

const spendingOf = async (tx: Tx, organizationId: string, dayZone: string, now: Date): Promise<Spending> => {
  const { organization, installation } = await limitsInForce(tx, organizationId);
  const { dayMicros, monthMicros } = organization;
  const { currency } = await currentRates(tx);
  return {
    organizationId,
    kind: 'browser',
    campaignId: null,
    isQuick: false,
    currency,
    day: dayOf(dayZone, now),
    utcDay: utcDayOf(now),
    most: { dayMicros, monthMicros, campaignMicros: null, quickMicros: null, installation },
  };
};

/** True for a call that has its place already. @throws AppError CONFLICT for a call that gave its place back */
const isTaken = async (tx: Tx, { organizationId, callId }: BrowserCall): Promise<boolean> => {
  const { rows } = await tx.query<PlaceRow>(`select ${columns} from browser_places where call_id = $1`, [
    callId,
  ]);
  const [row] = rows;
  if (row !== undefined && (row.organizationId !== organizationId || !row.isOpen))
    throw new AppError('CONFLICT');
  return row !== undefined;
};

/**
 * @throws AppError CONCURRENCY_LIMIT, SPEND_LIMIT_REACHED; CONFLICT for a place that was given back, and while the
 *   organization is being removed
 */
export const takeBrowserPlace = async (
  { db, askSettings, rateMicros }: PlaceParts,
  wanted: WantedPlace,
  now: Date,
): Promise<void> => {
  const { organizationId, callId, seconds } = wanted;
  const { maxConcurrentCalls, dayZone } = await settingsOf(db, askSettings, organizationId, now);
  await inTurn(db, organizationId, async (tx, shares) => {
    if (await isTaken(tx, wanted)) return;
    if ((await callsInProgress(tx, organizationId, now)) >= maxConcurrentCalls)
      throw new AppError('CONCURRENCY_LIMIT', { details: { maxConcurrentCalls }, retryAfterSeconds: 5 });
    const until = new Date(now.getTime() + seconds * 1_000 + lostAfterMs);
    await tx.query(
      `insert into browser_places (call_id, organization_id, taken_at, seconds, rate_micros, until)
       values ($1, $2, $3, $4, $5, $6)`,
      [callId, organizationId, now.toISOString(), seconds, rateMicros, until.toISOString()],
    );
    const spending = await spendingOf(tx, organizationId, dayZone, now);
    const asked = { subject: subjectOf(callId), micros: worstCaseMicros({ rateMicros, seconds }) };
    const answer = await reserve(tx, spending, asked, now, shares);
    if (!answer.granted) throw spendLimitReached(answer);
  });
};

const pay = async (
  tx: Tx,
  { organizationId, callId }: BrowserCall,
  micros: number | null,
  now: Date,
): Promise<void> => {
  const subject = subjectOf(callId);
  if (micros === null) await release(tx, organizationId, [subject]);
  else await settle(tx, organizationId, { subject, micros }, now);
};

/**
 * Gives a place back, or keeps it from being taken later.
 * @param seconds the lifetime of the room; null when there was none, and nothing is paid
 */
export const giveBrowserPlaceBack = (
  db: Database,
  call: BrowserCall,
  seconds: number | null,
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { organizationId, callId } = call;
    const { rows } = await tx.query<PlaceRow>(
      `insert into browser_places as place (call_id, organization_id, taken_at, until, given_back_at)
       values ($1, $2, $3, $3, $3)
       on conflict (call_id) do update set given_back_at = excluded.given_back_at
         where place.organization_id = excluded.organization_id and place.given_back_at is null
       returning ${columns}`,
      [callId, organizationId, now.toISOString()],
    );
    const [place] = rows;
    if (place?.rateMicros == null || place.seconds === null) return;
    const price = { rateMicros: place.rateMicros, seconds: place.seconds };
    await pay(tx, call, seconds === null ? null : costOfSeconds(price, seconds), now);
  });

/** Ends places that were not given back in time, at their worst case, and forgets old ones. */
export const sweepBrowserPlaces = async (db: Database, now: Date): Promise<void> => {
  const { rows } = await db.query<BrowserCall & { readonly seconds: number }>(
    `select call_id as "callId", organization_id as "organizationId", coalesce(seconds, 0) as seconds
     from browser_places where given_back_at is null and until < $1 limit ${lostAtOnce}`,
    [now.toISOString()],
  );
  for (const { seconds, ...call } of rows) await giveBrowserPlaceBack(db, call, seconds, now);
  await deleteInPieces(db, {
    table: 'browser_places',
    where: `given_back_at < $1::timestamptz - ${forgottenAfter}`,
    values: [now.toISOString()],
  });
};
