// The gateway's whole path beside one bare Express + pg handler that runs the same query, in one run.
import { deleteAgentsSince, forkBareHandler } from './bare-handler.js';
import type { Load } from './measure.js';
import { type MeasuredPlatform, residentMebibytes, startMeasuredPlatform } from './measured-platform.js';
import { sumOf } from './processor-time.js';
import { showTable } from './report.js';
import { type Entry, measureInRounds, type Row } from './rounds.js';

const json = { 'content-type': 'application/json' };
const newAgent = JSON.stringify({ name: 'Bench', isActive: true, templateId: null });

const entriesFor = (
  bare: Awaited<ReturnType<typeof forkBareHandler>>,
  { api, apiKey, databaseUrl, organizationId, pids }: MeasuredPlatform,
): Entry[] => {
  const seededAt = new Date();
  const cleanUp = () => deleteAgentsSince(databaseUrl, organizationId, seededAt);
  const key = { 'x-api-key': apiKey };
  const post = { method: 'POST', body: newAgent } as const;
  const barePids = { 'bare handler': bare.pid, postgres: pids.postgres };
  return [
    { name: 'GET /agents, bare handler', target: { url: `${bare.url}/agents` }, pids: barePids },
    {
      name: 'GET /agents, platform',
      target: { url: `${api}/agents`, headers: key },
      pids,
      comparedWith: 'GET /agents, bare handler',
    },
    {
      name: 'POST /agents, bare handler',
      target: { ...post, url: `${bare.url}/agents`, headers: json },
      pids: barePids,
      cleanUp,
    },
    {
      name: 'POST /agents, platform',
      target: { ...post, url: `${api}/agents`, headers: { ...key, ...json } },
      pids,
      comparedWith: 'POST /agents, bare handler',
      cleanUp,
    },
    { name: 'GET /health, platform', target: { url: `${api}/health` }, pids },
  ];
};

const showRows = (rows: readonly Row[]): void =>
  showTable(
    ['measurement', 'requests/s', 'p50 ms', 'p99 ms', 'not 2xx', 'of bare'],
    rows.map(({ name, perSecond, p50, p99, failures, ratio }) => [
      ...[name, Math.round(perSecond), p50, p99, failures, ratio?.toFixed(2) ?? ''],
    ]),
  );

/** Processor time is comparable on a machine that does other work, too, where rates are not. */
const showCosts = (rows: readonly Row[]): void => {
  const processes = [...new Set(rows.flatMap(({ costs }) => Object.keys(costs)))];
  const micros = (ms: number | undefined): string =>
    ms === undefined ? '' : Math.round(ms * 1_000).toFixed();
  showTable(
    ['processor time, µs per request', ...processes, 'all', 'bare beside it'],
    rows.map(({ name, costs, costRatio }) => [
      ...[name, ...processes.map((process) => micros(costs[process]))],
      ...[micros(sumOf(costs)), costRatio?.toFixed(2) ?? ''],
    ]),
  );
};

const showProgress = (done: number, of: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r  measured ${done} of ${of}${done === of ? '\n' : ''}`);
};

export interface PlatformBenchOptions {
  readonly load: Load;
  /** The number of rounds over all targets; the figures are medians. */
  readonly rounds: number;
}

/** Prints requests per second, latencies, processor time and ratios, the time of a start, and memory when idle. */
export const benchPlatform = async ({ load, rounds }: PlatformBenchOptions): Promise<void> => {
  const platform = await startMeasuredPlatform();
  const bare = await forkBareHandler(platform.databaseUrl, platform.organizationId);
  try {
    const headers = { 'x-api-key': platform.apiKey, ...json };
    for (let index = 0; index < 20; index += 1)
      await fetch(`${platform.api}/agents`, { method: 'POST', headers, body: newAgent });
    const idle = await residentMebibytes(platform.pids);
    const rows = await measureInRounds(load, rounds, entriesFor(bare, platform), showProgress);
    showRows(rows);
    showCosts(rows);
    const { startSeconds, restartSeconds } = platform;
    console.log(
      `ready after ${startSeconds.toFixed(1)} s at the first start, ${restartSeconds.toFixed(1)} s on existing data`,
    );
    const parts = idle.parts.map(([name, size]) => `${name} ${size}`).join(', ');
    console.log(`resident when idle: ${idle.total} MiB (${parts})`);
  } finally {
    await bare.stop();
    await platform.stop();
  }
};
