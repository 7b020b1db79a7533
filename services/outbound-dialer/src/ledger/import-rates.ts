// Puts a table of rates in force: all of it or nothing.
import type { Database, Tx } from '@parlance/postgres';
import type { ReadRates } from './rate-file.js';
import { knownRates } from './rates.js';

/** Rows per statement. */
const batch = 5_000;
const limitMs = 60_000;

/** A table that cannot be put in force; the message gives the reason and the remedy. */
export class RatesRefused extends Error {
  override readonly name = 'RatesRefused';
}

/** The ledger keeps amounts in the currency that was in force, and amounts of two currencies do not add up. */
const refuseOtherCurrency = async (tx: Tx, currency: string): Promise<void> => {
  const before = (await knownRates(tx)).currency;
  if (before === currency) return;
  const { rowCount } = await tx.query('select from spend_totals limit 1');
  if (rowCount > 0)
    throw new RatesRefused(
      `Money was spent or reserved in ${before} already, and amounts in ${currency} cannot be added to it. Give the prices in ${before}.`,
    );
};

/** Replaces the table in force. Two imports at the same time happen one after the other. @throws RatesRefused */
export const importRates = (
  db: Database,
  { currency, rates }: ReadRates,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('import-rates', 0))`);
      await refuseOtherCurrency(tx, currency);
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
