// The address of a filtered call log leads everybody to the same calls. A broken address leads to a list all the same.
import { describe, expect, it } from '@jest/globals';
import { isSearchable } from '../../data/searchable.js';
import { isBackwards, queryOf, readCallsSearch } from './calls-search.js';

const agent = 'f1f3f0b2-6f86-4b52-9a0e-0a0d8f4d6a11';

describe('the filters in the address', () => {
  it('are kept where they are filters, and dropped where they are none', () => {
    expect(
      readCallsSearch({
        ...{ agent, status: 'busy', outcome: 'toString', direction: 'sideways', channel: 'phone' },
        ...{ from: '2026-11-22', to: 'yesterday', search: 4155, other: 'x' },
      }),
    ).toEqual({ agent, status: 'busy', channel: 'phone', from: '2026-11-22', search: '4155' });
  });

  it.each<[string, boolean]>([
    ['41', false],
    ['+1 (4', false],
    ['415', true],
    ['Ada', true],
    ['', false],
  ])('hold a search that the platform takes: %j is one: %j', (text, expected) =>
    expect(isSearchable(text)).toBe(expected),
  );

  it('know a range that ends before it begins', () => {
    expect(isBackwards({ from: '2026-11-22', to: '2026-11-21' })).toBe(true);
    expect(isBackwards({ from: '2026-11-22', to: '2026-11-22' })).toBe(false);
  });
});

describe('the query of the filters', () => {
  it('asks for whole days by the clock of the organization, the days of the change of the clock too', () => {
    expect(queryOf({ from: '2026-03-08', to: '2026-03-08' }, 'America/New_York')).toEqual({
      from: '2026-03-08T05:00:00.000Z',
      to: '2026-03-09T03:59:59.999Z',
    });
    expect(queryOf({ from: '2026-11-22', to: '2026-11-22' }, 'UTC')).toEqual({
      from: '2026-11-22T00:00:00.000Z',
      to: '2026-11-22T23:59:59.999Z',
    });
  });

  it('leaves out what would be refused', () => {
    expect(queryOf({ search: ' 12 ', agent }, 'UTC')).toEqual({ agentId: agent });
    expect(queryOf({ search: ' 0123 ' }, 'UTC')).toEqual({ search: '0123' });
  });
});
