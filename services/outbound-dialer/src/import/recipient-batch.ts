// Recipients on their way into the database, each column as one text. So a thread hands over five strings instead of
// thousands of objects. The database takes all rows in one statement.
import type { Tx } from '@parlance/postgres';
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

export const toBatch = (
  callIdOf: (rowNumber: number) => string,
  rows: readonly ImportedRow[],
  refused: readonly RefusedRow[] = [],
): RecipientBatch => ({
  rows: rows.length,
  rowNumbers: array(rows.map(({ rowNumber }) => rowNumber)),
  phoneNumbers: array(rows.map(({ phoneNumber }) => phoneNumber)),
  timeZones: array(rows.map(({ timeZones }) => timeZones.join('&'))),
  contents: rows.map(({ row }) => JSON.stringify(row)).join(separator),
  outboundCallIds: array(rows.map(({ rowNumber }) => callIdOf(rowNumber))),
  ...(refused.length === 0 ? {} : { refused: JSON.stringify(refused) }),
});

const valuesIn = (list: string): string[] => list.slice(1, -1).split(',');

/** The numbers of a batch, as E.164, in its order. */
export const phoneNumbersIn = ({ phoneNumbers }: RecipientBatch): readonly string[] => valuesIn(phoneNumbers);

/** The first rows of a batch as they were before. */
export const firstRowsIn = (batch: RecipientBatch, most: number): ImportedRow[] => {
  const [rowNumbers, numbers, zones] = [batch.rowNumbers, batch.phoneNumbers, batch.timeZones].map(valuesIn);
  const contents = batch.contents.split(separator, most);
  return contents.map((content, index) => ({
    rowNumber: Number(rowNumbers?.[index]),
    phoneNumber: numbers?.[index] ?? '',
    timeZones: (zones?.[index] ?? '').split('&').filter((zone) => zone !== ''),
    row: RecipientRow.parse(JSON.parse(content)),
  }));
};

const insertStatement = `
  insert into campaign_recipients
    (campaign_id, organization_id, row_number, phone_number, time_zones, row, outbound_call_id)
  select $1, $2, r.row_number, r.phone_number, string_to_array(r.time_zones, '&'), r.content::jsonb, r.call_id
  from unnest($3::int[], $4::text[], $5::text[], string_to_array($6, E'\\x1e'), $7::uuid[])
    as r (row_number, phone_number, time_zones, content, call_id)`;

const insertRefusedStatement = `
  insert into campaign_refused_rows (campaign_id, organization_id, row_number, phone_number, code, message)
  select $1, $2, r."rowNumber", r."phoneNumber", r.code, r.message
  from jsonb_to_recordset($3) as r ("rowNumber" int, "phoneNumber" text, code text, message text)`;

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
