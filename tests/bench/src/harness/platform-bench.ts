// The gateway's whole path beside one bare Express + pg handler that runs the same query, in one run.
import { deleteAgentsSince, forkBareHandler } from './bare-handler.js';
import type { Load } from './measure.js';
import { type MeasuredPlatform, residentMebibytes, startMeasuredPlatform } from './measured-platform.js';
import { showTable } from './report.js';
import { type Entry, measureInRounds, type Row } from './rounds.js';

const json = { 'content-type': 'application/json' };
const newAgent = JSON.stringify({ name: 'Bench', isActive: true, templateId: null });

const entriesFor = (
  bareUrl: string,
  { api, apiKey, databaseUrl, organizationId }: MeasuredPlatform,
): Entry[] => {
  const seededAt = new Date();
  const cleanUp = () => deleteAgentsSince(databaseUrl, organizationId, seededAt);
  const key = { 'x-api-key': apiKey };
  const post = { method: 'POST', body: newAgent } as const;
  return [
    { name: 'GET /agents, bare handler', target: { url: `${bareUrl}/agents` } },
    {
      name: 'GET /agents, platform',
      target: { url: `${api}/agents`, headers: key },
      comparedWith: 'GET /agents, bare handler',
    },
    {
      name: 'POST /agents, bare handler',
      target: { ...post, url: `${bareUrl}/agents`, headers: json },
      cleanUp,
    },
    {
      name: 'POST /agents, platform',
      target: { ...post, url: `${api}/agents`, headers: { ...key, ...json } },
      comparedWith: 'POST /agents, bare handler',
      cleanUp,
    },
    { name: 'GET /health, platform', target: { url: `${api}/health` } },
  ];
};

const showRows = (rows: readonly Row[]): void =>
  showTable(
    ['measurement', 'requests/s', 'p50 ms', 'p99 ms', 'not 2xx', 'of bare'],
    rows.map(({ name, perSecond, p50, p99, failures, ratio }) => [
      ...[name, Math.round(perSecond), p50, p99, failures, ratio?.toFixed(2) ?? ''],
    ]),
  );

const showProgress = (done: number, of: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r  measured ${done} of ${of}${done === of ? '\n' : ''}`);
};

export interface PlatformBenchOptions {
  readonly load: Load;
  /** The number of rounds over all targets; the figures are medians. */
  readonly rounds: number;
}

/** Prints requests per second, latencies and ratios, the time of a start, and memory when idle. */
export const benchPlatform = async ({ load, rounds }: PlatformBenchOptions): Promise<void> => {
  const platform = await startMeasuredPlatform();
  const bare = await forkBareHandler(platform.databaseUrl, platform.organizationId);
  try {
    const headers = { 'x-api-key': platform.apiKey, ...json };
    for (let index = 0; index < 20; index += 1)
      await fetch(`${platform.api}/agents`, { method: 'POST', headers, body: newAgent });
    const idle = await residentMebibytes(platform.pids);
    const entries = entriesFor(bare.url, platform);
    showRows(await measureInRounds(load, rounds, entries, showProgress));
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
