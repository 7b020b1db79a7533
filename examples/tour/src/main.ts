// npm run tour: an agent, a spreadsheet of people, and what became of every call.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Client } from '@parlance/client';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { dashboardFaults, logFaults, outcomeFaults } from './audit.js';
import { type Finished, placeCalls, watchCalls } from './calls.js';
import { readSheet } from './sheet.js';
import { type Credentials, localCredentials, signIn } from './sign-in.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('../', import.meta.url));

const help = `npm run tour -- [options]

Calls everybody in a spreadsheet through the running platform and shows what became of it.

  --file <csv>        people to call (default: examples/tour/numbers.csv, simulated phones)
  --from <number>     number to call from (default: +14155550142)
  --url <address>     the platform (default: the one started here with npm start)
  --email, --password who signs in (default: the first user of that platform)
  --help              this text
`;

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: resolve(here, 'numbers.csv') },
    from: { type: 'string', default: '+14155550142' },
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const credentials = (): Credentials => {
  const local = localCredentials(resolve(root, '.parlance', 'platform.json'));
  const [url, email, password] = [
    values.url ?? local.url,
    values.email ?? local.email,
    values.password ?? local.password,
  ];
  if (url && email && password) return { url, email, password };
  throw new Error(
    'no platform to tour: run `npm start` in another terminal first, or give --url, --email and --password',
  );
};

const makeAgent = async (client: Client): Promise<string> => {
  const { data: agent } = await client.agents.create({
    body: {
      name: `Tour guide ${new Date().toISOString().slice(0, 19)}`,
      isActive: true,
      templateId: 'support',
    },
  });
  const { data: config } = await client.agents.getConfig({ params: { agentId: agent.id } });
  const {
    agentId: _id,
    version: _version,
    createdAt: _created,
    updatedAt: _updated,
    extra: _extra,
    ...settings
  } = config;
  const saved = await client.agents.saveConfig({
    params: { agentId: agent.id },
    body: {
      ...settings,
      firstMessage: 'Hi {{customer_name | there}}, this is the Parlance tour. How are you today?',
    },
  });
  console.log(`Agent "${agent.name}" runs on version ${saved.data.version} of its configuration.\n`);
  return agent.id;
};

const showOutcomes = (finished: readonly Finished[]): void => {
  const table = new Table({
    head: ['who', 'number', 'status', 'reason', 'attempts', 'talked'],
    style: { head: [], border: [] },
  });
  for (const { person, call } of [...finished].sort((a, b) =>
    a.person.phoneNumber.localeCompare(b.person.phoneNumber),
  )) {
    const talked = call.durationSeconds === null ? '' : `${call.durationSeconds.toFixed(1)} s`;
    table.push([person.name, person.phoneNumber, call.status, call.endedReason ?? '', call.attempt, talked]);
  }
  console.log(table.toString());
};

const showTranscript = async (client: Client, finished: readonly Finished[]): Promise<string[]> => {
  const answered = finished.filter(({ call }) => call.outcome === 'answered');
  const [talked] = answered.sort((a, b) => (b.call.durationSeconds ?? 0) - (a.call.durationSeconds ?? 0));
  if (!talked?.call.callId) return ['nobody talked, so there is no transcript'];
  const { data: turns } = await client.calls.transcripts({
    params: { callId: talked.call.callId },
    query: { limit: 100 },
  });
  console.log(`\nWhat was said to ${talked.person.name}:`);
  for (const turn of turns) console.log(`  ${turn.role.padEnd(6)} ${turn.text}`);
  return turns.length > 1 ? [] : [`the transcript of ${talked.person.name} has ${turns.length} turns`];
};

const showDashboard = (kpis: Awaited<ReturnType<Client['dashboard']['summary']>>['data']['kpis']): void => {
  const percent = (rate: number | null): string => (rate === null ? '-' : `${Math.round(rate * 100)} %`);
  const table = new Table({ style: { head: [], border: [] } });
  table.push(
    { 'calls in 24 hours': kpis.totalCalls },
    { answered: `${kpis.answeredCalls} (${percent(kpis.answerRate)})` },
    { voicemail: percent(kpis.voicemailRate) },
    { 'talk minutes': kpis.totalMinutes },
    { cost: `${(kpis.totalCostMicros / 1_000_000).toFixed(4)} ${kpis.currency}` },
  );
  console.log(`\n${table.toString()}`);
};

/** Lists follow within a second; the dashboard is a list of its own kind. */
const settledDashboard = async (
  client: Client,
  check: (after: Awaited<ReturnType<Client['dashboard']['summary']>>['data']) => string[],
) => {
  for (let attempt = 1; ; attempt += 1) {
    const { data } = await client.dashboard.summary({ query: { range: '24h' } });
    const faults = check(data);
    if (faults.length === 0 || attempt >= 10) return { data, faults };
    await pause(500);
  }
};

const tour = async (): Promise<string[]> => {
  const people = readSheet(values.file);
  const client = await signIn(credentials());
  const { data: before } = await client.dashboard.summary({ query: { range: '24h' } });
  const agentId = await makeAgent(client);
  const placed = await placeCalls(client, agentId, values.from, people);
  const bar = new SingleBar({
    format: 'Calls [{bar}] {value}/{total} ended  on the phone: {talking}',
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  bar.start(placed.length, 0, { talking: '' });
  const finished = await watchCalls(
    client,
    placed,
    (ended, _total, talking) => bar.update(ended, { talking: talking.join(', ') }),
    240_000,
  ).finally(() => bar.stop());
  console.log();
  showOutcomes(finished);
  const transcriptFaults = await showTranscript(client, finished);
  const { data: after, faults } = await settledDashboard(client, (data) =>
    dashboardFaults(before, data, finished),
  );
  showDashboard(after.kpis);
  return [...outcomeFaults(finished), ...(await logFaults(client, finished)), ...transcriptFaults, ...faults];
};

if (values.help) {
  console.log(help);
} else {
  try {
    const faults = await tour();
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    console.log(
      faults.length === 0
        ? '\nThe tour is over; everything was as it should be.'
        : '\nThe tour found something wrong.',
    );
    process.exitCode = faults.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`The tour could not go on: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
