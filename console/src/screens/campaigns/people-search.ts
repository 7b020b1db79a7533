// The state by which the people of a campaign are filtered, as it stands in the address.
import { filterWords } from '../../strings/filter-words.js';

export type PersonState = keyof typeof filterWords.campaigns.people;

export interface PeopleSearch {
  readonly people?: PersonState;
}

const isState = (value: unknown): value is PersonState =>
  typeof value === 'string' && Object.hasOwn(filterWords.campaigns.people, value);

/** The filter in an address; everything else is dropped. */
export const readPeopleSearch = ({ people }: Record<string, unknown>): PeopleSearch =>
  isState(people) ? { people } : {};
