// The spreadsheet of people to call.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

export interface Person {
  readonly phoneNumber: string;
  readonly name: string;
  readonly ringingTimeoutSeconds: number;
  /** What the simulated phone is known to do; empty for a real number. */
  readonly expectedStatus: string;
  readonly expectedReason: string;
}

/** @throws Error that names the missing column */
export const readSheet = (file: string): Person[] => {
  const rows: Record<string, string>[] = parse(readFileSync(file), {
    columns: true,
    bom: true,
    trim: true,
    skip_empty_lines: true,
  });
  return rows.map((row, index) => {
    if (!row.phone_number) throw new Error(`${file}, row ${index + 2}: phone_number is empty or missing`);
    return {
      phoneNumber: row.phone_number,
      name: row.name ?? '',
      ringingTimeoutSeconds: Number(row.ringing_timeout_seconds ?? 30),
      expectedStatus: row.expected_status ?? '',
      expectedReason: row.expected_reason ?? '',
    };
  });
};
