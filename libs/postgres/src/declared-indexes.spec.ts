import { expect, it } from '@jest/globals';
import { declaredIndexes } from './declared-indexes.js';

const of = (...sql: string[]) => Object.fromEntries(declaredIndexes(sql));

it('lists the indexes that migrations make, in whatever form they are written', () => {
  expect(
    of(
      'create index a_newest on a (x desc);\nCREATE UNIQUE INDEX IF NOT EXISTS one_a on a (y)\n  where z is null;',
      'create index concurrently a_z on only a (z);',
    ),
  ).toEqual({ a_newest: 'a', one_a: 'a', a_z: 'a' });
});

it('leaves out an index that a later migration drops, alone or with its table, and follows new names', () => {
  const made = 'create index a_x on a (x); create index a_y on a (y); create index b_x on b (x);';
  expect(of(made, 'drop index a_x, a_y;')).toEqual({ b_x: 'b' });
  expect(of(made, 'drop table if exists a cascade;')).toEqual({ b_x: 'b' });
  expect(of(made, 'alter index a_x rename to a_z;')).toEqual({ a_y: 'a', a_z: 'a', b_x: 'b' });
  expect(of(made, 'alter table a rename to c; drop table c;')).toEqual({ b_x: 'b' });
});

it('does not take comments and texts for statements', () => {
  expect(of("-- create index a_x on a (x);\ninsert into a values ('; create index a_y on a (y);');")).toEqual(
    {},
  );
});
