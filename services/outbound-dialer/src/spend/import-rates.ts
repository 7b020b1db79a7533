// Puts a table of rates in force: all of it or nothing.
import type { Database } from '@parlance/persistence';
import type { ReadRates } from './rate-file.js';

/** Rows per statement. */
const batch = 5_000;
const limitMs = 60_000;

/** Replaces the table in force. Two imports at the same time happen one after the other. */
export const importRates = (
  db: Database,
  { currency, rates }: ReadRates,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('import-rates', 0))`);
      await tx.query('insert into rate_tables (id, currency, imported_at) values ($1, $2, $3)', [
        ...[id, currency, now.toISOString()],
      ]);
      const entries = [...rates];
      for (let from = 0; from < entries.length; from += batch) {
        const some = entries.slice(from, from + batch);
        await tx.query(
          `insert into rates (table_id, prefix, micros)
           select $1::uuid, r.prefix, r.micros from unnest($2::text[], $3::bigint[]) as r (prefix, micros)`,
          [id, some.map(([prefix]) => prefix), some.map(([, micros]) => micros)],
        );
      }
      await tx.query('delete from rate_tables where id <> $1', [id]);
    },
    { timeoutMs: limitMs },
  );
