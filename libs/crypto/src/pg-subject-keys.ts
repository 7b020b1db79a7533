// Subject keys in table `personal_keys` of the service's schema, which the framework's migrations create.
import type { SubjectKeyStore } from './personal-data.js';

/** The part of a Postgres connection that is used. */
export interface QueryPort {
  query<R extends object>(
    statement: string | { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
    values?: readonly unknown[],
  ): Promise<{ rows: R[] }>;
}

interface Row {
  readonly subject: string;
  readonly wrapped_key: string | null;
}

export const pgSubjectKeys = (db: QueryPort): SubjectKeyStore => {
  const load = async (subjects: readonly string[]): Promise<ReadonlyMap<string, string | null>> => {
    const { rows } = await db.query<Row>({
      name: 'personal-keys',
      text: 'select subject, wrapped_key from personal_keys where subject = any($1)',
      values: [subjects],
    });
    return new Map(rows.map((row) => [row.subject, row.wrapped_key]));
  };
  return {
    load,
    create: async (subject, wrappedKey) => {
      const { rows } = await db.query<Row>({
        name: 'personal-key-make',
        text: `with made as (
           insert into personal_keys (subject, wrapped_key) values ($1, $2)
           on conflict (subject) do nothing returning subject, wrapped_key)
         select subject, wrapped_key from made
         union all select subject, wrapped_key from personal_keys where subject = $1`,
        values: [subject, wrappedKey],
      });
      // No row: another process has made the key meanwhile, and its key counts. Rows are never deleted.
      return (rows.length > 0 ? rows[0]?.wrapped_key : (await load([subject])).get(subject)) ?? null;
    },
    destroy: async (subjects) => {
      await db.query(
        `insert into personal_keys (subject, wrapped_key, destroyed_at)
         select distinct subject, null, now() from unnest($1::text[]) as destroyed (subject)
         on conflict (subject) do update set wrapped_key = null, destroyed_at = now()
           where personal_keys.destroyed_at is null`,
        [subjects],
      );
    },
  };
};
