// Measures the time and memory of reading a large file as the service does.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { importFile } from '../import-file.js';
import { type ImportOutcome, usualLimits } from '../import-types.js';
import type { RecipientBatch } from '../recipient-batch.js';

export interface ImportMeasure {
  readonly outcome: ImportOutcome;
  readonly seconds: number;
  /** Memory of this process and its threads, above its level at the beginning. */
  readonly peakMiB: number;
}

/**
 * Reads a file as the service does, numbers of the United States being allowed.
 * @param fileName says which kind it is
 */
export const measureImport = async (
  stream: Readable,
  fileName: string,
  onBatch: (batch: RecipientBatch) => Promise<void>,
): Promise<ImportMeasure> => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 50);
  const start = performance.now();
  try {
    const outcome = await importFile({
      ...{ campaignId: randomUUID(), stream, fileName, onBatch, duplicates: 'first', limits: usualLimits },
      plan: { country: 'US', allowedCountries: ['US'] },
      suppressedAmong: async () => new Set(),
    });
    look();
    return { outcome, seconds: (performance.now() - start) / 1_000, peakMiB: (peak - before) / 1024 / 1024 };
  } finally {
    clearInterval(timer);
  }
};
