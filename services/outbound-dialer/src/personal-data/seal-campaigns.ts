// Seals rows of campaigns' files that are still in the clear: those that replicas of the release before wrote, or that were written
// beside them.
import type { PersonalData } from '@parlance/crypto';
import type { Database, Tx } from '@parlance/postgres';
import { terminalStates } from '../domain/campaign/recipient-states.js';
import { RecipientRow } from '../recipients/recipient-row.js';
import { lockCounts } from '../recipients/recipients.js';
import type { RecipientForm } from './recipient-form.js';
import { type SealedCampaign, sealCells, sealRecipients } from './sealed-recipients.js';

const rowsAtOnce = 500;

export interface SealingCampaigns {
  readonly db: Database;
  readonly personalData: Pick<PersonalData, 'seal' | 'hashes'>;
  readonly recipientForm: RecipientForm;
}

interface StoredRow {
  readonly rowNumber: number;
  readonly phoneNumber: string;
  /** Null for a row that is sealed, or erased. */
  readonly row: unknown;
}

/** The next rows of the file, so that a page costs the same however many of them are sealed already. */
const nextRows = async (db: Database, campaignId: string, after: number): Promise<StoredRow[]> => {
  const { rows } = await db.query<StoredRow>(
    `select row_number as "rowNumber", phone_number as "phoneNumber", case when phone_number like '+%' then row end as row
     from campaign_recipients where campaign_id = $1 and row_number > $2 order by row_number limit ${rowsAtOnce}`,
    [campaignId, after],
  );
  return rows;
};

interface SealedOne {
  readonly row_number: number;
  readonly was: string;
  readonly phone_number: string;
  readonly row: unknown;
}

/** @param states of recipients that may be sealed */
const store = (
  db: Database,
  campaignId: string,
  rows: readonly SealedOne[],
  states: readonly string[] | null,
): Promise<unknown> =>
  db.transaction(async (tx) => {
    await lockCounts(tx, campaignId);
    // A row that was erased meanwhile stays empty.
    await tx.query(
      `update campaign_recipients r set phone_number = sealed.phone_number, row = sealed.row
       from jsonb_to_recordset($2) as sealed (row_number int, was text, phone_number text, row jsonb)
       where r.campaign_id = $1 and r.row_number = sealed.row_number and r.phone_number = sealed.was
         and ($3::text[] is null or r.state = any($3))`,
      [campaignId, JSON.stringify(rows), states],
    );
  });

/** Recipients of an ended campaign whose calls have not ended yet. */
const isOpen = async (db: Database, campaignId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from campaign_counts where campaign_id = $1 and recipients > 0 and state <> all($2) limit 1`,
    [campaignId, terminalStates],
  );
  return rowCount > 0;
};

/** Records that no recipient of the campaign is in the clear. */
export const noteSealed = async (tx: Tx, campaignId: string): Promise<void> => {
  await tx.query('insert into sealed_campaigns (campaign_id) values ($1) on conflict do nothing', [
    campaignId,
  ]);
};

/**
 * Seals all recipients of a campaign whose file was read, a page at a time. Where older dialers may run: once it has ended, and nothing
 * while one of its recipients is still in a call.
 */
export const sealCampaign = async (
  { db, personalData, recipientForm }: SealingCampaigns,
  campaign: SealedCampaign,
): Promise<void> => {
  const { campaignId } = campaign;
  const isRead = await recipientForm.isSealed(db);
  if (!isRead && (await isOpen(db, campaignId))) return;
  for (let after = 0; ; ) {
    const rows = await nextRows(db, campaignId, after);
    const contents = rows.flatMap(({ rowNumber, phoneNumber, row }) =>
      row === null ? [] : [{ rowNumber, phoneNumber, row: RecipientRow.parse(row) }],
    );
    const sealed = await sealRecipients(personalData, campaign, contents);
    const stored = contents.flatMap(({ rowNumber, phoneNumber }, index) => {
      const one = sealed[index];
      return one === undefined
        ? []
        : [{ row_number: rowNumber, was: phoneNumber, phone_number: one.phoneNumber, row: one.row }];
    });
    if (stored.length > 0) await store(db, campaignId, stored, isRead ? null : terminalStates);
    after = rows.at(-1)?.rowNumber ?? after;
    if (rows.length < rowsAtOnce) break;
  }
  await noteSealed(db, campaignId);
};

/** Seals the recipients of the organization's campaigns that are not sealed yet. */
const sealCampaignsOf = async (
  parts: SealingCampaigns,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> => {
  const { db, recipientForm } = parts;
  const { rows } = await db.query<{ campaignId: string }>(
    `select id as "campaignId" from campaigns c where organization_id = $1 and state -> 'personal' <> 'null'::jsonb
       and (status in ('completed', 'cancelled', 'failed') or ($2 and status <> 'validating'))
       and not exists (select from sealed_campaigns s where s.campaign_id = c.id)`,
    [organizationId, await recipientForm.isSealed(db)],
  );
  for (const { campaignId } of rows) {
    if (stopping.aborted) return;
    await sealCampaign(parts, { organizationId, campaignId });
  }
};

interface RefusedCell {
  readonly campaignId: string;
  readonly rowNumber: number;
  readonly cell: string;
}

const refusedInTheClear = async (db: Database, organizationId: string): Promise<RefusedCell[]> => {
  const { rows } = await db.query<RefusedCell>(
    `select campaign_id as "campaignId", row_number as "rowNumber", phone_number as cell from campaign_refused_rows
     where organization_id = $1 and phone_number is not null limit ${rowsAtOnce}`,
    [organizationId],
  );
  return rows;
};

/** A cell that was erased meanwhile stays empty. */
const storeCells = async (
  { db, personalData }: SealingCampaigns,
  campaign: SealedCampaign,
  cells: readonly RefusedCell[],
): Promise<void> => {
  const sealed = await sealCells(
    personalData,
    campaign,
    cells.map(({ cell }) => cell),
  );
  await db.query(
    `update campaign_refused_rows r set phone_number = null, sealed_cell = s.cell, digits_hash = s.hash
     from unnest($2::int[], $3::text[], $4::text[]) as s (row_number, cell, hash)
     where r.campaign_id = $1 and r.row_number = s.row_number and r.phone_number is not null`,
    [
      campaign.campaignId,
      cells.map(({ rowNumber }) => rowNumber),
      sealed.map(({ sealedCell }) => sealedCell),
      sealed.map(({ digitsHash }) => digitsHash),
    ],
  );
};

/** Seals the refused cells of the organization that are in the clear. */
const sealRefusedRowsOf = async (
  parts: SealingCampaigns,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> => {
  if (!(await parts.recipientForm.isSealed(parts.db))) return;
  while (!stopping.aborted) {
    const found = await refusedInTheClear(parts.db, organizationId);
    for (const campaignId of new Set(found.map((row) => row.campaignId)))
      await storeCells(
        parts,
        { organizationId, campaignId },
        found.filter((row) => row.campaignId === campaignId),
      );
    if (found.length < rowsAtOnce) return;
  }
};

/** Seals what is left in the clear of the organization's campaigns. */
export const sealCampaigns = async (
  parts: SealingCampaigns,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> => {
  await sealCampaignsOf(parts, organizationId, stopping);
  await sealRefusedRowsOf(parts, organizationId, stopping);
};
