import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { readTimestamp } from './type-readers.js';

const driver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');

describe('a timestamp out of Postgres', () => {
  it.each([
    '2026-11-21 04:11:26+00',
    '2026-11-21 04:11:26.1+00',
    '2026-11-21 04:11:26.123+00',
    '2026-11-21 04:11:26.123456+00',
    '1999-12-31 23:59:59.999999+00',
    '0001-01-01 00:00:00+00',
    '2026-11-21 04:11:26.123456+05:30',
    '2026-11-21 04:11:26-08',
    '12026-11-21 04:11:26+00',
    '0044-03-15 12:00:00+00 BC',
    'infinity',
    '-infinity',
  ])('means what the driver makes of it: %s', (text) => {
    expect(readTimestamp(text)).toEqual(driver(text));
  });
});
