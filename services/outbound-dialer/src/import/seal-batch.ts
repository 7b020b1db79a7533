// Seals the rows of a batch on their way into the database.
import type { PersonalData } from '@parlance/crypto';
import { type SealedCampaign, sealCells, sealRecipients } from '../personal-data/sealed-recipients.js';
import {
  contentsIn,
  phoneNumbersIn,
  type RecipientBatch,
  refusedIn,
  toContents,
  toPhoneNumbers,
  toRefused,
} from './recipient-batch.js';

type Sealing = Pick<PersonalData, 'seal' | 'hashes'>;

const sealRefused = async (
  personalData: Sealing,
  campaign: SealedCampaign,
  batch: RecipientBatch,
): Promise<string | undefined> => {
  if (batch.refused === undefined) return undefined;
  const rows = refusedIn(batch.refused);
  const withCell = rows.filter(({ phoneNumber }) => phoneNumber !== null);
  const sealed = await sealCells(
    personalData,
    campaign,
    withCell.map(({ phoneNumber }) => phoneNumber ?? ''),
  );
  const byRow = new Map(withCell.map(({ rowNumber }, index) => [rowNumber, sealed[index]]));
  return toRefused(rows.map((row) => ({ ...row, phoneNumber: null, ...byRow.get(row.rowNumber) })));
};

export const sealBatch = async (
  personalData: Sealing,
  campaign: SealedCampaign,
  batch: RecipientBatch,
): Promise<RecipientBatch> => {
  const numbers = phoneNumbersIn(batch);
  const rows = contentsIn(batch);
  const contents = rows.map((row, index) => ({ phoneNumber: numbers[index] ?? '', row }));
  const sealed = await sealRecipients(personalData, campaign, contents);
  const refused = await sealRefused(personalData, campaign, batch);
  return {
    ...batch,
    phoneNumbers: toPhoneNumbers(sealed.map(({ phoneNumber }) => phoneNumber)),
    contents: toContents(sealed.map(({ row }) => row)),
    ...(refused === undefined ? {} : { refused }),
  };
};
