// Recipients on their way into the database, each column as one text. So a thread hands over five strings instead of
// thousands of objects. The database takes all rows in one statement.
import type { Tx } from '@parlance/postgres';
import type { SealedCell } from '../personal-data/sealed-recipients.js';
import { RecipientRow, type RefusedRow } from '../recipients/recipient-row.js';
import type { ImportedRow } from './import-types.js';

export interface RecipientBatch {
  readonly rows: number;
  /** An array as Postgres writes it, as are the others. */
  readonly rowNumbers: string;
  readonly phoneNumbers: string;
  readonly timeZones: string;
  /** JSON of each row. */
  readonly contents: string;
  readonly outboundCallIds: string;
  /** JSON of the rows that cannot be called; undefined for none. */
  readonly refused?: string;
}

const array = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
/** JSON writes control characters out, so none of them stands in it. */
const separator = '\u001e';

export const toPhoneNumbers = (numbers: readonly string[]): string => array(numbers);

export const toContents = (contents: readonly unknown[]): string =>
  contents.map((content) => JSON.stringify(content)).join(separator);

/** A refused row as it is stored. */
export type StoredRefusal = RefusedRow & Partial<SealedCell>;

export const toRefused = (rows: readonly StoredRefusal[]): string => JSON.stringify(rows);

export const refusedIn = (refused: string): readonly RefusedRow[] => JSON.parse(refused);

export const toBatch = (
  callIdOf: (rowNumber: number) => string,
  rows: readonly ImportedRow[],
  refused: readonly RefusedRow[] = [],
): RecipientBatch => ({
  rows: rows.length,
  rowNumbers: array(rows.map(({ rowNumber }) => rowNumber)),
  phoneNumbers: toPhoneNumbers(rows.map(({ phoneNumber }) => phoneNumber)),
  timeZones: array(rows.map(({ timeZones }) => timeZones.join('&'))),
  contents: toContents(rows.map(({ row }) => row)),
  outboundCallIds: array(rows.map(({ rowNumber }) => callIdOf(rowNumber))),
  ...(refused.length === 0 ? {} : { refused: toRefused(refused) }),
});

const valuesIn = (list: string): string[] => list.slice(1, -1).split(',');

/** The numbers of a batch, as E.164, in its order. */
export const phoneNumbersIn = ({ rows, phoneNumbers }: RecipientBatch): readonly string[] =>
  rows === 0 ? [] : valuesIn(phoneNumbers);

/** Up to `most` of the contents of its rows, in its order. */
export const contentsIn = ({ rows, contents }: RecipientBatch, most = rows): RecipientRow[] =>
  rows === 0 ? [] : contents.split(separator, most).map((content) => RecipientRow.parse(JSON.parse(content)));

/** The first rows of a batch as they were before. */
export const firstRowsIn = (batch: RecipientBatch, most: number): ImportedRow[] => {
  const [rowNumbers, numbers, zones] = [batch.rowNumbers, batch.phoneNumbers, batch.timeZones].map(valuesIn);
  return contentsIn(batch, most).map((row, index) => ({
    rowNumber: Number(rowNumbers?.[index]),
    phoneNumber: numbers?.[index] ?? '',
    timeZones: (zones?.[index] ?? '').split('&').filter((zone) => zone !== ''),
    row,
  }));
};

const insertStatement = `
  insert into campaign_recipients
    (campaign_id, organization_id, row_number, phone_number, time_zones, row, outbound_call_id)
  select $1, $2, r.row_number, r.phone_number, string_to_array(r.time_zones, '&'), r.content::jsonb, r.call_id
  from unnest($3::int[], $4::text[], $5::text[], string_to_array($6, E'\\x1e'), $7::uuid[])
    as r (row_number, phone_number, time_zones, content, call_id)`;

const insertRefusedStatement = `
  insert into campaign_refused_rows
    (campaign_id, organization_id, row_number, phone_number, sealed_cell, digits_hash, code, message)
  select $1, $2, r."rowNumber", r."phoneNumber", r."sealedCell", r."digitsHash", r.code, r.message
  from jsonb_to_recordset($3)
    as r ("rowNumber" int, "phoneNumber" text, "sealedCell" text, "digitsHash" text, code text, message text)`;

/** All of them, or none. */
export const insertBatch = async (
  tx: Tx,
  { organizationId, campaignId }: { readonly organizationId: string; readonly campaignId: string },
  { rows, rowNumbers, phoneNumbers, timeZones, contents, outboundCallIds, refused }: RecipientBatch,
): Promise<void> => {
  if (rows > 0)
    await tx.query({
      name: 'recipients-insert',
      text: insertStatement,
      values: [campaignId, organizationId, rowNumbers, phoneNumbers, timeZones, contents, outboundCallIds],
    });
  if (refused !== undefined)
    await tx.query({
      name: 'refused-rows-insert',
      text: insertRefusedStatement,
      values: [campaignId, organizationId, refused],
    });
};

/**
 * Removes recipients of a campaign that has not begun.
 * @returns the number of removed recipients; fewer than `batch` means that none are left
 */
export const deleteRecipients = async (tx: Tx, campaignId: string, batch: number): Promise<number> => {
  const { rowCount } = await tx.query(
    `delete from campaign_recipients where campaign_id = $1 and row_number in
       (select row_number from campaign_recipients where campaign_id = $1 order by row_number limit $2)`,
    [campaignId, batch],
  );
  return rowCount;
};

/** As `deleteRecipients`, for the rows that cannot be called. */
export const deleteRefusedRows = async (tx: Tx, campaignId: string, batch: number): Promise<number> => {
  const { rowCount } = await tx.query(
    `delete from campaign_refused_rows where campaign_id = $1 and row_number in
       (select row_number from campaign_refused_rows where campaign_id = $1 order by row_number limit $2)`,
    [campaignId, batch],
  );
  return rowCount;
};
