// Measures the time and memory of a large file: makes files, and reads them as the service does.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { importFile } from '../import-file.js';
import { type ImportOutcome, usualLimits } from '../import-types.js';
import type { RecipientBatch } from '../recipient-batch.js';
import { archiveOf, partsOf } from './archives.js';

/** For tests elsewhere that upload unreadable files. */
export { inline, workbookOf } from './archives.js';

const header = ['phone_number', 'First Name', 'city', 'external_id'] as const;
const areas = ['212', '415', '312', '713'] as const;
const linesAtOnce = 1_000;

/** Every row has a number, a name and a reference of its own. */
const cellsOf = (row: number): readonly string[] => {
  const area = areas[row % areas.length] ?? areas[0];
  return [`+1${area}${2_000_000 + row}`, `Name ${row}`, `City ${row % 1_000}`, `ext-${row}`];
};

function* csvText(rows: number, columns: readonly string[]): Generator<string> {
  yield `${[...header, ...columns].join(',')}\n`;
  const rest = columns.map((_, index) => `,value ${index}`).join('');
  for (let from = 0; from < rows; from += linesAtOnce) {
    const count = Math.min(linesAtOnce, rows - from);
    yield Array.from({ length: count }, (_, i) => `${cellsOf(from + i).join(',')}${rest}\n`).join('');
  }
}

/** All strings shared and nearly all different: the most expensive case for a reader. */
const xlsxBytes = (rows: number): Buffer => {
  const strings: string[] = [];
  const cell = (text: string): string => `<c t="s"><v>${strings.push(`<si><t>${text}</t></si>`) - 1}</v></c>`;
  const row = (cells: readonly string[]): string => `<row>${cells.map(cell).join('')}</row>`;
  const xml = [row(header), ...Array.from({ length: rows }, (_, i) => row(cellsOf(i)))].join('');
  return archiveOf(partsOf({ sheets: [{ rows: xml }], strings: strings.join('') }));
};

/**
 * A file of so many rows and a header, none of which is refused.
 * @param columns headers of more columns, in a CSV
 */
export const fileOf = (format: 'csv' | 'xlsx', rows: number, columns: readonly string[] = []): Readable =>
  format === 'csv'
    ? Readable.from(csvText(rows, columns), { objectMode: false })
    : Readable.from([xlsxBytes(rows)]);

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
      suppressed: new Float64Array(0),
    });
    look();
    return { outcome, seconds: (performance.now() - start) / 1_000, peakMiB: (peak - before) / 1024 / 1024 };
  } finally {
    clearInterval(timer);
  }
};
