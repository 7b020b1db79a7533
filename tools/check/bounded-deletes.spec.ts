// A deletion of all that is older than a moment fails every time once there is more of it than a statement's time limit allows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['libs', 'services', 'gateway/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|\/testing\/|node_modules/.test(file));

/** A text with a deletion, up to its closing quote. */
const deletion = /([`'])\s*(?:with [^`']*?)?delete from [\s\S]*?\1/g;
const isByAge = (statement: string): boolean => /<=? ?(?:now\(\)|\$|\(now)/.test(statement);
/** One that names what it belongs to is bounded by it. */
const namesKey = (statement: string): boolean => /(?:= |any\()\$\d/.test(statement);
/** An organization bounds nothing. */
const isByOrganization = (statement: string): boolean =>
  /where \(*(?:\w+\.)?organization_id (?:= |= any\()\$\d(?:::\w+(?:\[\])?)?\)*\s*[`']$/.test(statement);

const unbounded = (text: string): readonly string[] =>
  (text.match(deletion) ?? []).filter(
    (statement) =>
      ((isByAge(statement) && !namesKey(statement)) || isByOrganization(statement)) &&
      !/\blimit\b|\binLocked\(/.test(statement),
  );

it('a deletion by age or of a whole organization goes in pieces', () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) =>
    unbounded(readFileSync(join(root, file), 'utf8')).map((statement) => `${file}: ${statement}`),
  );
  expect(found).toEqual([]);
});

it('the search finds one that does not', () => {
  expect(unbounded('db.query(`delete from lamps where lit_at < now()`)')).toHaveLength(1);
  expect(unbounded(`db.query('delete from lamps where lit_at < $1', [then])`)).toHaveLength(1);
  expect(unbounded("db.query('delete from lamps where organization_id = $1', [id])")).toHaveLength(1);
  expect(unbounded("db.query('delete from lamps where organization_id = any($1)', [ids])")).toHaveLength(1);
  expect(unbounded("db.query('delete from lamps where organization_id = $1 and id = $2', [a, b])")).toEqual(
    [],
  );
  expect(unbounded('db.query(`delete from lamps where id in (select id from lamps limit 9)`)')).toEqual([]);
  // In two parts, or it would be a placeholder of this text.
  expect(
    unbounded('db.query(`delete from lamps where $' + '{inLocked(lit, 9)} and lit_at < now()`)'),
  ).toEqual([]);
});
