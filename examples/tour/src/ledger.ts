// The ledger of the stand-ins of a platform on this machine: rings of phones, and questions to the practice.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Ring {
  readonly room: string;
  readonly to: string;
}

interface Lookup {
  readonly callId: string;
}

/** A line of the ledger; other kinds are of no interest here. */
export type AnyEntry =
  | ({ readonly kind: 'ring' } & Ring)
  | ({ readonly kind: 'lookup' } & Lookup)
  | { readonly kind: 'dial' };

/** Undefined where no ledger is kept, because the phones are real. */
export const readEntries = async (ledger: string | undefined): Promise<AnyEntry[] | undefined> => {
  if (ledger === undefined || !existsSync(ledger)) return undefined;
  const lines = (await readFile(ledger, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line): AnyEntry => JSON.parse(line));
};

export const ringsOf = (entries: readonly AnyEntry[], rooms: ReadonlySet<string>): Ring[] =>
  entries.flatMap((entry) => (entry.kind === 'ring' && rooms.has(entry.room) ? [entry] : []));

/** The number of questions to the practice, by call. */
export const lookupsOf = (entries: readonly AnyEntry[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const entry of entries)
    if (entry.kind === 'lookup') counts.set(entry.callId, (counts.get(entry.callId) ?? 0) + 1);
  return counts;
};
