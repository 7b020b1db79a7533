// npm run bench -- engines: the throughput of the stand-ins for EventStoreDB and MongoDB, and its cost.
import { showTable } from '../harness/report.js';
import type { EngineRow } from './engine-row.js';
import { benchEventStore } from './eventstore.js';
import { benchMongo } from './mongodb.js';

const figure = (value: number | undefined): string => value?.toFixed(2) ?? '';

const showRows = (rows: readonly EngineRow[]): void =>
  showTable(
    ['measurement', 'per second', 'p50 ms', 'p99 ms', ''],
    rows.map(({ what, perSecond, p50, p99, note }) => [
      ...[what, perSecond === 0 ? '' : perSecond.toLocaleString('en'), figure(p50), figure(p99), note],
    ]),
  );

const onProgress = (what: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r  ${what.padEnd(60)}`);
};

/** Measures one engine after the other, each alone on the machine, and prints a table of each. */
export const benchEngines = async ({ seconds }: { readonly seconds: number }): Promise<void> => {
  for (const [name, measure] of [
    ['EventStoreDB', benchEventStore],
    ['MongoDB', benchMongo],
  ] as const) {
    console.log(`${name}, the stand-in, through its official client:`);
    showRows(await measure({ seconds, onProgress }));
  }
};
