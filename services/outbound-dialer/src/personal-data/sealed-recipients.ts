// The recipients of a campaign that has ended are sealed with the key of the campaign's stream. While a campaign runs, its dialers, those of
// the release before among them, read the numbers of its rows.
import type { PersonalData } from '@parlance/crypto';
import type { Database } from '@parlance/postgres';
import { z } from 'zod';
import { terminalStates } from '../domain/campaign/recipient-states.js';
import { RecipientRow } from '../recipients/recipient-row.js';
import { lockCounts } from '../recipients/recipients.js';
import { subjectOfCampaign } from './forget-campaigns.js';
import { numberHashes } from './number-hashes.js';

const rowsAtOnce = 500;
const prefix = 'h1.';

/** The value of the column `phone_number` in a sealed row. */
export const sealedNumber = (hash: string): string => `${prefix}${hash}`;

const Content = z.object({ phoneNumber: z.string(), row: RecipientRow });
type Content = z.infer<typeof Content>;

/** As older releases read it, a sealed row has no variables. */
const SealedRow = z.object({ variables: z.object({}), sealed: z.string() });

const nothing: Content = { phoneNumber: '', row: { variables: {} } };

/** The content of a row of the table, sealed or not. */
export const openRecipient = async (
  personalData: Pick<PersonalData, 'open'>,
  campaignId: string,
  { phoneNumber, row }: { readonly phoneNumber: string; readonly row: unknown },
): Promise<Content> => {
  if (!phoneNumber.startsWith(prefix)) return { phoneNumber, row: RecipientRow.parse(row) };
  const opened = await personalData.open(subjectOfCampaign(campaignId), SealedRow.parse(row).sealed);
  return opened === null ? nothing : Content.parse(opened);
};

export interface SealingRecipients {
  readonly db: Database;
  readonly personalData: Pick<PersonalData, 'seal' | 'hashes'>;
}

interface Unsealed {
  readonly rowNumber: number;
  readonly phoneNumber: string;
  readonly row: RecipientRow;
}

const unsealed = async (db: Database, campaignId: string, after: number): Promise<Unsealed[]> => {
  const { rows } = await db.query<Unsealed>(
    `select row_number as "rowNumber", phone_number as "phoneNumber", row from campaign_recipients
     where campaign_id = $1 and row_number > $2 and phone_number like '+%' order by row_number limit ${rowsAtOnce}`,
    [campaignId, after],
  );
  return rows;
};

interface SealedOne {
  readonly row_number: number;
  readonly was: string;
  readonly phone_number: string;
  readonly row: z.infer<typeof SealedRow>;
}

const store = (db: Database, campaignId: string, rows: readonly SealedOne[]): Promise<unknown> =>
  db.transaction(async (tx) => {
    await lockCounts(tx, campaignId);
    // A row that was erased meanwhile stays empty.
    await tx.query(
      `update campaign_recipients r set phone_number = sealed.phone_number, row = sealed.row
       from jsonb_to_recordset($2) as sealed (row_number int, was text, phone_number text, row jsonb)
       where r.campaign_id = $1 and r.row_number = sealed.row_number and r.phone_number = sealed.was
         and r.state = any($3)`,
      [campaignId, JSON.stringify(rows), terminalStates],
    );
  });

/** Recipients of an ended campaign whose calls have not ended yet; the next round seals them. */
const isOpen = async (db: Database, campaignId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from campaign_counts where campaign_id = $1 and recipients > 0 and state <> all($2) limit 1`,
    [campaignId, terminalStates],
  );
  return rowCount > 0;
};

/** Seals all recipients of a campaign that has ended, a piece at a time; nothing while one of them is still in a call. */
export const sealRecipients = async (
  { db, personalData }: SealingRecipients,
  organizationId: string,
  campaignId: string,
): Promise<void> => {
  if (await isOpen(db, campaignId)) return;
  const subject = subjectOfCampaign(campaignId);
  for (let after = 0; ; ) {
    const rows = await unsealed(db, campaignId, after);
    const hashes = await numberHashes(
      personalData,
      organizationId,
      rows.map(({ phoneNumber }) => phoneNumber),
    );
    const sealed: SealedOne[] = [];
    for (const [index, { rowNumber, phoneNumber, row }] of rows.entries())
      sealed.push({
        row_number: rowNumber,
        was: phoneNumber,
        phone_number: sealedNumber(hashes[index] ?? ''),
        row: { variables: {}, sealed: await personalData.seal(subject, { phoneNumber, row }) },
      });
    if (sealed.length > 0) await store(db, campaignId, sealed);
    after = rows.at(-1)?.rowNumber ?? after;
    if (rows.length < rowsAtOnce) break;
  }
  await db.query('insert into sealed_campaigns (campaign_id) values ($1) on conflict do nothing', [
    campaignId,
  ]);
};

/** Seals the recipients of the organization's campaigns that have ended since the last time. */
export const sealEndedCampaigns = async (
  parts: SealingRecipients,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> => {
  const { rows } = await parts.db.query<{ id: string }>(
    `select id from campaigns c where organization_id = $1 and state -> 'personal' <> 'null'::jsonb
       and status in ('completed', 'cancelled', 'failed')
       and not exists (select from sealed_campaigns s where s.campaign_id = c.id)`,
    [organizationId],
  );
  for (const { id } of rows) {
    if (stopping.aborted) return;
    await sealRecipients(parts, organizationId, id);
  }
};
