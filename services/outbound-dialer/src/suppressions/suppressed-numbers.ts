// The suppression list of an organization as the reader of a file takes it. Entries that are kept as a hash alone, and the list of the
// operator, are looked up when a recipient's turn comes.
import { setImmediate } from 'node:timers/promises';
import type { PersonalData } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import { digitsAsNumber } from './number-set.js';
import { openNumber, type StoredNumber } from './sealed-numbers.js';

const suppressedAtOnce = 1_000;

type Row = StoredNumber & { readonly id: string; readonly at: string };

/** Every number on the organization's list, as small as it can be kept. */
export const readSuppressed = async (
  { db, personalData }: { readonly db: Tx; readonly personalData: Pick<PersonalData, 'open'> },
  organizationId: string,
): Promise<Float64Array> => {
  const found: number[] = [];
  for (let after: Row | undefined; ; ) {
    const { rows } = await db.query<Row>(
      `select id, created_at::text as at, phone_number as "phoneNumber", sealed_number as "sealedNumber" from suppressions
       where organization_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
         and (phone_number is not null or sealed_number is not null)
       order by created_at desc, id desc limit $4`,
      [organizationId, after?.at ?? null, after?.id ?? null, suppressedAtOnce],
    );
    const numbers = await Promise.all(rows.map((row) => openNumber(personalData, organizationId, row)));
    for (const number of numbers) if (number !== '') found.push(digitsAsNumber(number));
    after = rows.at(-1);
    if (rows.length < suppressedAtOnce) return Float64Array.from(found);
    // Requests are answered between two batches.
    await setImmediate();
  }
};
