// The read model that the call log is searched by: keyed hashes of numbers and names, under a key of the organization.
import type { HandlerTools, PersonalParts, Recorded } from '@parlance/event-sourcing';
import { removedAmong, type Tx } from '@parlance/postgres';
import type { CallEvent } from '../call/call-events.js';
import { namesIn, type Search } from './search-terms.js';

/** Written by the projection below alone. */
export const searchTables = ['call_number_terms', 'call_name_terms'] as const;

/** Whose key the hashes of an organization are made with. */
export const searchSubject = (organizationId: string): string => `search-${organizationId}`;

type Described = Extract<CallEvent, { readonly type: 'CallDescribed' }>;

const fewestDigits = 3;
/** More than any number has. */
const mostDigits = 32;

/** The digits of the other party: the callee of an outbound call, the caller of an inbound one. */
const digitsOf = ({ data, personal }: Described): string => {
  const number = data.direction === 'inbound' ? personal?.fromNumber : personal?.toNumber;
  return number?.replaceAll(/\D/g, '') ?? '';
};

/** The last three digits, the last four, and so on to all of them. */
const suffixesOf = (digits: string): string[] => {
  const longest = Math.min(digits.length, mostDigits);
  return Array.from({ length: Math.max(0, longest - fewestDigits + 1) }, (_, more) =>
    digits.slice(-(fewestDigits + more)),
  );
};

const numberTerm = (digits: string): string => `number ${digits}`;
const nameTerm = (name: string): string => `name ${name}`;

const rowsOf = async (keys: Pick<PersonalParts, 'hashes'>, callId: string, event: Described) => {
  const { organizationId: organization_id, startedAt: started_at } = event.data;
  const suffixes = suffixesOf(digitsOf(event));
  const names = namesIn(event.personal?.dynamicVariables ?? {});
  if (suffixes.length + names.length === 0) return { numbers: [], names: [] };
  const texts = [...suffixes.map(numberTerm), ...names.map(nameTerm)];
  const hashes = await keys.hashes(searchSubject(organization_id), texts);
  const call = { call_id: callId, organization_id, started_at };
  return {
    numbers: suffixes.length === 0 ? [] : [{ ...call, suffixes: hashes.slice(0, suffixes.length) }],
    names: hashes.slice(suffixes.length).map((term) => ({ ...call, term })),
  };
};

const insertNumbers = `insert into call_number_terms (call_id, organization_id, suffixes, started_at)
  select call_id, organization_id, suffixes, started_at from jsonb_populate_recordset(null::call_number_terms, $1)`;
const insertNames = `insert into call_name_terms (call_id, term, organization_id, started_at)
  select call_id, term, organization_id, started_at from jsonb_populate_recordset(null::call_name_terms, $1)`;

/** Deletes the search keys of calls. */
export const clearSearch = async (tx: Tx, callIds: readonly string[]): Promise<void> => {
  for (const table of searchTables)
    await tx.query({
      name: `search-clear-${table}`,
      text: `delete from ${table} where call_id = any($1)`,
      values: [callIds],
    });
};

/** A call that was described again, or deleted, loses its earlier search keys. One that begins has none. */
export const projectIntoSearch = async (
  tx: Tx,
  events: readonly Recorded<CallEvent>[],
  { personalData: keys }: Pick<HandlerTools, 'personalData'>,
): Promise<void> => {
  const described = new Map<string, Described>();
  const touched = new Set<string>();
  for (const { event, entityId, revision } of events) {
    if (event.type !== 'CallDescribed' && event.type !== 'CallDeleted') continue;
    if (revision > 0n) touched.add(entityId);
    if (event.type === 'CallDescribed') described.set(entityId, event);
    else described.delete(entityId);
  }
  if (touched.size > 0) await clearSearch(tx, [...touched]);
  if (described.size === 0) return;
  const organizations = new Set([...described.values()].map(({ data }) => data.organizationId));
  const removed = await removedAmong(tx, [...organizations]);
  const kept = [...described].filter(([, { data }]) => !removed.has(data.organizationId));
  const rows = await Promise.all(kept.map(([callId, event]) => rowsOf(keys, callId, event)));
  const numbers = rows.flatMap((row) => row.numbers);
  const names = rows.flatMap((row) => row.names);
  if (numbers.length > 0)
    await tx.query({ name: 'search-numbers', text: insertNumbers, values: [JSON.stringify(numbers)] });
  if (names.length > 0)
    await tx.query({ name: 'search-names', text: insertNames, values: [JSON.stringify(names)] });
};

