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
    create: async (wrappedKeys) => {
      const subjects = [...wrappedKeys.keys()];
      const { rows } = await db.query<Row>({
        name: 'personal-keys-make',
        text: `with made as (
           insert into personal_keys (subject, wrapped_key)
           select subject, wrapped_key from unnest($1::text[], $2::text[]) as fresh (subject, wrapped_key) order by subject
           on conflict (subject) do nothing returning subject, wrapped_key)
         select subject, wrapped_key from made
         union all select subject, wrapped_key from personal_keys where subject = any($1)`,
        values: [subjects, [...wrappedKeys.values()]],
      });
      const kept = new Map(rows.map((row) => [row.subject, row.wrapped_key]));
      // Without a row: another process has made the key meanwhile, and its key counts. Rows are never deleted.
      const missing = subjects.filter((subject) => !kept.has(subject));
      return missing.length === 0 ? kept : new Map([...kept, ...(await load(missing))]);
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
