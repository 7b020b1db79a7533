// The file of recorded examples that the interface document shows.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plain } from './plain.js';

const file = fileURLToPath(new URL('../../../../../gateway/recorded-examples.json', import.meta.url));

const plainOf = (plain: Plain, all: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...all].map(([name, value]) => [name, plain.of(value)]));

/** In the order of their names, a line each. */
const lines = (all: Record<string, unknown>): string =>
  Object.entries(all)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');

/** The text of the file. */
export const recordedText = (
  plain: Plain,
  exchanges: ReadonlyMap<string, unknown>,
  messages: ReadonlyMap<string, unknown>,
): string => {
  // In the order in which they were recorded, so that the same walk gives the same ids.
  const recorded = { operations: plainOf(plain, exchanges), webhooks: plainOf(plain, messages) };
  return `{"operations": {\n${lines(recorded.operations)}\n}, "webhooks": {\n${lines(recorded.webhooks)}\n}}\n`;
};

export const writeRecorded = (text: string): void => writeFileSync(file, text);
