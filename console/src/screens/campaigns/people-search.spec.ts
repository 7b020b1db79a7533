import { describe, expect, it } from '@jest/globals';
import { readPeopleSearch } from './people-search.js';

describe('the filter of the people of a campaign in the address', () => {
  it('is kept where it is a state, and dropped where it is none', () => {
    expect(readPeopleSearch({ people: 'refused', x: 1 })).toEqual({ people: 'refused' });
    for (const people of ['constructor', '', 7, undefined]) expect(readPeopleSearch({ people })).toEqual({});
  });
});
