// npm run bench: the gateway's whole path beside one bare Express + pg handler that runs the same query, in one run.
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { forkBareHandler } from './bare-handler.js';
import { type Load, measure } from './measure.js';
import { residentMebibytes, startMeasuredPlatform } from './measured-platform.js';

const help = `npm run bench -- [options]

Measures the platform against a bare Express + pg handler, side by side in one run, and prints ratios.

  --seconds <n>       per measurement (default: 8)
  --connections <n>   open at once (default: 50)
  --help              this text
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '50' },
    help: { type: 'boolean' },
  },
});

const json = { 'content-type': 'application/json' };
const newAgent = JSON.stringify({ name: 'Bench', isActive: true, templateId: null });

const bench = async (): Promise<void> => {
  const load: Load = { seconds: Number(values.seconds), connections: Number(values.connections) };
  const platform = await startMeasuredPlatform();
  const bare = await forkBareHandler(platform.databaseUrl, platform.organizationId);
  try {
    const key = { 'x-api-key': platform.apiKey };
    for (let index = 0; index < 20; index += 1) {
      await fetch(`${platform.api}/agents`, { method: 'POST', headers: { ...key, ...json }, body: newAgent });
    }
    const idleMebibytes = await residentMebibytes(platform.pids);
    const rows = [
      ['GET /agents, bare handler', await measure(load, { url: `${bare.url}/agents` })],
      ['GET /agents, platform', await measure(load, { url: `${platform.api}/agents`, headers: key })],
      [
        'POST /agents, bare handler',
        await measure(load, { url: `${bare.url}/agents`, method: 'POST', headers: json, body: newAgent }),
      ],
      [
        'POST /agents, platform',
        await measure(load, {
          url: `${platform.api}/agents`,
          method: 'POST',
          headers: { ...key, ...json },
          body: newAgent,
        }),
      ],
      ['GET /health, platform', await measure(load, { url: `${platform.api}/health` })],
    ] as const;
    const table = new Table({
      head: ['what', 'requests/s', 'p50 ms', 'p99 ms', 'not 2xx', 'of bare'],
      style: { head: [], border: [] },
    });
    const [bareGet, , barePost] = rows.map(([, result]) => result.perSecond);
    const base = [bareGet, bareGet, barePost, barePost];
    rows.forEach(([name, result], index) => {
      const ratio = base[index] ? (result.perSecond / base[index]).toFixed(2) : '';
      table.push([name, Math.round(result.perSecond), result.p50, result.p99, result.failures, ratio]);
    });
    console.log(table.toString());
    console.log(
      `ready after ${platform.startSeconds.toFixed(1)} s at the first start, ${platform.restartSeconds.toFixed(1)} s on existing data`,
    );
    console.log(
      `resident when idle: ${idleMebibytes.total} MiB (${idleMebibytes.parts.map(([name, size]) => `${name} ${size}`).join(', ')})`,
    );
  } finally {
    await bare.stop();
    await platform.stop();
  }
};

if (values.help) console.log(help);
else await bench();
