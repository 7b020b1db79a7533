// No screen of the console changes something without asking beforehand whether the person may: every change that not every role may
// make is guarded by its own operation.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { authOperations, operations } from '@parlance/contracts';

const screens = fileURLToPath(new URL('../../../console/src/screens', import.meta.url));
/** The ways in come before every role. */
const beforeRoles = ['entry'];
const areas = readdirSync(screens).filter((area) => !beforeRoles.includes(area));

const sourceOf = (area: string): string =>
  readdirSync(join(screens, area), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(screens, area, name), 'utf8'))
    .join('\n');

const named = (source: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...source.matchAll(pattern)].map(([, id = '']) => id));

/** Operations that some role may not ask. */
const forSome: ReadonlySet<string> = new Set([
  ...operations.filter(({ auth }) => auth.kind === 'org' || auth.kind === 'orgAdmin').map(({ id }) => id),
  ...authOperations.filter(({ who }) => who === 'ownerOrAdmin').map(({ id }) => id),
]);

describe.each(areas)('in the screens of %s', (area) => {
  const source = sourceOf(area);
  const changes = named(source, /(?:useCommand|useContractForm)\(\s*'([\w.]+)'/g);
  const guarded = named(source, /(?:useCan\(\s*'|<Guarded\s+operation=")([\w.]+)/g);

  it('every change that not every role may make is guarded by its own operation', () => {
    const unguarded = [...changes].filter((id) => forSome.has(id) && !guarded.has(id));
    expect(unguarded).toEqual([]);
  });
});

it('the screens are found, so that none of the checks above passes for want of files', () => {
  expect(areas).toEqual(expect.arrayContaining(['agents', 'api-keys', 'members', 'widgets']));
  const all = areas.map(sourceOf).join('\n');
  expect(named(all, /useCommand\(\s*'([\w.]+)'/g).size).toBeGreaterThan(10);
});
