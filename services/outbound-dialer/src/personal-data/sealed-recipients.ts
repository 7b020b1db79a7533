// The rows of a campaign's file, sealed with the key of the campaign's stream: recipients, and the cells of rows that cannot be called.
// A person is found in them by keyed hashes of the organization.
import { setImmediate } from 'node:timers/promises';
import type { PersonalData } from '@parlance/crypto';
import { z } from 'zod';
import { RecipientRow } from '../recipients/recipient-row.js';
import { subjectOfCampaign } from './forget-campaigns.js';
import { numberHashes } from './number-hashes.js';

const prefix = 'h1.';

/** The value of the column `phone_number` in a sealed row. */
export const sealedNumber = (hash: string): string => `${prefix}${hash}`;

export interface RecipientContent {
  /** E.164. */
  readonly phoneNumber: string;
  readonly row: RecipientRow;
}

const Content = z.object({ phoneNumber: z.string(), row: RecipientRow });

/** Releases that do not read it find a row without variables. */
const SealedRow = z.object({ variables: z.object({}), sealed: z.string() });

export interface SealedRecipient {
  readonly phoneNumber: string;
  readonly row: z.infer<typeof SealedRow>;
}

export interface SealedCampaign {
  readonly organizationId: string;
  readonly campaignId: string;
}

const nothing: RecipientContent = { phoneNumber: '', row: { variables: {} } };

/** The content of a row of the table, sealed or not. */
export const openRecipient = async (
  personalData: Pick<PersonalData, 'open'>,
  campaignId: string,
  { phoneNumber, row }: { readonly phoneNumber: string; readonly row: unknown },
): Promise<RecipientContent> => {
  if (!phoneNumber.startsWith(prefix)) return { phoneNumber, row: RecipientRow.parse(row) };
  const opened = await personalData.open(subjectOfCampaign(campaignId), SealedRow.parse(row).sealed);
  return opened === null ? nothing : Content.parse(opened);
};

/** Some milliseconds of encryption; the process answers requests between two pieces. */
const pieceRows = 200;

const inPieces = async <T, R>(
  values: readonly T[],
  seal: (piece: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> => {
  const sealed: R[] = [];
  for (let at = 0; at < values.length; at += pieceRows) {
    if (at > 0) await setImmediate();
    sealed.push(...(await seal(values.slice(at, at + pieceRows))));
  }
  return sealed;
};

/** In the order of the contents. */
export const sealRecipients = (
  personalData: Pick<PersonalData, 'seal' | 'hashes'>,
  { organizationId, campaignId }: SealedCampaign,
  contents: readonly RecipientContent[],
): Promise<SealedRecipient[]> => {
  const subject = subjectOfCampaign(campaignId);
  return inPieces(contents, async (piece) => {
    const numbers = piece.map(({ phoneNumber }) => phoneNumber);
    const hashes = await numberHashes(personalData, organizationId, numbers);
    return Promise.all(
      piece.map(async ({ phoneNumber, row }, index) => ({
        phoneNumber: sealedNumber(hashes[index] ?? ''),
        row: { variables: {}, sealed: await personalData.seal(subject, { phoneNumber, row }) },
      })),
    );
  });
};

/** The columns of a refused row's cell: one of them has it, or none where it is empty or was erased. */
export interface StoredCell {
  readonly phoneNumber: string | null;
  readonly sealedCell: string | null;
}

export interface SealedCell {
  readonly sealedCell: string;
  /** Null for a cell with too few digits to be a number. */
  readonly digitsHash: string | null;
}

const lastDigits = 8;

/** A refused cell is compared by its last digits, because it may be written in any way or lack the country. */
export const lastDigitsOf = (text: string): string | undefined => {
  const digits = text.replaceAll(/\D/g, '').slice(-lastDigits);
  return digits.length === lastDigits ? digits : undefined;
};

const digitsHashes = (
  personalData: Pick<PersonalData, 'hashes'>,
  organizationId: string,
  digits: readonly string[],
): Promise<readonly string[]> =>
  numberHashes(
    personalData,
    organizationId,
    digits.map((text) => `last digits ${text}`),
  );

/** The hash of the last digits, by which the refused cells of a number are found; null for a number with fewer. */
export const digitsHashOf = async (
  personalData: Pick<PersonalData, 'hashes'>,
  organizationId: string,
  phoneNumber: string,
): Promise<string | null> => {
  const digits = lastDigitsOf(phoneNumber);
  if (digits === undefined) return null;
  const [hash] = await digitsHashes(personalData, organizationId, [digits]);
  return hash ?? null;
};

/** In the order of the cells. */
export const sealCells = (
  personalData: Pick<PersonalData, 'seal' | 'hashes'>,
  { organizationId, campaignId }: SealedCampaign,
  cells: readonly string[],
): Promise<SealedCell[]> => {
  const subject = subjectOfCampaign(campaignId);
  return inPieces(cells, async (piece) => {
    const digits = piece.map(lastDigitsOf);
    const hashes = await digitsHashes(
      personalData,
      organizationId,
      digits.map((text) => text ?? ''),
    );
    return Promise.all(
      piece.map(async (cell, index) => ({
        sealedCell: await personalData.seal(subject, cell),
        digitsHash: digits[index] === undefined ? null : (hashes[index] ?? null),
      })),
    );
  });
};

/** Null where the cell is empty or was erased. */
export const openCell = async (
  personalData: Pick<PersonalData, 'open'>,
  campaignId: string,
  { phoneNumber, sealedCell }: StoredCell,
): Promise<string | null> => {
  if (sealedCell === null) return phoneNumber;
  return z
    .string()
    .nullable()
    .parse(await personalData.open(subjectOfCampaign(campaignId), sealedCell));
};
