// The read model that the call log is searched by.
import type { Recorded } from '@parlance/event-sourcing';
import type { Tx } from '@parlance/postgres';
import type { CallEvent } from '../call/call-events.js';
import { namesIn, type Search } from './search-terms.js';

/** Written by the projection below alone. */
export const searchTables = ['call_numbers', 'call_names'] as const;

type Described = Extract<CallEvent, { readonly type: 'CallDescribed' }>;

/** The digits of the other party: the callee of an outbound call, the caller of an inbound one. */
const digitsOf = ({ data, personal }: Described): string | undefined => {
  const number = data.direction === 'inbound' ? personal?.fromNumber : personal?.toNumber;
  const digits = number?.replaceAll(/\D/g, '') ?? '';
  return digits === '' ? undefined : digits;
};

const rowsOf = (described: ReadonlyMap<string, Described>) => {
  const entries = [...described].map(([call_id, event]) => {
    const { organizationId: organization_id, startedAt: started_at } = event.data;
    return { call: { call_id, organization_id, started_at }, event };
  });
  return {
    numbers: entries.flatMap(({ call, event }) => {
      const digits = digitsOf(event);
      return digits === undefined ? [] : [{ ...call, digits }];
    }),
    names: entries.flatMap(({ call, event }) =>
      namesIn(event.personal?.dynamicVariables ?? {}).map((word) => ({ ...call, word })),
    ),
  };
};

const insertNumbers = `insert into call_numbers (call_id, organization_id, digits, started_at)
  select call_id, organization_id, digits, started_at from jsonb_populate_recordset(null::call_numbers, $1)`;
const insertNames = `insert into call_names (call_id, word, organization_id, started_at)
  select call_id, word, organization_id, started_at from jsonb_populate_recordset(null::call_names, $1)`;

/** A call that was described again, or deleted, loses its earlier search keys. */
export const projectIntoSearch = async (tx: Tx, events: readonly Recorded<CallEvent>[]): Promise<void> => {
  const described = new Map<string, Described>();
  const touched = new Set<string>();
  for (const { event, entityId } of events) {
    if (event.type !== 'CallDescribed' && event.type !== 'CallDeleted') continue;
    touched.add(entityId);
    if (event.type === 'CallDescribed') described.set(entityId, event);
    else described.delete(entityId);
  }
  if (touched.size === 0) return;
  for (const table of searchTables)
    await tx.query({
      name: `search-clear-${table}`,
      text: `delete from ${table} where call_id = any($1)`,
      values: [[...touched]],
    });
  const { numbers, names } = rowsOf(described);
  if (numbers.length > 0)
    await tx.query({ name: 'search-numbers', text: insertNumbers, values: [JSON.stringify(numbers)] });
  if (names.length > 0)
    await tx.query({ name: 'search-names', text: insertNames, values: [JSON.stringify(names)] });
};

/** Lengths that have an index, the longest first. */
const indexedLengths = [7, 5, 3] as const;

export interface SearchCondition {
  /** The table beside `call_index c` that is read first, as `s`; none where an id is looked for. */
  readonly from: (typeof searchTables)[number] | undefined;
  readonly conditions: readonly string[];
}

/**
 * The condition for calls that match a search text.
 * @param place notes a value, and answers its place in the statement
 */
export const searchCondition = (search: Search, place: (value: unknown) => string): SearchCondition => {
  switch (search.kind) {
    case 'id': {
      const at = place(search.id);
      return { from: undefined, conditions: [`(c.call_id = ${at} or c.outbound_call_id = ${at})`] };
    }
    case 'name':
      return { from: 'call_names', conditions: [`s.word = ${place(search.name)}`] };
    case 'number': {
      const { digits } = search;
      const length = indexedLengths.find((indexed) => indexed <= digits.length) ?? 3;
      const last = `right(s.digits, ${length}) = ${place(digits.slice(-length))}`;
      const rest = digits.length > length ? [`s.digits like '%' || ${place(digits)}`] : [];
      return { from: 'call_numbers', conditions: [last, ...rest] };
    }
  }
};
