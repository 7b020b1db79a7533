import { describe, expect, it } from '@jest/globals';
import { ProtocolError } from '@modelcontextprotocol/client';
import { McpFailure } from './failures.js';
import { readPages } from './pages.js';

const tool = (name: string) => ({ name });
const pageOf = (names: readonly string[], nextCursor?: unknown) => ({ tools: names.map(tool), nextCursor });

/** A server with these answers by cursor; for any other cursor it answers as `fetchPage` of the session fails. */
const server = (answers: Readonly<Record<string, unknown>>) => {
  const asked: unknown[] = [];
  return {
    asked,
    fetchPage: async (cursor: unknown) => {
      asked.push(cursor);
      const answer = answers[String(cursor)];
      if (answer === undefined) throw new ProtocolError(-32_602, 'Invalid cursor');
      return answer;
    },
  };
};

const namesOf = (tools: readonly unknown[]) => tools.map((one) => (one as { name: string }).name);

describe('readPages', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string[], unknown]>([
    ['no cursor', { undefined: pageOf(['a']) }, ['a'], undefined],
    ['a cursor that is null', { undefined: pageOf(['a'], null) }, ['a'], undefined],
    ['two pages', { undefined: pageOf(['a'], '2'), 2: pageOf(['b']) }, ['a', 'b'], undefined],
    [
      'a page without tools in between',
      { undefined: pageOf(['a'], '2'), 2: pageOf([], '3'), 3: pageOf(['b']) },
      ['a', 'b'],
      undefined,
    ],
    ['a cursor that is a number', { undefined: pageOf(['a'], 2), 2: pageOf(['b']) }, ['a', 'b'], undefined],
    ['an empty cursor that is refused', { undefined: pageOf(['a'], '') }, ['a'], undefined],
    [
      'an empty cursor that brings the same page',
      { undefined: pageOf(['a'], ''), '': pageOf(['a'], '') },
      ['a'],
      undefined,
    ],
    [
      'an empty cursor that brings another page',
      { undefined: pageOf(['a'], ''), '': pageOf(['b']) },
      ['a', 'b'],
      undefined,
    ],
    ['tools that are null', { undefined: { tools: null } }, [], undefined],
    ['a cursor that is an object', { undefined: pageOf(['a'], {}) }, ['a'], 'unusable_cursor'],
    ['a cursor that is true', { undefined: pageOf(['a'], true) }, ['a'], 'unusable_cursor'],
    [
      'the same cursor again',
      { undefined: pageOf(['a'], 'x'), x: pageOf(['b'], 'x') },
      ['a', 'b'],
      'repeated_cursor',
    ],
    [
      'the same page again',
      { undefined: pageOf(['a'], 'x'), x: pageOf(['a'], 'y') },
      ['a'],
      'repeated_cursor',
    ],
    ['a cursor that the server refuses', { undefined: pageOf(['a'], 'x') }, ['a'], 'unusable_page'],
    [
      'a second page that is no list',
      { undefined: pageOf(['a'], 'x'), x: { tools: 'b' } },
      ['a'],
      'unusable_page',
    ],
  ])('reads a list with %s', async (_, answers, names, incomplete) => {
    const listing = await readPages(server(answers).fetchPage);
    expect([namesOf(listing.tools), listing.incomplete]).toEqual([names, incomplete]);
  });

  it('ends a list that has always another page', async () => {
    const asked: unknown[] = [];
    const listing = await readPages(async (cursor) => {
      asked.push(cursor);
      return pageOf([`tool_${asked.length}`], `cursor_${asked.length}`);
    });
    expect([asked.length, listing.tools.length, listing.incomplete]).toEqual([20, 20, 'too_long']);
  });

  it('asks for no page after thousands of tools', async () => {
    let pages = 0;
    const listing = await readPages(async () => {
      pages += 1;
      const names = Array.from({ length: 2_000 }, (_, at) => `tool_${pages}_${at}`);
      return pageOf(names, `cursor_${pages}`);
    });
    expect([pages, listing.incomplete]).toEqual([2, 'too_long']);
  });

  it.each([[null], ['tools'], [{}], [{ tools: {} }]])('fails where the first page is %j', async (first) => {
    await expect(readPages(async () => first)).rejects.toThrow(McpFailure);
  });

  it('fails where a later page does not come', async () => {
    const late = new McpFailure('timeout');
    const pages = readPages(async (cursor) => {
      if (cursor !== undefined) throw late;
      return pageOf(['a'], 'x');
    });
    await expect(pages).rejects.toBe(late);
  });
});
