// A source is read again only where a person has changed the part that is read, because reading costs.
import { describe, expect, it } from '@jest/globals';
import type { KnowledgeSource } from '@parlance/client';
import { changesOf, valuesOf } from './source-changes.js';

const source = {
  ...{ id: 'k', agentId: 'a', name: 'Prices', url: null, fileKey: null, usageMode: 'auto', crawl: null },
  refreshIntervalHours: null,
} as unknown as KnowledgeSource; // the fields that the form reads
const page = {
  ...source,
  type: 'url',
  url: 'https://a.example/',
  crawl: { mode: 'site', maxPages: 9 },
} as const;
const file = { ...source, type: 'file', fileKey: 'old' } as const;

describe('the changes of a source', () => {
  it('are none where nothing is changed', () => {
    expect(changesOf(page, valuesOf(page))).toEqual({});
    expect(changesOf(file, valuesOf(file))).toEqual({});
  });

  it('have a new name without the address, so that nothing is read again', () =>
    expect(changesOf(page, { ...valuesOf(page), name: 'Fees' })).toEqual({ name: 'Fees' }));

  it('have the whole range of pages where one of its parts is another', () =>
    expect(changesOf(page, { ...valuesOf(page), crawl: { mode: 'site', maxPages: 10 } })).toEqual({
      crawl: { mode: 'site', maxPages: 10 },
    }));

  it('have the parts of a page where others are chosen, and not where only their order differs', () => {
    const both = { ...page, include: ['aside', 'footer'] as ('aside' | 'footer')[] };
    expect(changesOf(both, { ...valuesOf(both), include: ['footer', 'aside'] })).toEqual({});
    expect(changesOf(both, { ...valuesOf(both), include: ['footer'] })).toEqual({ include: ['footer'] });
  });

  it('tell that a page is no longer read by itself', () => {
    const daily = { ...page, refreshIntervalHours: 24 };
    expect(changesOf(daily, { ...valuesOf(daily), refreshIntervalHours: null })).toEqual({
      refreshIntervalHours: null,
    });
  });

  it('have the key of another file, and never an address for a file or a file for an address', () => {
    const typed = { ...valuesOf(file), url: 'https://b.example/', fileKey: 'new', fileName: 'b.md' };
    expect(changesOf(file, typed)).toEqual({ fileKey: 'new' });
    expect(changesOf(page, { ...typed, crawl: page.crawl })).toEqual({ url: 'https://b.example/' });
  });
});
