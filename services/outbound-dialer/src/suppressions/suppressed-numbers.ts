// The numbers of a file that must not be called: on the list of the organization, by number or as a hash alone, or on that of the operator.
import type { Tx } from '@parlance/postgres';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { suppressedOf } from './suppressions.js';

const hasEntries = async (db: Tx, organizationId: string): Promise<boolean> => {
  const { rows } = await db.query<{ has: boolean }>(
    `select exists (select from suppressions where organization_id = $1)
       or exists (select from operator_suppressions) as has`,
    [organizationId],
  );
  return rows[0]?.has !== false;
};

/**
 * Compares keyed hashes, so that no entry of a list is opened. Numbers are not hashed where both lists are empty; each is looked up again
 * before it is dialled.
 */
export const suppressedAmong = (
  { db, hashNumbers }: { readonly db: Tx; readonly hashNumbers: HashNumbers },
  organizationId: string,
): ((phoneNumbers: readonly string[]) => Promise<ReadonlySet<string>>) => {
  let areEntries: Promise<boolean> | undefined;
  return async (phoneNumbers) => {
    areEntries ??= hasEntries(db, organizationId);
    if (!(await areEntries)) return new Set();
    return suppressedOf(db, organizationId, phoneNumbers, await hashNumbers(phoneNumbers));
  };
};