/** Lengths that have an index, the longest first. */
const indexedLengths = [7, 5, 3] as const;

interface HashedSuffix {
  readonly length: number;
  readonly hash: string;
}

/** A search as the tables can be read for it. */
export type SearchTerms =
  | Extract<Search, { readonly kind: 'id' }>
  | { readonly kind: 'name'; readonly term: string }
  /** `indexed` has an index; `all` are the digits that were searched for. */
  | { readonly kind: 'number'; readonly indexed: HashedSuffix; readonly all: HashedSuffix };

/** @throws AppError SERVICE_UNAVAILABLE when the key store does not answer */
export const termsOf = async (
  keys: Pick<PersonalParts, 'hashes'>,
  organizationId: string,
  search: Search,
): Promise<SearchTerms> => {
  if (search.kind === 'id') return search;
  const subject = searchSubject(organizationId);
  if (search.kind === 'name') {
    const [term = ''] = await keys.hashes(subject, [nameTerm(search.name)]);
    return { kind: 'name', term };
  }
  const { digits } = search;
  const length = indexedLengths.find((indexed) => indexed <= digits.length) ?? fewestDigits;
  const texts = [numberTerm(digits.slice(-length)), numberTerm(digits)];
  const [indexed = '', all = ''] = await keys.hashes(subject, texts);
  return {
    kind: 'number',
    indexed: { length, hash: indexed },
    all: { length: digits.length, hash: all },
  };
};

export interface SearchCondition {
  /** The table beside `call_index c` that is read first, as `s`; none where an id is looked for. */
  readonly from: (typeof searchTables)[number] | undefined;
  readonly conditions: readonly string[];
}

/**
 * The condition for calls that match a search.
 * @param place notes a value, and answers its place in the statement
 */
export const searchCondition = (search: SearchTerms, place: (value: unknown) => string): SearchCondition => {
  switch (search.kind) {
    case 'id': {
      const at = place(search.id);
      return { from: undefined, conditions: [`(c.call_id = ${at} or c.outbound_call_id = ${at})`] };
    }
    case 'name':
      return { from: 'call_name_terms', conditions: [`s.term = ${place(search.term)}`] };
    case 'number': {
      const { indexed, all } = search;
      const is = ({ length, hash }: HashedSuffix): string =>
        `s.suffixes[${length - fewestDigits + 1}] = ${place(hash)}`;
      const conditions = all.length > indexed.length ? [is(indexed), is(all)] : [is(indexed)];
      return { from: 'call_number_terms', conditions };
    }
  }
};

interface Person {
  readonly organizationId: string;
  readonly phoneNumber: string;
}

/** A condition over `s` for calls whose other party has exactly this number, and its values. */
const ofNumber = async (keys: Pick<PersonalParts, 'hashes'>, { organizationId, phoneNumber }: Person) => {
  const digits = phoneNumber.replaceAll(/\D/g, '');
  const search = await termsOf(keys, organizationId, { kind: 'number', digits });
  const values: unknown[] = [organizationId];
  const { conditions } = searchCondition(search, (value) => `$${values.push(value)}`);
  const whole = `cardinality(s.suffixes) = ${digits.length - fewestDigits + 1}`;
  return { where: ['s.organization_id = $1', ...conditions, whole].join(' and '), values };
};

/** Calls with this number, in no particular order. */
export const callsOfNumber = async (
  tx: Tx,
  keys: Pick<PersonalParts, 'hashes'>,
  person: Person,
  limit: number,
): Promise<readonly string[]> => {
  const { where, values } = await ofNumber(keys, person);
  const { rows } = await tx.query<{ call_id: string }>(
    `select s.call_id from call_number_terms s where ${where} limit ${limit}`,
    values,
  );
  return rows.map(({ call_id }) => call_id);
};

export const countOfNumber = async (
  tx: Tx,
  keys: Pick<PersonalParts, 'hashes'>,
  person: Person,
): Promise<{ readonly calls: number; readonly recordings: number }> => {
  const { where, values } = await ofNumber(keys, person);
  const { rows } = await tx.query<{ calls: number; recordings: number }>(
    `select count(*)::int as calls, (count(*) filter (where exists (
       select from recordings r where r.call_id = s.call_id and r.is_kept)))::int as recordings
     from call_number_terms s where ${where}`,
    values,
  );
  return rows[0] ?? { calls: 0, recordings: 0 };
};
