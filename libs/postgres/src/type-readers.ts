// Reads the text that Postgres writes for a timestamptz. Lists are full of timestamps. The driver's own reader, a regular
// expression for every style and era, was the largest single cost of answering a list.
import { parseJson, parseStored } from '@parlance/json';
import pg from 'pg';

const slowReader: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');

/** `2026-11-21 04:11:26.123456+00` and the like; any other form goes to the driver's reader. */
export const readTimestamp = (text: string): unknown => {
  if (text[4] === '-' && text[10] === ' ' && text.endsWith('+00')) {
    const instant = new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
    if (!Number.isNaN(instant.getTime())) return instant;
  }
  return slowReader(text);
};

/** The driver's readers, but for timestamps and JSON. */
export const typeReaders = new pg.TypeOverrides();
typeReaders.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTimestamp);
typeReaders.setTypeParser(pg.types.builtins.JSON, parseJson);
typeReaders.setTypeParser(pg.types.builtins.JSONB, parseStored);
