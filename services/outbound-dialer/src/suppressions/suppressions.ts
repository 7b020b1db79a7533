// The numbers that an organization never calls. Owned rows: every dial looks its number up, here and on the list of the operator.
import type { Caller, Suppression } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import { AppError, type Issue } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { numberHashes } from '../personal-data/number-hashes.js';
import { sealedNumber } from '../personal-data/sealed-recipients.js';
import { isListInTheClear, openNumber, type StoredNumber, storedNumber } from './sealed-numbers.js';
import { addFacts, type Cause } from './suppression-facts.js';

export interface SuppressionParts {
  readonly db: Tx;
  readonly personalData: Pick<PersonalData, 'hashes'>;
  readonly hashNumbers: HashNumbers;
}

/** Sort key of an entry: newest first, the id decides between equals. */
export interface SuppressionPosition {
  readonly createdAt: string;
  readonly id: string;
}

const columns = `id, phone_number as "phoneNumber", sealed_number as "sealedNumber", reason, created_at as "createdAt", source, added_by as "addedBy"`;

type EntryRow = Omit<Suppression, 'phoneNumber'> & StoredNumber;

const toEntry = async (
  personalData: Pick<PersonalData, 'open'>,
  organizationId: string,
  { phoneNumber, sealedNumber, addedBy, ...row }: EntryRow,
): Promise<Suppression> => ({
  ...row,
  phoneNumber: await openNumber(personalData, organizationId, { phoneNumber, sealedNumber }),
  addedBy: addedBy ?? null,
});

/**
 * One form for one number, without regard to the zeros and signs that people write.
 * @returns the numbers, and the indexes of those that no country's plan has
 */
const normalize = (numbers: readonly string[]) => {
  const parsed = numbers.map((text) => parsePhoneNumberFromString(text));
  return {
    normal: parsed.map((number, index) =>
      number?.isPossible() === true ? number.number : (numbers[index] ?? ''),
    ),
    impossible: numbers.flatMap((_, index) => (parsed[index]?.isPossible() === true ? [] : [index])),
    unplanned: numbers.flatMap((_, index) => (parsed[index]?.isValid() === true ? [] : [index])),
  };
};

const refuse = (indexes: readonly number[], pathOf: (index: number) => string): void => {
  const issues: Issue[] = indexes.map((index) => ({
    ...{ path: pathOf(index), code: 'invalid_phone_number', message: 'is not a phone number' },
  }));
  if (issues.length > 0) throw new AppError('INVALID_PHONE_NUMBER', { details: { issues } });
};

/**
 * The form in which the number is on the list.
 * @throws AppError INVALID_PHONE_NUMBER for a text that never was a number
 */
export const numberToFind = (text: string): string => {
  const { normal, impossible } = normalize([text]);
  refuse(impossible, () => 'query.phoneNumber');
  return normal[0] ?? text;
};

/** Those of the numbers that the organization has on record: on its list, in a campaign, or in a call. */
const recordedOf = async (
  { db, personalData, hashNumbers }: SuppressionParts,
  organizationId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (numbers.length === 0) return new Set();
  const hashes = await numberHashes(personalData, organizationId, numbers);
  const { rows } = await db.query<{ phoneNumber: string }>(
    `select n as "phoneNumber" from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as wanted (n, hash, sealed, listed)
     where exists (select from suppressions where organization_id = $1 and (phone_number = n or number_hash = listed))
       or exists (select from campaign_recipients where organization_id = $1 and phone_number in (n, sealed))
       or exists (select from outbound_calls where organization_id = $1 and number_hash = hash)
       or exists (select from outbound_calls where organization_id = $1 and number_hash is null
                    and state -> 'personal' ->> 'phoneNumber' = n)`,
    [organizationId, numbers, hashes, hashes.map(sealedNumber), await hashNumbers(numbers)],
  );
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
};

/**
 * The numbers in one form; in order, each once. A number that cannot exist is taken where it is on record: an earlier
 * release, or an older numbering plan, had no objection to it.
 * @throws AppError INVALID_PHONE_NUMBER that names every entry which is no phone number
 */
export const numbersToSuppress = async (
  parts: SuppressionParts,
  organizationId: string,
  numbers: readonly string[],
): Promise<string[]> => {
  const { normal, impossible, unplanned } = normalize(numbers);
  const numberAt = (index: number): string => normal[index] ?? '';
  const never = new Set(impossible);
  const doubtful = unplanned.filter((index) => !never.has(index));
  const recorded = await recordedOf(parts, organizationId, doubtful.map(numberAt));
  const unknown = unplanned.filter((index) => never.has(index) || !recorded.has(numberAt(index)));
  refuse(unknown, (index) => `body.phoneNumbers.${index}`);
  return [...new Set(normal)];
};

export interface ListedNumber {
  /** Null keeps the hash alone, for a person who was erased. */
  readonly phoneNumber: string | null;
  readonly numberHash: string;
}

/**
 * Puts numbers on the list, with the fact for each that was not there; a number that is on the list already keeps its entry.
 * Answers the entries of all, in their order.
 */
