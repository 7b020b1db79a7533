// An address is written by anybody: only filters that the list has are read from it.
import { describe, expect, it } from '@jest/globals';
import { readCampaignsSearch } from './campaigns-search.js';

describe('filters of the campaigns in an address', () => {
  it('keeps a name and a state that there is', () => {
    expect(readCampaignsSearch({ name: 'spring', state: 'running', page: 2 })).toEqual({
      name: 'spring',
      state: 'running',
    });
  });

  it.each(['toString', 'constructor', 'gone', '', 7])('drops the state %p', (state) => {
    expect(readCampaignsSearch({ state })).toEqual({});
  });
});
