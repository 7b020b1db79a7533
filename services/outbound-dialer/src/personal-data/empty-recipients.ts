// Erases the recipients of campaigns. The rows stay, because the campaign's progress counts them; the number, the name and the variables go.
import type { Database, Tx } from '@parlance/postgres';
import { terminalStates } from '../domain/campaign/recipient-states.js';
import { lockCounts } from '../recipients/recipients.js';

const rowsAtOnce = 2_000;

const emptied = `phone_number = '', row = '{"variables":{}}', reason = case when state = any($2) then reason else 'cancelled_by_user' end,
  claimed_by = null, claimed_until = null, state = case when state = any($2) then state else 'cancelled' end,
  updated_at = case when state = any($2) then updated_at else now() end`;

const emptiedCell = 'phone_number = null, sealed_cell = null, digits_hash = null';

/**
 * Empties these rows of the campaign's file. A recipient that still waits is called no more.
 * @param onlyIdle leaves recipients alone that a dialer has taken: their calls end first
 * @returns the number of recipients that were left alone
 */
export const emptyRows = (
  db: Database,
  campaignId: string,
  rowNumbers: readonly number[],
  { onlyIdle }: { readonly onlyIdle: boolean },
): Promise<number> =>
  db.transaction(async (tx) => {
    await lockCounts(tx, campaignId);
    await tx.query(
      `update campaign_recipients set ${emptied}
       where campaign_id = $1 and row_number = any($3) and phone_number <> ''
         and (state = any($2) or (state = 'pending' and revision < 0) or not $4::boolean)`,
      [campaignId, terminalStates, rowNumbers, onlyIdle],
    );
    const { rowCount: left } = await tx.query(
      `select from campaign_recipients where campaign_id = $1 and row_number = any($2) and phone_number <> ''`,
      [campaignId, rowNumbers],
    );
    await tx.query(
      `update campaign_refused_rows set ${emptiedCell}
       where campaign_id = $1 and row_number = any($2) and (phone_number is not null or sealed_cell is not null)`,
      [campaignId, rowNumbers],
    );
    return left;
  });

/** The last row of the next piece; undefined behind the last row. */
const endOfPiece = async (
  tx: Tx,
  table: 'campaign_recipients' | 'campaign_refused_rows',
  campaignId: string,
  after: number,
): Promise<number | undefined> => {
  const { rows } = await tx.query<{ last: number | null }>(
    `select max(row_number) as last from (select row_number from ${table}
       where campaign_id = $1 and row_number > $2 order by row_number limit ${rowsAtOnce}) as piece`,
    [campaignId, after],
  );
  return rows[0]?.last ?? undefined;
};

/** Empties all rows of the campaign's file, a piece at a time. */
export const emptyCampaign = async (db: Database, campaignId: string): Promise<void> => {
  for (let after = 0; ; ) {
    const last = await endOfPiece(db, 'campaign_recipients', campaignId, after);
    if (last === undefined) break;
    const from = after;
    await db.transaction(async (tx) => {
      await lockCounts(tx, campaignId);
      await tx.query(
        `update campaign_recipients set ${emptied}
         where campaign_id = $1 and row_number > $3 and row_number <= $4 and phone_number <> ''`,
        [campaignId, terminalStates, from, last],
      );
    });
    after = last;
  }
  for (let after = 0; ; ) {
    const last = await endOfPiece(db, 'campaign_refused_rows', campaignId, after);
    if (last === undefined) break;
    await db.query(
      `update campaign_refused_rows set ${emptiedCell}
       where campaign_id = $1 and row_number > $2 and row_number <= $3
         and (phone_number is not null or sealed_cell is not null)`,
      [campaignId, after, last],
    );
    after = last;
  }
};
