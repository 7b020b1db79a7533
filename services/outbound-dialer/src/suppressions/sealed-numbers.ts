// Numbers on the do-not-call list are sealed with the key of their organization, and found by their hashes. Replicas of release 0.2.0 find
// an entry by its number alone, so entries have it in the clear while one of them may run.
import type { PersonalData } from '@parlance/crypto';
import type { Database, Tx } from '@parlance/postgres';
import { z } from 'zod';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { numbersSubject } from '../personal-data/number-hashes.js';
import { mayOlderReplicaRun } from '../personal-data/older-replicas.js';

/** The columns of a number: one of them has it, or none where the person was erased. */
export interface StoredNumber {
  readonly phoneNumber: string | null;
  readonly sealedNumber: string | null;
}

/** While replicas of before may run, which read numbers in the clear alone. */
export const isListInTheClear = (db: Tx, now: Date): Promise<boolean> =>
  mayOlderReplicaRun(db, '0023_sealed_suppressions.sql', now);

export const storedNumber = async (
  personalData: Pick<PersonalData, 'seal'>,
  organizationId: string,
  phoneNumber: string | null,
  { inTheClear }: { readonly inTheClear: boolean },
): Promise<StoredNumber> =>
  inTheClear || phoneNumber === null
    ? { phoneNumber, sealedNumber: null }
    : {
        phoneNumber: null,
        sealedNumber: await personalData.seal(numbersSubject(organizationId), phoneNumber),
      };

/** Empty where the person was erased. */
export const openNumber = async (
  personalData: Pick<PersonalData, 'open'>,
  organizationId: string,
  { phoneNumber, sealedNumber }: StoredNumber,
): Promise<string> => {
  if (phoneNumber !== null || sealedNumber === null) return phoneNumber ?? '';
  const opened = await personalData.open(numbersSubject(organizationId), sealedNumber);
  return z.string().nullable().parse(opened) ?? '';
};

export interface SealingNumbers {
  readonly db: Database;
  readonly personalData: Pick<PersonalData, 'seal'>;
  readonly hashNumbers: HashNumbers;
}

const rowsAtOnce = 500;

interface InTheClear {
  readonly id: string;
  readonly organizationId: string;
  readonly phoneNumber: string;
}

const replace = (
  db: Database,
  entries: {
    readonly ids: readonly string[];
    readonly sealed: readonly string[];
    readonly hashes: readonly string[];
  },
): Promise<unknown> =>
  db.transaction(async (tx) => {
    const values = [entries.ids, entries.sealed, entries.hashes];
    const given = 'unnest($1::uuid[], $2::text[], $3::text[]) as given (id, sealed, hash)';
    // An older replica may have added a number that is on the list by its hash.
    await tx.query(
      `delete from suppressions s using ${given} where s.id = given.id and s.number_hash is null
         and exists (select from suppressions o
                     where o.organization_id = s.organization_id and o.number_hash = given.hash)`,
      values,
    );
    // The number of a person who was erased in the meantime stays away.
    await tx.query(
      `update suppressions s set sealed_number = given.sealed, number_hash = given.hash, phone_number = null
       from ${given} where s.id = given.id and s.phone_number is not null`,
      values,
    );
  });

/** @returns false where it has to be repeated: older replicas may run, or the process is stopping */
export const sealNumbersInTheClear = async (
  { db, personalData, hashNumbers }: SealingNumbers,
  now: Date,
  stopping: AbortSignal,
): Promise<boolean> => {
  if (await isListInTheClear(db, now)) return false;
  while (!stopping.aborted) {
    const { rows } = await db.query<InTheClear>(
      `select id, organization_id as "organizationId", phone_number as "phoneNumber" from suppressions
       where phone_number is not null limit ${rowsAtOnce}`,
    );
    const sealed = await Promise.all(
      rows.map(({ organizationId, phoneNumber }) =>
        personalData.seal(numbersSubject(organizationId), phoneNumber),
      ),
    );
    const hashes = await hashNumbers(rows.map(({ phoneNumber }) => phoneNumber));
    await replace(db, { ids: rows.map(({ id }) => id), sealed, hashes });
    if (rows.length < rowsAtOnce) return true;
  }
  return false;
};
