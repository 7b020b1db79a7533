// Reads a file as the thread does, in the test's own one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileReading } from '../file-reading.js';
import {
  type ImportedRow,
  type ImportOutcome,
  type ImportRules,
  type ReadingBounds,
  usualLimits,
} from '../import-types.js';
import { type ReadingSteps, readFile } from '../read-file.js';

export const usualRules: ImportRules = {
  fileName: 'people.csv',
  plan: { country: 'US', allowedCountries: ['US', 'CA', 'DE'] },
  duplicates: 'first',
  limits: usualLimits,
};

/** The rules of a reading, and the numbers that must not be called. */
export type TestRules = Partial<ImportRules> & { readonly suppressed?: readonly string[] };

export interface Reading extends FileReading {
  readonly outcome: ImportOutcome;
  readonly rows: readonly ImportedRow[];
}

/** Reads a file as far as the bounds let it. */
export const readSome = async (
  content: string | Uint8Array,
  { suppressed = [], ...rules }: TestRules,
  bounds: ReadingBounds | undefined,
): Promise<FileReading & Pick<Reading, 'rows'>> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-reading-'));
  try {
    const path = join(directory, 'file');
    writeFileSync(path, content);
    const rows: ImportedRow[] = [];
    const steps: ReadingSteps = {
      suppressedAmong: async (numbers) => new Set(numbers.filter((number) => suppressed.includes(number))),
      onRows: async (batch) => {
        rows.push(...batch);
      },
    };
    const reading = await readFile({ path, directory }, { ...usualRules, ...rules }, steps, bounds);
    return { ...reading, rows };
  } finally {
    rmSync(directory, { recursive: true });
  }
};

export const readBytes = async (content: string | Uint8Array, rules: TestRules = {}): Promise<Reading> => {
  const { outcome, ...rest } = await readSome(content, rules, undefined);
  if (outcome.kind === 'cut') throw new Error('read only in part');
  return { ...rest, outcome };
};
