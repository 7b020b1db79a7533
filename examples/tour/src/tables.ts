// Tables and figures as a terminal shows them.
import Table from 'cli-table3';

const plain = { head: [], border: [] };

export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const shown = new Table({ head: [...head], style: plain });
  for (const row of rows) shown.push([...row]);
  return shown.toString();
};

export const facts = (rows: Readonly<Record<string, string | number>>): string => {
  const shown = new Table({ style: plain });
  for (const [name, value] of Object.entries(rows)) shown.push({ [name]: value });
  return shown.toString();
};

export const percent = (rate: number | null): string => (rate === null ? '-' : `${Math.round(rate * 100)} %`);

export const dollars = (micros: number, currency = 'USD'): string =>
  `${(micros / 1_000_000).toFixed(2)} ${currency}`;
