// What a platform that several suites share has asked of providers and the media server, for one of these suites.
import { join } from 'node:path';
import { type LedgerEntry, readLedger } from '@parlance/fake-kit';

const numberOf = (entry: LedgerEntry): string | undefined => {
  if ('phoneNumber' in entry) return entry.phoneNumber;
  return 'from' in entry ? entry.from : undefined;
};

/**
 * Every entry of the ledger, apart from the calls and changes of numbers that other suites have bought. A number that nobody
 * has bought is in it: no suite has a reason to call from one.
 * @param own the numbers that this suite has bought, or could buy
 */
export const ownLedger = async (dataDir: string, own: readonly string[]): Promise<readonly LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(join(dataDir, 'ledger.jsonl'))) entries.push(entry);
  const bought = entries.flatMap((entry) => (entry.kind === 'purchase' ? [entry.phoneNumber] : []));
  const others = new Set(bought.filter((number) => !own.includes(number)));
  return entries.filter((entry) => !others.has(numberOf(entry) ?? ''));
};
