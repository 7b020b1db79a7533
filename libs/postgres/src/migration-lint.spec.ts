import { describe, expect, it } from '@jest/globals';
import { lintMigrations } from './migration-lint.js';

const releases = ['0.1.0', '0.2.0'];
const folder = 'services/lamps/migrations';

const lint = (...texts: readonly string[]): readonly string[] =>
  lintMigrations({
    files: texts.map((text, index) => ({ folder, file: `000${index + 1}_x.sql`, text })),
    unmarked: {},
    releases,
  });
const expand = (sql: string): readonly string[] => lint(`-- expand, release 0.2.0\n${sql}`);
const contract = (sql: string): readonly string[] => lint(`-- contract, release 0.2.0\n${sql}`);

describe('a migration marked expand', () => {
  it.each([
    'create table lamps (id int primary key, name text not null unique); create unique index on_name on lamps (name)',
    'alter table lamps add column colour text',
    "alter table lamps add column colour text not null default 'red', add column watts int",
    'alter table lamps add column half int generated always as (watts / 2) stored not null',
    'alter table lamps alter column name drop not null',
    "alter table lamps drop constraint lamps_kind, add constraint lamps_kind check (kind in ('a', 'b'))",
    'create index concurrently lamps_by_colour on lamps (colour)',
    "comment on table lamps is 'drop table lamps; rename'; -- drop column",
    'create function f() returns int language sql as $$ drop table lamps; select 1 $$',
    'create table lamps (id int); alter table lamps alter column id set not null, add constraint one check (id = 1)',
  ])('may: %s', (sql) => {
    expect(expand(sql)).toEqual([]);
  });

  it.each([
    ['drop table lamps', 'drops what'],
    ['alter table lamps drop column name', 'drops a column'],
    ['ALTER TABLE IF EXISTS lamps\n  DROP COLUMN name', 'drops a column'],
    ['alter table lamps rename column name to title', 'renames'],
    ['alter table lamps rename to lights', 'renames'],
    ['alter table lamps alter column watts type bigint', 'changes the type'],
    ['alter table lamps alter watts set data type bigint', 'changes the type'],
    ['alter table lamps alter column name set not null', 'refuses rows'],
    ['alter table lamps add column colour text not null', 'no default'],
    ["alter table lamps add column a text not null default 'x', add column b text not null", 'no default'],
    ['alter table lamps add constraint positive check (watts > 0)', 'a constraint'],
    ['alter table lamps add unique (name)', 'a constraint'],
    ['alter table lamps drop constraint lamps_name_key', 'drops a constraint'],
    ['create unique index one on lamps (name)', 'refuses rows'],
    ['drop index lamps_by_name', 'drops an index'],
    ['truncate lamps', 'empties'],
    [
      'create index concurrently a on lamps (id); create index concurrently b on lamps (id)',
      'all that its file',
    ],
  ])('may not: %s', (sql, problem) => {
    expect(expand(sql)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('a migration marked contract', () => {
  it('takes away, and adds nothing that its release needs before', () => {
    expect(contract('alter table lamps drop column name')).toEqual([]);
    expect(contract('alter table lamps add column name text')).toEqual([
      expect.stringContaining('takes nothing away'),
    ]);
    expect(contract('drop table lights; create table lamps (id int)')).toEqual([
      expect.stringContaining('adds what its release needs before'),
    ]);
  });
});

describe('marks', () => {
  it('stand in the first line and name a known release, the next number and no older release', () => {
    expect(lint('create table a (id int)')).toEqual([
      `${folder}/0001_x.sql has no mark: its first line is "-- expand, release 0.2.0" or "-- contract, release 0.2.0"`,
    ]);
    expect(lint('-- expand, release 9.0.0\ncreate table a (id int)')).toEqual([
      expect.stringContaining('9.0.0, which is not known'),
    ]);
    expect(
      lint(
        '-- expand, release 0.2.0\ncreate table a (id int)',
        '-- expand, release 0.1.0\ncreate table b (id int)',
      ),
    ).toEqual([expect.stringContaining('0002_x.sql names an older release than 0001_x.sql')]);
    const text = '-- expand, release 0.2.0\ncreate table a (id int)';
    const twice = ['0001_a.sql', '0001_b.sql'].map((file) => ({ folder, file, text }));
    expect(lintMigrations({ files: twice, unmarked: {}, releases })).toEqual([
      `${folder}/0001_b.sql has the number of 0001_a.sql`,
    ]);
  });

  it('are not asked of a migration that is older than they are, which neither changes nor goes away', () => {
    const old = { folder, file: '0001_x.sql', text: 'drop table a' };
    const name = `${folder}/0001_x.sql`;
    const sum = 'f3a4a2f7';
    expect(lintMigrations({ files: [old], unmarked: { [name]: sum }, releases })).toEqual([
      expect.stringContaining('was changed'),
    ]);
    expect(lintMigrations({ files: [], unmarked: { [name]: sum }, releases })).toEqual([
      `${name} is gone; databases have it`,
    ]);
  });
});
