// The check that every variable comes from a schema. It has to see each spelling of a read, and to take no list on trust.
import { describe, expect, it } from '@jest/globals';

interface Allowed {
  readonly files: RegExp;
  readonly name: RegExp;
  readonly why: string;
}
interface Reads {
  environmentReadsIn(text: string): readonly string[];
  judgeReads(
    reads: Readonly<Record<string, readonly string[]>>,
    known: ReadonlySet<string>,
    allowed: readonly Allowed[],
  ): readonly string[];
}
const { environmentReadsIn, judgeReads }: Reads = await import(
  new URL('../../check/environment-reads.mjs', import.meta.url).href
);

describe('a read of the environment is seen', () => {
  it.each([
    ['process.env.PORT', ['PORT']],
    ["process.env['PORT']", ['PORT']],
    ["process['env'].PORT", ['PORT']],
    ['globalThis.process.env.PORT', ['PORT']],
    ['const port = process.env.PORT ?? 1;', ['PORT']],
    ["const { PORT, HOST: host = '' } = process.env;", ['HOST', 'PORT']],
    ['const { PORT, ...others } = process.env;', ['*', 'PORT']],
    ['const { env } = process;', ['*']],
    ['start({ ...process.env });', ['*']],
    ['process.env[name]', ['*']],
    ["import { env } from 'node:process';", ['*']],
    ["import { env as variables } from 'process';", ['*']],
    ["import process from 'node:process';", ['*']],
    ['class A { @b() c(): void { read(process.env.PORT!); } }', ['PORT']],
  ])('%s', (text, names) => expect(environmentReadsIn(text)).toEqual(names));

  it.each([
    'process.exit(1);',
    'const { argv } = process;',
    "import { exit } from 'node:process';",
    "'process.env.PORT'",
  ])('and not in %s', (text) => expect(environmentReadsIn(text)).toEqual([]));
});

describe('a read', () => {
  const known = new Set(['PORT']);
  it('in a process is refused, whether a schema describes the variable or not', () => {
    expect(judgeReads({ 'services/a/src/b.ts': ['OTHER', 'PORT'] }, known, [])).toEqual([
      'services/a/src/b.ts reads OTHER outside of a schema',
      'services/a/src/b.ts reads PORT outside of a schema',
    ]);
  });

  it('in a program for trying things out is taken where a schema describes the variable', () => {
    expect(judgeReads({ 'tests/bench/src/b.ts': ['OTHER', 'PORT'] }, known, [])).toEqual([
      'tests/bench/src/b.ts reads OTHER outside of a schema',
    ]);
  });

  it('is taken with a reason, and a reason for nothing is refused', () => {
    const allowed = { files: /^services\/a\//, name: /^OTHER$/, why: 'it is needed' };
    expect(judgeReads({ 'services/a/src/b.ts': ['OTHER'] }, known, [allowed])).toEqual([]);
    expect(judgeReads({}, known, [allowed])).toEqual([
      expect.stringContaining('allow a read that is not there'),
    ]);
  });
});
