// Erases a campaign that has ended: its recipients, its file and the key of its stream. Its name, its rules and its sums stay.
import type { PersonalData } from '@parlance/crypto';
import { streamOf } from '@parlance/event-sourcing';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Database } from '@parlance/postgres';
import { stopClaims } from '../recipients/recipients.js';
import { campaignCategory } from '../repositories/campaign-repository.js';
import { emptyCampaign } from './empty-recipients.js';

export interface ForgettingCampaigns {
  readonly db: Database;
  readonly personalData: Pick<PersonalData, 'forget'>;
  readonly storage: Pick<ObjectStorage, 'delete'> | undefined;
}

export const subjectOfCampaign = (id: string): string => streamOf(campaignCategory, id);

/** The files that these campaigns were made of, unless one of them is still to be read for another campaign. */
const filesOf = async (db: Database, ids: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await db.query<{ key: string }>(
    `select distinct c.state -> 'created' ->> 'sourceFileKey' as key from campaigns c
     where c.id = any($1::uuid[]) and not exists (
       select from campaigns other where other.status = 'validating'
         and other.state -> 'created' ->> 'sourceFileKey' = c.state -> 'created' ->> 'sourceFileKey')`,
    [ids],
  );
  return rows.map(({ key }) => key);
};

export const deleteFilesOf = async (
  { db, storage }: Pick<ForgettingCampaigns, 'db' | 'storage'>,
  ids: readonly string[],
): Promise<void> => {
  if (storage === undefined) return;
  for (const key of await filesOf(db, ids)) await storage.delete(key);
};

/** May be repeated. The row comes last: until then the next round finds the campaign again. */
export const forgetCampaign = async (parts: ForgettingCampaigns, id: string): Promise<void> => {
  const { db, personalData } = parts;
  await db.transaction((tx) => stopClaims(tx, id));
  await emptyCampaign(db, id);
  await deleteFilesOf(parts, [id]);
  await personalData.forget(subjectOfCampaign(id));
  await db.query(`update campaigns set state = jsonb_set(state, '{personal}', 'null') where id = $1`, [id]);
};
