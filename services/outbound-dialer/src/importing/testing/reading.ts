// Reads a file as the thread does, in the test's own one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportedRow, type ImportOutcome, type ImportRules, usualLimits } from '../import-types.js';
import { readFile } from '../read-file.js';

export const usualRules: ImportRules = {
  fileName: 'people.csv',
  plan: { country: 'US', allowedCountries: ['US', 'CA', 'DE'] },
  duplicates: 'first',
  limits: usualLimits,
  suppressed: new Float64Array(0),
};

export interface Reading {
  readonly outcome: ImportOutcome;
  readonly rows: readonly ImportedRow[];
}

export const readBytes = async (
  content: string | Uint8Array,
  rules: Partial<ImportRules> = {},
): Promise<Reading> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-reading-'));
  try {
    const path = join(directory, 'file');
    writeFileSync(path, content);
    const rows: ImportedRow[] = [];
    const outcome = await readFile({ path, directory }, { ...usualRules, ...rules }, async (batch) => {
      rows.push(...batch);
    });
    return { outcome, rows };
  } finally {
    rmSync(directory, { recursive: true });
  }
};
