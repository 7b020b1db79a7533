// The messages of a running bench, and the tables at its end.
import Table from 'cli-table3';

const began = performance.now();

/** Prints a text with the time since the start, because the whole takes minutes. */
export const tell = (what: string): void => {
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`[${String(seconds).padStart(4)} s] ${what}`);
};

/** Tells the time of the work. */
export const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now();
  const result = await work();
  tell(`${what}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return result;
};

/** The words for a goal. */
export const met = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

export const showTable = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): void => {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  console.log(table.toString());
};
