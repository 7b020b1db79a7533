// The filters of the call log: their form in the address, and the question that is asked for them.
import { isSearchable } from '../../data/searchable.js';
import { isoOf } from '../../forms/zoned.js';
import { filterWords } from '../../strings/filter-words.js';

type Key<Words> = keyof Words & string;
type Status = Key<typeof filterWords.calls.status>;
type Outcome = Key<typeof filterWords.calls.outcome>;
type Direction = Key<typeof filterWords.calls.direction>;
type Channel = Key<typeof filterWords.calls.channel>;

export interface CallsSearch {
  readonly search?: string;
  readonly agent?: string;
  readonly campaign?: string;
  readonly status?: Status;
  readonly outcome?: Outcome;
  readonly direction?: Direction;
  readonly channel?: Channel;
  /** First day, by the calendar of the organization: `2026-11-22`. */
  readonly from?: string;
  /** Last day, included. */
  readonly to?: string;
}

const longestSearch = 120;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

const oneOf = <Words extends object>(words: Words, value: unknown): Key<Words> | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value) ? (value as Key<Words>) : undefined; // a key of the words

const matching = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const withoutEmpty = <Given extends object>(given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given; // the same fields

/** The filters in an address; everything else is dropped. */
export const readCallsSearch = (address: Record<string, unknown>): CallsSearch => {
  const { search, agent, campaign, status, outcome, direction, channel, from, to } = address;
  // The router reads digits in an address as a number.
  const text = typeof search === 'number' ? String(search) : search;
  const read = {
    search: typeof text === 'string' && text !== '' ? text.slice(0, longestSearch) : undefined,
    agent: matching(uuid, agent),
    campaign: matching(uuid, campaign),
    status: oneOf(filterWords.calls.status, status),
    outcome: oneOf(filterWords.calls.outcome, outcome),
    direction: oneOf(filterWords.calls.direction, direction),
    channel: oneOf(filterWords.calls.channel, channel),
    from: matching(day, from),
    to: matching(day, to),
  };
  return withoutEmpty(read) as CallsSearch; // absent fields are left out
};

const dayMs = 86_400_000;

/** The last millisecond of a day by the clock of the zone. A call at the next midnight belongs to the next day. */
const endOf = (date: string, timeZone: string): string | undefined => {
  const noon = Date.parse(`${date}T12:00:00Z`);
  if (Number.isNaN(noon)) return undefined;
  const next = new Date(noon + dayMs).toISOString().slice(0, 10);
  const midnight = isoOf(`${next}T00:00`, timeZone);
  return midnight === undefined ? undefined : new Date(Date.parse(midnight) - 1).toISOString();
};

/** True where the last day lies before the first one. */
export const isBackwards = ({ from, to }: CallsSearch): boolean =>
  from !== undefined && to !== undefined && to < from;

/** The query that asks for calls of these filters. */
export const queryOf = (filters: CallsSearch, timeZone: string) => {
  const { search, agent, campaign, status, outcome, direction, channel, from, to } = filters;
  const trimmed = search?.trim() ?? '';
  return withoutEmpty({
    search: isSearchable(trimmed) ? trimmed : undefined,
    agentId: agent,
    campaignId: campaign,
    status,
    outcome,
    direction,
    channel,
    from: from === undefined ? undefined : isoOf(`${from}T00:00`, timeZone),
    to: to === undefined ? undefined : endOf(to, timeZone),
  });
};
