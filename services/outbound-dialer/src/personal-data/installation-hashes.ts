// Keyed hashes of telephone numbers: rows that have to recognise a number later store the hash and not the number.
import type { PersonalData } from '@parlance/crypto';

/** Hashes numbers in E.164. The same number has the same hash in every replica and organization. */
export type HashNumbers = (phoneNumbers: readonly string[]) => Promise<readonly string[]>;

/** Its key is never destroyed: hashes on the list of the operator have to match for years. */
const subject = 'telephone-numbers';

export const installationHashes =
  (personalData: Pick<PersonalData, 'hashes'>): HashNumbers =>
  (phoneNumbers) =>
    personalData.hashes(subject, phoneNumbers);