export const suppress = async (
  tx: Tx,
  personalData: Pick<PersonalData, 'seal' | 'open'>,
  organizationId: string,
  entries: readonly (ListedNumber & { readonly id: string })[],
  how: Cause & { readonly at: Date },
): Promise<Suppression[]> => {
  // All code takes the numbers in one order, so that two lists with common numbers never wait for each other.
  const sorted = [...entries].sort((a, b) => (a.numberHash < b.numberHash ? -1 : 1));
  const inTheClear = await isListInTheClear(tx, how.at);
  const stored = await Promise.all(
    sorted.map(({ phoneNumber }) => storedNumber(personalData, organizationId, phoneNumber, { inTheClear })),
  );
  // An entry of an older replica has no hash.
  const { rows: added } = await tx.query<{ numberHash: string }>(
    `insert into suppressions
       (id, organization_id, phone_number, sealed_number, number_hash, reason, created_at, source, added_by)
     select id, $1, phone_number, sealed_number, number_hash, $2, $3, $4, $5
     from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[])
       as entry (id, number, phone_number, sealed_number, number_hash)
     where not exists (select from suppressions s where s.organization_id = $1 and s.phone_number = entry.number)
     on conflict do nothing returning number_hash as "numberHash"`,
    [
      organizationId,
      how.reason,
      how.at.toISOString(),
      how.source,
      how.actor,
      sorted.map(({ id }) => id),
      sorted.map(({ phoneNumber }) => phoneNumber),
      stored.map(({ phoneNumber }) => phoneNumber),
      stored.map(({ sealedNumber: sealed }) => sealed),
      sorted.map(({ numberHash }) => numberHash),
    ],
  );
  const hashes = entries.map(({ numberHash }) => numberHash);
  // That a person asked for it in a call is a fact of its own, although the number was on the list.
  const told = how.source === 'call' ? hashes : added.map(({ numberHash }) => numberHash);
  await addFacts(tx, { organizationId, hashes: told, change: 'added', ...how });
  const { rows } = await tx.query<EntryRow & { readonly numberHash: string }>(
    `select n.hash as "numberHash", ${columns} from unnest($2::text[], $3::text[]) as n (number, hash)
     join suppressions s on s.organization_id = $1 and (s.phone_number = n.number or s.number_hash = n.hash)`,
    [organizationId, entries.map(({ phoneNumber }) => phoneNumber), hashes],
  );
  const byHash = new Map(rows.map(({ numberHash, ...row }) => [numberHash, row]));
  const found = hashes.flatMap((hash) => byHash.get(hash) ?? []);
  return Promise.all(found.map((row) => toEntry(personalData, organizationId, row)));
};

/** Lists up to `limit` entries after `after`, newest first; of one number only, if one is given. */
export const listSuppressions = async (
  { db, personalData }: { readonly db: Tx; readonly personalData: Pick<PersonalData, 'open'> },
  organizationId: string,
  number: { readonly phoneNumber: string; readonly numberHash: string } | undefined,
  page: { readonly limit: number; readonly after?: SuppressionPosition | undefined },
): Promise<Suppression[]> => {
  const { rows } = await db.query<EntryRow>(
    `select ${columns} from suppressions
     where organization_id = $1
       and ($2::text is null or phone_number = $2 or number_hash = $6)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
     order by created_at desc, id desc
     limit $5`,
    [
      organizationId,
      number?.phoneNumber ?? null,
      page.after?.createdAt ?? null,
      page.after?.id ?? null,
      page.limit,
      number?.numberHash ?? null,
    ],
  );
  return Promise.all(rows.map((row) => toEntry(personalData, organizationId, row)));
};

export interface Remover {
  readonly actor: string;
  readonly role: Caller['role'];
  readonly reason: string | null;
  readonly at: Date;
}

/** A decision of the person who is called is taken back by those who answer for the organization. */
const mayRemove = (source: Suppression['source'], role: Caller['role']): boolean =>
  source === 'request' || role === 'owner' || role === 'admin';

/** @throws AppError NOT_FOUND; PERMISSION_DENIED for an entry that a person asked for in a call, or that an erasure left */
export const removeSuppression = async (
  tx: Tx,
  organizationId: string,
  id: string,
  { role, ...how }: Remover,
  hashNumbers: HashNumbers,
): Promise<void> => {
  const { rows } = await tx.query<
    Pick<EntryRow, 'phoneNumber' | 'source'> & { readonly numberHash: string | null }
  >(
    `select phone_number as "phoneNumber", number_hash as "numberHash", source from suppressions
     where organization_id = $1 and id = $2 for update`,
    [organizationId, id],
  );
  const [entry] = rows;
  if (entry === undefined) throw new AppError('NOT_FOUND');
  if (!mayRemove(entry.source, role)) throw new AppError('PERMISSION_DENIED');
  const hashes =
    entry.numberHash === null ? await hashNumbers([entry.phoneNumber ?? '']) : [entry.numberHash];
  await tx.query('delete from suppressions where organization_id = $1 and id = $2', [organizationId, id]);
  await addFacts(tx, { organizationId, hashes, change: 'removed', source: 'request', callId: null, ...how });
};

/** The given numbers that are on the list of the organization, or on that of the operator. */
export const suppressedOf = async (
  db: Tx,
  organizationId: string,
  numbers: readonly string[],
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ phoneNumber: string }>({
    name: 'suppressed-of',
    text: `select n.number as "phoneNumber" from unnest($2::text[], $3::text[]) as n (number, hash)
           where exists (select from suppressions where organization_id = $1 and phone_number = n.number)
             or exists (select from suppressions where organization_id = $1 and number_hash = n.hash)
             or exists (select from operator_suppressions o where o.number_hash = n.hash)`,
    values: [organizationId, numbers, hashes],
  });
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
};
