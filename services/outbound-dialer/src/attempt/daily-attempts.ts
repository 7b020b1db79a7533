// The attempts that a number had in a day: in one of its organization, where the organization limits them, and in one of the place that
// it belongs to, for the limit of the operator.
import { type Database, deleteInPieces } from '@parlance/postgres';
import { timeZonesOf } from '../rules/time-zones.js';

export interface DailyAttempt {
  readonly organizationId: string;
  /** The keyed hash of the number. */
  readonly numberHash: string;
  /** Such as `2027-02-01`, by the clock of the organization. */
  readonly day: string | null;
  readonly attemptId: string;
  /** Attempts a day, at most. */
  readonly limit: number;
}

/** Counts the attempt once, however often it is asked about. False when the number had enough of others in that day. */
export const countDailyAttempt = async (
  db: Database,
  { organizationId, numberHash, day, attemptId, limit }: DailyAttempt,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `insert into daily_attempts as d (organization_id, phone_number, day, attempt_ids)
     values ($1, $2, $3::date, array[$4::uuid])
     on conflict (organization_id, phone_number, day) do update
       set attempt_ids = array_remove(d.attempt_ids, $4::uuid) || $4::uuid
       where cardinality(array_remove(d.attempt_ids, $4::uuid)) < $5`,
    [organizationId, numberHash, day, attemptId, limit],
  );
  return rowCount > 0;
};

export interface OperatorAttempt extends DailyAttempt {
  /** By the clock of the place (`dayZoneOfNumber`). */
  readonly day: string;
}

/**
 * The zone by which the operator's days of a number are cut. A UTC day would end in the afternoon of California. The number alone
 * decides: with the zone that a file or an organization names, a number would have as many days as somebody writes zones. Of several
 * zones it is always the same one; a window that is open in all of them at once is closed when the day of any of them ends.
 */
export const dayZoneOfNumber = (phoneNumber: string): string => {
  const [first, ...more] = timeZonesOf(phoneNumber);
  return more.reduce((least, zone) => (zone < least ? zone : least), first ?? 'UTC');
};

/** The same for the limit of the operator. */
export const countOperatorAttempt = async (
  db: Database,
  { organizationId, numberHash, day, attemptId, limit }: OperatorAttempt,
): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'count-operator-attempt',
    text: `insert into operator_attempts as d (organization_id, number_hash, day, attempt_ids)
           values ($1, $2, $3::date, array[$4::uuid])
           on conflict (organization_id, number_hash, day) do update
             set attempt_ids = array_remove(d.attempt_ids, $4::uuid) || $4::uuid
             where cardinality(array_remove(d.attempt_ids, $4::uuid)) < $5`,
    values: [organizationId, numberHash, day, attemptId, limit],
  });
  return rowCount > 0;
};

/** Deletes the counts of past days, which no limit reads any more. */
export const forgetDailyAttempts = async (db: Database, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'daily_attempts',
    where: 'day < $1::timestamptz::date - 2',
    values: [now.toISOString()],
  });
  await deleteInPieces(db, {
    table: 'operator_attempts',
    where: 'day < $1::timestamptz::date - 2',
    values: [now.toISOString()],
  });
};
