// For tests of erasures: looks for marked texts in everything that a schema keeps.
import type { Database } from '@parlance/postgres';

/** A mark as it could be written. */
const formsOf = (mark: string): readonly string[] => [
  mark,
  Buffer.from(mark).toString('base64').replace(/=+$/, ''),
  Buffer.from(mark).toString('base64url'),
  JSON.stringify(mark).slice(1, -1),
];

/** The tables of the schema with rows that have one of the marks, and the marks. */
export const remainsIn = async (db: Database, marks: readonly string[]): Promise<readonly string[]> => {
  const { rows: tables } = await db.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables)
    for (const mark of marks) {
      const { rowCount } = await db.query(
        `select from ${name} as t where t::text like any($1::text[]) limit 1`,
        [formsOf(mark).map((form) => `%${form}%`)],
      );
      if (rowCount > 0) found.push(`${name}: ${mark}`);
    }
  return found;
};
