import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Chapter {
  readonly title: string;
  readonly rows: readonly { readonly id: string; readonly kind: string; readonly place?: string }[];
}

interface SecurityMap {
  readonly parseMap: (text: string) => readonly Chapter[];
  readonly mapProblems: (
    chapters: readonly Chapter[],
    exists: (path: string) => boolean,
  ) => readonly string[];
  readonly securityMapPage: (root: string) => { readonly path: string; readonly content: string };
}

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
let map: SecurityMap;
beforeAll(async () => {
  map = (await import(join(here, 'security-map.mjs'))) as SecurityMap; // plain JavaScript
});

const problems = (line: string, files: readonly string[] = []): readonly string[] =>
  map.mapProblems(map.parseMap(`## V1\n${line}\n`), (path) => files.includes(path));

describe('the security map', () => {
  it('refuses a row whose test no longer exists, or is no test', () => {
    const row = '1.1.1 | words | test | libs/a.spec.ts';
    expect(problems(row, ['libs/a.spec.ts'])).toEqual([]);
    expect(problems(row)).toEqual(['1.1.1 names libs/a.spec.ts, which does not exist']);
    expect(problems('1.1.1 | words | test | libs/a.ts', ['libs/a.ts'])).toHaveLength(1);
  });

  it('refuses a row without a reason, of an unknown kind, or twice', () => {
    expect(problems('1.1.1 | words | part')).toEqual(['1.1.1 names neither a place nor a reason']);
    expect(problems('1.1.1 | words | good | somehow')).toHaveLength(1);
    expect(problems('1.1.1 | words | none | why\n1.1.1 | words | none | why')).toEqual([
      '1.1.1 has two rows',
    ]);
  });

  it('has every requirement of ASVS 5.0 up to level 2 and the ten risks of APIs, and names files that exist', () => {
    const chapters = map.parseMap(readFileSync(join(here, 'security-map.txt'), 'utf8'));
    expect(map.mapProblems(chapters, (path) => existsSync(join(root, path)))).toEqual([]);
    // OWASP counts 70 requirements of level 1 and 183 of level 2.
    expect(chapters.slice(0, -1).flatMap(({ rows }) => rows)).toHaveLength(253);
    expect(chapters.at(-1)?.rows.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
  });
});
