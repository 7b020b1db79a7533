// Everything that the service keeps of one number in one organization.
import type { Tx } from '@parlance/postgres';
import type { RecipientState } from '../domain/campaign/recipient-states.js';
import { lastDigitsOf, sealedNumber } from '../personal-data/sealed-recipients.js';

export interface NumberKey {
  readonly organizationId: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** The keyed hash of the number. */
  readonly hash: string;
  /** The keyed hash of its last digits, which refused cells have. */
  readonly digitsHash: string | null;
}

export interface RecipientOfNumber {
  readonly campaignId: string;
  readonly rowNumber: number;
  readonly state: RecipientState;
  readonly outboundCallId: string;
  /** There is a stream of its call. */
  readonly isPlaced: boolean;
}

export const recipientsOfNumber = async (
  db: Tx,
  { organizationId, phoneNumber, hash }: NumberKey,
  limit: number,
): Promise<RecipientOfNumber[]> => {
  const { rows } = await db.query<RecipientOfNumber>(
    `select campaign_id as "campaignId", row_number as "rowNumber", state, outbound_call_id as "outboundCallId",
       revision >= 0 as "isPlaced"
     from campaign_recipients where organization_id = $1 and phone_number = any($2) limit $3`,
    [organizationId, [phoneNumber, sealedNumber(hash)], limit],
  );
  return rows;
};

export const callsOfNumber = async (
  db: Tx,
  { organizationId, hash }: NumberKey,
  limit: number,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    'select id from outbound_calls where organization_id = $1 and number_hash = $2 limit $3',
    [organizationId, hash, limit],
  );
  return rows.map(({ id }) => id);
};

/** The rows of files that were refused for this number, sealed or not. */
export const refusedRowsOfNumber = async (
  db: Tx,
  { organizationId, phoneNumber, digitsHash }: NumberKey,
  limit: number,
): Promise<{ readonly campaignId: string; readonly rowNumber: number }[]> => {
  const { rows } = await db.query<{ campaignId: string; rowNumber: number }>(
    `(select campaign_id as "campaignId", row_number as "rowNumber" from campaign_refused_rows
      where organization_id = $1 and phone_number is not null
        and right(regexp_replace(phone_number, '\\D', '', 'g'), 8) = $2 limit $4)
     union all
     (select campaign_id, row_number from campaign_refused_rows
      where organization_id = $1 and digits_hash = $3 limit $4) limit $4`,
    [organizationId, lastDigitsOf(phoneNumber) ?? null, digitsHash, limit],
  );
  return rows;
};

export interface PersonCounts {
  readonly outboundCalls: number;
  readonly recipients: number;
}

/** Rows that the sealing job has not seen yet count, too. */
export const countOfNumber = async (
  db: Tx,
  { organizationId, phoneNumber, hash }: NumberKey,
): Promise<PersonCounts> => {
  const { rows } = await db.query<PersonCounts>(
    `select (select count(*) from outbound_calls where organization_id = $1
         and (number_hash = $3 or (number_hash is null and state -> 'personal' ->> 'phoneNumber' = $2)))::int as "outboundCalls",
       (select count(*) from campaign_recipients where organization_id = $1 and phone_number = any($4))::int as recipients`,
    [organizationId, phoneNumber, hash, [phoneNumber, sealedNumber(hash)]],
  );
  return rows[0] ?? { outboundCalls: 0, recipients: 0 };
};

/** A file that is being read may have the number, and its recipients are there in a moment. */
export const isReadingFiles = async (db: Tx, organizationId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from campaigns where organization_id = $1 and status = 'validating' limit 1`,
    [organizationId],
  );
  return rowCount > 0;
};

/**
 * A count of the release before has the number in the clear.
 * @param hash that of the installation
 */
export const deleteAttemptCounts = async (
  db: Tx,
  { organizationId, phoneNumber }: NumberKey,
  hash: string,
): Promise<void> => {
  await db.query('delete from daily_attempts where organization_id = $1 and phone_number = any($2)', [
    organizationId,
    [phoneNumber, hash],
  ]);
};

/**
 * The number stays on the do-not-call list by its hash alone, and without the words of whoever put it there.
 * @param hash that of the installation
 */
export const hideSuppressedNumber = async (
  db: Tx,
  { organizationId, phoneNumber }: NumberKey,
  hash: string,
): Promise<void> => {
  await db.query(
    `update suppressions set phone_number = null, sealed_number = null, number_hash = $3, reason = null
     where organization_id = $1 and (phone_number = $2 or number_hash = $3)`,
    [organizationId, phoneNumber, hash],
  );
  await db.query(
    'update suppression_facts set reason = null where organization_id = $1 and number_hash = $2',
    [organizationId, hash],
  );
};
