// No screen of the console changes something without asking beforehand whether the person may. A command that not every role may send
// has a guard in its area that takes the same permissions. A form of the contract is guarded by its frame, which refuses by itself.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { authOperations, operations } from '@parlance/contracts';

const screens = fileURLToPath(new URL('../../../console/src/screens', import.meta.url));
/** The ways in come before every role. */
const beforeRoles = ['entry'];
const areas = readdirSync(screens).filter((area) => !beforeRoles.includes(area));

const filesOf = (area: string): readonly string[] =>
  readdirSync(join(screens, area), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(screens, area, name), 'utf8'));
const sourceOf = (area: string): string => filesOf(area).join('\n');

const named = (source: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...source.matchAll(pattern)].map(([, id = '']) => id));

/** The requirements of an operation, as one text; absent for operations that every member may ask. */
const takes: ReadonlyMap<string, string> = new Map([
  ...operations.flatMap(({ id, auth }) =>
    auth.kind === 'org' || auth.kind === 'orgAdmin' ? [[id, JSON.stringify(auth)] as const] : [],
  ),
  ...authOperations.flatMap(({ id, who }) => (who === 'ownerOrAdmin' ? [[id, who] as const] : [])),
]);

/** Operations in `useCan` and in the property `operation` of guards; that of a command to copy is none. */
const guardsIn = (source: string): readonly string[] =>
  [...source.matchAll(/useCan\(\s*'[\w.]+'|(?<!CopyAsCurl\s+)operation=(?:"[\w.]+"|\{[^}]*\})/g)].flatMap(
    ([guard]) => [...guard.matchAll(/["']([\w.]+)["']/g)].map(([, id = '']) => id),
  );

describe.each(areas)('in the screens of %s', (area) => {
  const source = sourceOf(area);
  const changes = named(source, /useCommand\(\s*'([\w.]+)'/g);
  const guarded = new Set(guardsIn(source).map((id) => takes.get(id)));

  it('every change that not every role may make has a guard that takes the same', () => {
    const unguarded = [...changes].filter((id) => takes.has(id) && !guarded.has(takes.get(id)));
    expect(unguarded).toEqual([]);
  });

  it('every form of the contract stands in the frame that refuses people without the permission', () => {
    const files = filesOf(area).filter((text) => /useContractForm\(/.test(text));
    expect(files.filter((text) => !/<Form\b/.test(text))).toEqual([]);
  });
});

it('the frame of forms takes the reason against the operation of its form', () => {
  const frame = readFileSync(join(screens, '../forms/form.tsx'), 'utf8');
  expect(frame).toContain('useContext(Refusal)(of.operation)');
});

it('the screens are found, so that none of the checks above passes for want of files', () => {
  expect(areas).toEqual(expect.arrayContaining(['agents', 'api-keys', 'members', 'widgets']));
  const all = areas.map(sourceOf).join('\n');
  expect(named(all, /useCommand\(\s*'([\w.]+)'/g).size).toBeGreaterThan(10);
});
