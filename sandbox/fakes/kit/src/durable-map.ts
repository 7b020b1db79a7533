// A small map that survives a kill: in memory whole, every change on disk before it is acknowledged. For the few thousand
// things that a provider's account holds.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppendLog } from './append-log.js';

/** One line of the file: a value, or none for a key that is gone. */
type Line<V> = readonly [key: string, value?: V];

const load = <V>(path: string): Map<string, V> => {
  const values = new Map<string, V>();
  for (const text of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    try {
      const [key, value] = JSON.parse(text) as Line<V>; // written by `set` and `delete` below
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    } catch {
      // The end of the file, or a line that was never acknowledged.
    }
  }
  return values;
};

/** Writes the file anew without the deleted entries. */
const compact = <V>(path: string, values: ReadonlyMap<string, V>): void => {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, [...values].map((line) => `${JSON.stringify(line)}\n`).join(''));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
};

export class DurableMap<V> {
  readonly #values: Map<string, V>;
  readonly #log: AppendLog;

  private constructor(values: Map<string, V>, log: AppendLog) {
    this.#values = values;
    this.#log = log;
  }

  static async open<V>(path: string): Promise<DurableMap<V>> {
    const values = load<V>(path);
    compact(path, values);
    return new DurableMap(values, await AppendLog.open(path));
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** In the order in which their keys were first set. */
  values(): V[] {
    return [...this.#values.values()];
  }

  /** Seen by everybody at once, on disk when it resolves. */
  set(key: string, value: V): Promise<void> {
    this.#values.set(key, value);
    return this.#log.append([key, value]);
  }

  /** Gone for everybody at once, on disk when it resolves. */
  delete(key: string): Promise<void> {
    this.#values.delete(key);
    return this.#log.append([key]);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
