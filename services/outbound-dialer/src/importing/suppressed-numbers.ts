// The suppression list of an organization as the reader of a file takes it. Entries that are kept as a hash alone, and the list of the
// operator, are looked up when a recipient's turn comes.
import type { Tx } from '@parlance/postgres';
import { digitsAsNumber } from './number-set.js';

const suppressedAtOnce = 50_000;

/** Every number on the organization's list, as small as it can be kept. */
export const readSuppressed = async (db: Tx, organizationId: string): Promise<Float64Array> => {
  const found: number[] = [];
  for (let after = ''; ; ) {
    const { rows } = await db.query<{ phoneNumber: string }>(
      `select phone_number as "phoneNumber" from suppressions
       where organization_id = $1 and phone_number > $2 order by phone_number limit $3`,
      [organizationId, after, suppressedAtOnce],
    );
    for (const { phoneNumber } of rows) found.push(digitsAsNumber(phoneNumber));
    after = rows.at(-1)?.phoneNumber ?? '';
    if (rows.length < suppressedAtOnce) return Float64Array.from(found);
  }
};
