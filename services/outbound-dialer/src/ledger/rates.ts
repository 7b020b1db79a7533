// The most that calls cost. The rate of a number is that of its longest prefix in the operator's table. Until the
// operator imports a table, the built-in table is in force.
import { createReadStream } from 'node:fs';
import type { Tx } from '@parlance/postgres';
import { readRates } from './rate-file.js';

export interface RateTable {
  /** ISO 4217. */
  readonly currency: string;
  /** The price of a started minute; for a number without a rate, the highest of the table. */
  microsPerStartedMinute(e164: string): number;
  /** Undefined for a number without a rate. */
  rateOf(e164: string): number | undefined;
  /** The highest of the table. */
  readonly highestMicros: number;
}

/** A table with where it comes from. */
export interface KnownRates {
  readonly currency: string;
  /** Micros per started minute by prefix, without the plus. */
  readonly rates: ReadonlyMap<string, number>;
  /** Null: built in. */
  readonly importedAt: Date | null;
  /** The id of the import, unique; null for the built-in table. */
  readonly id: string | null;
}

/** Day of the table that is built in. */
export const builtInDate = '2026-11-22';
export const builtInFile = new URL(`../../data/rates-${builtInDate}.csv`, import.meta.url);

/** @param rates at least one */
export const rateTable = ({ currency, rates }: Pick<KnownRates, 'currency' | 'rates'>): RateTable => {
  let [longest, highest] = [0, 0];
  for (const [prefix, micros] of rates) {
    longest = Math.max(longest, prefix.length);
    highest = Math.max(highest, micros);
  }
  const rateOf = (e164: string): number | undefined => {
    const digits = e164.replace('+', '');
    for (let end = Math.min(digits.length, longest); end > 0; end -= 1) {
      const found = rates.get(digits.slice(0, end));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    ...{ currency, rateOf, highestMicros: highest },
    microsPerStartedMinute: (e164) => rateOf(e164) ?? highest,
  };
};

/** Reads once. A read that failed is forgotten: else one moment without a free file would fail every later call. */
export const readOnce = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let kept: Promise<T> | undefined;
  return () => {
    const reading =
      kept ??
      read().catch((error: unknown) => {
        kept = undefined;
        throw error;
      });
    kept = reading;
    return reading;
  };
};

const builtInRates = readOnce(
  async (): Promise<KnownRates> => ({
    ...(await readRates(createReadStream(builtInFile))),
    importedAt: null,
    id: null,
  }),
);

interface TableRow {
  readonly id: string;
  readonly currency: string;
  readonly importedAt: Date;
}

const newest = async (tx: Tx): Promise<TableRow | undefined> => {
  const { rows } = await tx.query<TableRow>({
    name: 'newest-rate-table',
    text: 'select id, currency, imported_at as "importedAt" from rate_tables order by number desc limit 1',
    values: [],
  });
  return rows[0];
};

const ratesOf = async (tx: Tx, id: string): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await tx.query<{ prefix: string; micros: number }>(
    'select prefix, micros::float8 as micros from rates where table_id = $1',
    [id],
  );
  return new Map(rows.map(({ prefix, micros }) => [prefix, micros]));
};

/** The rates that are in force. */
export const knownRates = async (tx: Tx): Promise<KnownRates> => {
  for (;;) {
    const table = await newest(tx);
    if (table === undefined) return builtInRates();
    const rates = await ratesOf(tx, table.id);
    // No rates: an import replaced the table between the look at it and the reading of it.
    if (rates.size > 0)
      return { currency: table.currency, rates, importedAt: table.importedAt, id: table.id };
  }
};

/** The table that was in force last, by its id. */
let last: { readonly id: string | null; readonly table: RateTable } | undefined;

/** The table in force. Costs one small query: the rates themselves are read again only after an import. */
export const currentRates = async (tx: Tx): Promise<RateTable> => {
  const id = (await newest(tx))?.id ?? null;
  if (last?.id === id) return last.table;
  const known = await knownRates(tx);
  const table = rateTable(known);
  last = { id: known.id, table };
  return table;
};
