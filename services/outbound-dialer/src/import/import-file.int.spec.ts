// Files read in a thread of their own, which runs the built program.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fileOf } from '@parlance/fixtures/spreadsheets';
import { importFile } from './import-file.js';
import { phoneNumbersIn } from './recipient-batch.js';
import { measureImport } from './testing/large-files.js';
import { usualRules } from './testing/reading.js';

const campaignId = '0197a000-0000-7000-8000-000000000001';
const done = async (): Promise<void> => undefined;
const suppressedAmong = async (): Promise<ReadonlySet<string>> => new Set();
const usual = { ...usualRules, campaignId, suppressedAmong };

describe('a file read in a thread', () => {
  it.each(['csv', 'xlsx'] as const)('as %s is handed over whole, within 150 MiB', async (format) => {
    let rows = 0;
    const file = fileOf(format, 20_000);
    const measured = await measureImport(file, `people.${format}`, async (batch) => {
      rows += batch.rows;
    });
    expect(measured.outcome).toMatchObject({ kind: 'imported', report: { rows: 20_000, accepted: 20_000 } });
    expect(rows).toBe(20_000);
    expect(measured.peakMiB).toBeLessThan(150);
  });

  it('with headers of 10,000 letters is handed over within 150 MiB, and reported without them', async () => {
    const columns = ['x'.repeat(10_000), '姓'.repeat(10_000)];
    const measured = await measureImport(fileOf('csv', 20_000, columns), 'people.csv', done);
    expect(measured.outcome).toMatchObject({ kind: 'imported', report: { accepted: 20_000 } });
    expect(JSON.stringify(measured.outcome).length).toBeLessThan(2_000);
    expect(measured.peakMiB).toBeLessThan(150);
  });

  it('waits for whoever takes the rows, to the last batch', async () => {
    let [under, most] = [0, 0];
    await measureImport(fileOf('csv', 20_000), 'people.csv', async () => {
      under += 1;
      most = Math.max(most, under);
      // slower than the file is read, and than the thread goes when it has nothing more to say
      await delay(100);
      under -= 1;
    });
    expect(most).toBe(1);
  });

  it('with more bytes than allowed is refused before it is read', async () => {
    const limits = { ...usualRules.limits, maxBytes: 1_024 };
    const options = { ...usual, limits, stream: fileOf('csv', 1_000), onBatch: done };
    await expect(importFile(options)).resolves.toMatchObject({
      kind: 'refused',
      refusal: { code: 'FILE_TOO_LARGE' },
      report: null,
    });
  });

  it('whose bytes stop coming is nobody else’s fault but the storage’s', async () => {
    const stream = Readable.from(
      (function* () {
        yield 'phone\n+14155550100\n';
        throw new Error('connection reset');
      })(),
    );
    const options = { ...usual, stream, onBatch: done };
    await expect(importFile(options)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('has the rows of suppressed numbers left out, whichever batch they are in', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `+1415${2_000_000 + index}`);
    const suppressed = new Set(['+14152000000', '+14152002500', '+14152004999']);
    const asked: string[] = [];
    const taken: string[] = [];
    const outcome = await importFile({
      ...usual,
      stream: Readable.from([`phone\n${lines.join('\n')}\n+14152002500\n+14152000001\n`]),
      suppressedAmong: async (numbers) => {
        asked.push(...numbers);
        return new Set(numbers.filter((number) => suppressed.has(number)));
      },
      onBatch: async (batch) => {
        taken.push(...phoneNumbersIn(batch));
      },
    });
    expect(taken).toEqual(lines.filter((number) => !suppressed.has(number)));
    expect(asked).toHaveLength(5_002);
    expect(outcome.report).toMatchObject({ rows: 5_002, accepted: 4_997, rejected: 4, duplicates: 1 });
    expect(outcome.report?.errors.map(({ row, code }) => [row, code])).toEqual([
      [2, 'SUPPRESSED'],
      [2_502, 'SUPPRESSED'],
      [5_001, 'SUPPRESSED'],
      [5_002, 'SUPPRESSED'],
      [5_003, 'DUPLICATE'],
    ]);
  });

  it('is given up when the list of suppressed numbers cannot be read', async () => {
    const options = { ...usual, stream: fileOf('csv', 100), onBatch: done };
    const failing = importFile({
      ...options,
      suppressedAmong: () => Promise.reject(new Error('the database is down')),
    });
    await expect(failing).rejects.toThrow('the database is down');
  });

  it('is given up when its rows cannot be taken, or when somebody says so', async () => {
    const failing = measureImport(fileOf('csv', 20_000), 'people.csv', async () => {
      throw new Error('the database is full');
    });
    await expect(failing).rejects.toThrow('the database is full');
    const stop = new AbortController();
    const options = { ...usual, stream: fileOf('csv', 20_000), signal: stop.signal };
    const stopped = importFile({ ...options, onBatch: async () => stop.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
  });
});
