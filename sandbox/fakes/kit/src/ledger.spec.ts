import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  type CallEntry,
  Ledger,
  type LedgerEntry,
  type NumberEntry,
  readCalls,
  readLedger,
} from './ledger.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-ledger-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const dial = (sipCallId: string): CallEntry => ({
  kind: 'dial',
  at: '2026-01-01T00:00:00.000Z',
  room: 'room',
  identity: 'pstn',
  to: '+14155550100',
  from: '+14155550142',
  sipCallId,
});
const purchase: NumberEntry = {
  kind: 'purchase',
  at: '2026-01-01T00:00:00.000Z',
  provider: 'twilio',
  phoneNumber: '+14155550142',
  providerId: 'PN1',
  marker: 'ours',
  account: 'AC1',
};
const all = async <T>(entries: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
};

describe('the ledger', () => {
  it('keeps the order of what was written at the same time', async () => {
    const path = join(directory, 'order', 'ledger.jsonl');
    const ledger = await Ledger.open(path);
    const entries: LedgerEntry[] = Array.from({ length: 200 }, (_, index) => dial(String(index)));
    await Promise.all(entries.map((entry) => ledger.write(entry)));
    await ledger.close();
    expect(await all(readLedger(path))).toEqual(entries);
  });

  it('loses a torn line and nothing that is written after it', async () => {
    const path = join(directory, 'torn.jsonl');
    const before = await Ledger.open(path);
    await before.write(dial('1'));
    await before.close();
    appendFileSync(path, '{"kind":"dial","at":"2026');
    const after = await Ledger.open(path);
    await after.write(purchase);
    await after.close();
    expect(await all(readLedger(path))).toEqual([dial('1'), purchase]);
    expect(await all(readCalls(path))).toEqual([dial('1')]);
  });

  it('is shared by several writers without mixing their lines', async () => {
    const path = join(directory, 'shared.jsonl');
    const ledgers = await Promise.all([Ledger.open(path), Ledger.open(path), Ledger.open(path)]);
    const writes = ledgers.flatMap((ledger, writer) =>
      Array.from({ length: 50 }, (_, index) => ledger.write(dial(`${writer}-${index}`))),
    );
    await Promise.all(writes);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(new Set((await all(readCalls(path))).map(({ sipCallId }) => sipCallId)).size).toBe(150);
  });
});
