// Files read in a thread of their own, which runs the built program.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fileOf } from '@parlance/fixtures/spreadsheets';
import { importFile } from './import-file.js';
import { measureImport } from './testing/large-files.js';
import { usualRules } from './testing/reading.js';

const campaignId = '0197a000-0000-7000-8000-000000000001';
const done = async (): Promise<void> => undefined;

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
    const options = { ...usualRules, campaignId, limits, stream: fileOf('csv', 1_000), onBatch: done };
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
    const options = { ...usualRules, campaignId, stream, onBatch: done };
    await expect(importFile(options)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('is given up when its rows cannot be taken, or when somebody says so', async () => {
    const failing = measureImport(fileOf('csv', 20_000), 'people.csv', async () => {
      throw new Error('the database is full');
    });
    await expect(failing).rejects.toThrow('the database is full');
    const stop = new AbortController();
    const options = { ...usualRules, campaignId, stream: fileOf('csv', 20_000), signal: stop.signal };
    const stopped = importFile({ ...options, onBatch: async () => stop.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
  });
});
