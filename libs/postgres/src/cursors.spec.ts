import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import fc from 'fast-check';
import { type CursorScope, Cursors, type Keyset } from './cursors.js';

const key = new Secret('a key of at least thirty-two bytes');
const cursors = new Cursors(key);
const scope: CursorScope = {
  organizationId: 'o1',
  route: 'calls.list',
  filters: { agentId: 'a1', status: undefined },
};
const position = ['2026-11-20T10:00:00.000Z', '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 7];

const refusal = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error instanceof AppError ? error.toWire() : error;
  }
  return 'accepted';
};
const invalid = new AppError('INVALID_CURSOR').toWire();

describe('Cursors', () => {
  it('give back the position they were made from, and nothing for the first page', () => {
    expect(cursors.decode(scope, cursors.encode(scope, position))).toEqual(position);
    expect(cursors.decode(scope, undefined)).toBeUndefined();
  });

  it('take equal filters for equal, however they are written', () => {
    const filters = { b: [1, { y: 2, x: 1 }], a: 'x' };
    const cursor = cursors.encode({ ...scope, filters }, position);
    expect(
      cursors.decode({ ...scope, filters: { a: 'x', none: undefined, b: [1, { x: 1, y: 2 }] } }, cursor),
    ).toEqual(position);
  });

  it.each<[string, CursorScope]>([
    ['another organization', { ...scope, organizationId: 'o2' }],
    ['another route', { ...scope, route: 'agents.list' }],
    ['other filters', { ...scope, filters: { agentId: 'a2' } }],
    ['more filters', { ...scope, filters: { agentId: 'a1', status: 'failed' } }],
    ['no filters', { ...scope, filters: undefined }],
    [
      'fields moved between organization and route',
      { ...scope, organizationId: 'o1","calls.list', route: '' },
    ],
  ])('do not work for %s', (_, other) => {
    const cursor = cursors.encode(scope, position);
    expect(refusal(() => cursors.decode(other, cursor))).toEqual(invalid);
  });

  it('are refused when any bit of them is flipped', () => {
    const bytes = Buffer.from(cursors.encode(scope, position), 'base64url');
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect(refusal(() => cursors.decode(scope, flipped.toString('base64url')))).toEqual(invalid);
    }
  });

  it('are refused when any character of them is replaced, also by one that spells the same bytes', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ';
    // Lengths that leave two, four or no unused bits in the last character.
    for (const last of ['x', 'xx', 'xxx']) {
      const cursor = cursors.encode(scope, [last]);
      for (let at = 0; at < cursor.length; at += 1) {
        for (const char of alphabet.replace(cursor[at] ?? '', '')) {
          const changed = cursor.slice(0, at) + char + cursor.slice(at + 1);
          expect(refusal(() => cursors.decode(scope, changed))).toEqual(invalid);
        }
      }
    }
  });

  it('refuse anything that we did not make', () => {
    const foreign = new Cursors(new Secret(randomBytes(32).toString('hex'))).encode(scope, position);
    const oversized = cursors.encode(scope, ['x'.repeat(4_000)]);
    for (const text of [
      '',
      'null',
      '1',
      foreign,
      oversized,
      `${cursors.encode(scope, position)}=`,
      'é',
      '\0',
    ]) {
      expect(refusal(() => cursors.decode(scope, text))).toEqual(invalid);
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), (text) =>
        expect(refusal(() => cursors.decode(scope, text))).toEqual(invalid),
      ),
    );
  });
});

describe('a page of a list', () => {
  // Three of the rows were made in one millisecond, so that only their ids order them.
  const rows = Array.from({ length: 7 }, (_, index) => ({
    id: `00000000-0000-7000-8000-00000000000${9 - index}`,
    created_at: new Date(Date.UTC(2026, 10, 20, 10, 0, 0, index < 3 ? 5 : 4 - index)),
  }));
  const isAfter = (row: (typeof rows)[number], { createdAt, id }: Keyset): boolean => {
    const created = row.created_at.toISOString();
    return createdAt === 'infinity' || created < createdAt || (created === createdAt && row.id < id);
  };
  const read = async (keyset: Keyset) => rows.filter((row) => isAfter(row, keyset)).slice(0, keyset.limit);

  it.each([1, 2, 3, 7, 100])(
    'shows every row once in pages of %i, and no cursor after the last',
    async (limit) => {
      const shown: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await cursors.page(scope, { cursor, limit }, read);
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        shown.push(...page.rows.map(({ id }) => id));
        cursor = page.next.nextCursor;
      } while (cursor !== undefined);
      expect(shown).toEqual(rows.map(({ id }) => id));
    },
  );

  it('is the whole list for a request without a limit', async () => {
    expect(await cursors.page(scope, {}, read)).toEqual({ rows, next: {} });
  });

  it('goes on behind a row that has been deleted since', async () => {
    const { next } = await cursors.page(scope, { limit: 2 }, read);
    const without = async (keyset: Keyset) =>
      (await read({ ...keyset, limit: 100 })).filter(({ id }) => id !== rows[1]?.id).slice(0, keyset.limit);
    const { rows: rest } = await cursors.page(scope, { cursor: next.nextCursor, limit: 100 }, without);
    expect(rest).toEqual(rows.slice(2));
  });

  it('is refused for the cursor of another list', async () => {
    const { next } = await cursors.page(scope, { limit: 2 }, read);
    await expect(
      cursors.page({ ...scope, route: 'agents.list' }, { cursor: next.nextCursor }, read),
    ).rejects.toThrow(new AppError('INVALID_CURSOR').message);
  });
});
