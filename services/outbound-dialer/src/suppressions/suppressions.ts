// The numbers that an organization never calls. Owned rows: every dial looks its number up.
import type { Suppression } from '@parlance/contracts';
import { AppError, type Issue } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Sort key of an entry: newest first, the id decides between equals. */
export interface SuppressionPosition {
  readonly createdAt: string;
  readonly id: string;
}

const columns = `id, phone_number as "phoneNumber", reason, created_at as "createdAt"`;

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
  db: Tx,
  organizationId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (numbers.length === 0) return new Set();
  const { rows } = await db.query<{ phoneNumber: string }>(
    `select n as "phoneNumber" from unnest($2::text[]) as wanted (n)
     where exists (select from suppressions where organization_id = $1 and phone_number = n)
       or n in (select r.phone_number from campaigns c join campaign_recipients r on r.campaign_id = c.id
                where c.organization_id = $1 and r.phone_number = any($2))
       or n in (select state->'personal'->>'phoneNumber' from outbound_calls
                where organization_id = $1 and state->'personal'->>'phoneNumber' = any($2))`,
    [organizationId, numbers],
  );
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
};

/**
 * The numbers in one form; in order, each once. A number that cannot exist is taken where it is on record: an earlier
 * release, or an older numbering plan, had no objection to it.
 * @throws AppError INVALID_PHONE_NUMBER that names every entry which is no phone number
 */
export const numbersToSuppress = async (
  db: Tx,
  organizationId: string,
  numbers: readonly string[],
): Promise<string[]> => {
  const { normal, impossible, unplanned } = normalize(numbers);
  const numberAt = (index: number): string => normal[index] ?? '';
  const never = new Set(impossible);
  const doubtful = unplanned.filter((index) => !never.has(index));
  const recorded = await recordedOf(db, organizationId, doubtful.map(numberAt));
  const unknown = unplanned.filter((index) => never.has(index) || !recorded.has(numberAt(index)));
  refuse(unknown, (index) => `body.phoneNumbers.${index}`);
  return [...new Set(normal)];
};

/**
 * Puts numbers on the list; a number that is on the list already keeps its entry. Answers the entries of all, in their
 * order.
 */
export const suppress = async (
  db: Tx,
  organizationId: string,
  entries: readonly { readonly id: string; readonly phoneNumber: string }[],
  { reason, at }: { readonly reason: string | null; readonly at: Date },
): Promise<Suppression[]> => {
  // All code takes the numbers in one order, so that two lists with common numbers never wait for each other.
  const sorted = [...entries].sort((a, b) => (a.phoneNumber < b.phoneNumber ? -1 : 1));
  const { rows } = await db.query<Suppression>(
    `insert into suppressions as known (id, organization_id, phone_number, reason, created_at)
     select id, $1, phone_number, $2, $3 from unnest($4::uuid[], $5::text[]) as entry (id, phone_number)
     on conflict (organization_id, phone_number) do update set reason = known.reason
     returning ${columns}`,
    [organizationId, reason, at, sorted.map(({ id }) => id), sorted.map(({ phoneNumber }) => phoneNumber)],
  );
  const byNumber = new Map(rows.map((row) => [row.phoneNumber, row]));
  return entries.flatMap(({ phoneNumber }) => byNumber.get(phoneNumber) ?? []);
};

/** Lists up to `limit` entries after `after`, newest first; of one number only, if one is given. */
export const listSuppressions = async (
  db: Tx,
  organizationId: string,
  phoneNumber: string | undefined,
  page: { readonly limit: number; readonly after?: SuppressionPosition | undefined },
): Promise<Suppression[]> => {
  const { rows } = await db.query<Suppression>(
    `select ${columns} from suppressions
     where organization_id = $1
       and ($2::text is null or phone_number = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
     order by created_at desc, id desc
     limit $5`,
    [organizationId, phoneNumber ?? null, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows;
};

/** @returns false when the organization has no such entry */
export const removeSuppression = async (db: Tx, organizationId: string, id: string): Promise<boolean> => {
  const { rowCount } = await db.query('delete from suppressions where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return rowCount > 0;
};

/** The given numbers that are on the list. */
export const suppressedOf = async (
  db: Tx,
  organizationId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ phoneNumber: string }>({
    name: 'suppressed-of',
    text: `select phone_number as "phoneNumber" from suppressions
           where organization_id = $1 and phone_number = any($2)`,
    values: [organizationId, numbers],
  });
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
};
