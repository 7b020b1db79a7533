// 500 open streams of live events: their cost for the gateway, and the time until an event is there.
import { request } from 'node:http';
import { Client, percentile, shown } from '../calls/requests.js';
import { type MeasuredPlatform, residentMebibytes } from '../harness/measured-platform.js';
import { processorMs } from '../harness/processor-time.js';
import { met, showTable, tell } from '../harness/report.js';

export interface StreamsOptions {
  /** Streams that are open at once. */
  readonly streams: number;
  readonly seconds: number;
  /** Changes in a second, each of which one organization hears. */
  readonly perSecond: number;
}

/** Of the platform, for one person and for one organization. */
const mostOfOne = 10;
const mostOfOrganization = 200;
const goalMs = 500;

interface Organization {
  readonly apiKey: string;
  readonly keys: readonly string[];
}

const makeOrganization = async ({ url, api }: MeasuredPlatform, streams: number): Promise<Organization> => {
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    });
  const account = {
    name: 'Bench',
    email: `${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
  };
  const signedUp = await post('/auth/sign-up/email', account);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const makeKey = async (permission: string): Promise<string> => {
    const made = await post('/auth/api-key/create', { name: 'bench', permissions: [permission] }, cookie);
    if (!made.ok) throw new Error(`the key was answered with ${made.status}`);
    return ((await made.json()) as { key: string }).key; // as the contract declares it
  };
  const keys: string[] = [];
  for (let of = 0; of < streams; of += mostOfOne) keys.push(await makeKey('agent:read'));
  return { apiKey: await makeKey('*'), keys };
};

interface Heard {
  readonly agentId: string;
  readonly at: number;
}

/** Opens a stream; resolves when it has begun. */
const open = (api: string, key: string, hear: (heard: Heard) => void): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const asking = request(
      `${api}/events/stream`,
      { headers: { 'x-api-key': key }, agent: false },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
        resolve(() => asking.destroy());
        answer.on('error', () => undefined);
        answer.on('data', (part: Buffer) => {
          const at = performance.now();
          for (const [, agentId = ''] of part.toString().matchAll(/"resource":\{[^}]*"id":"([^"]+)"/g))
            hear({ agentId, at });
        });
      },
    );
    asking.on('error', reject);
    asking.end();
  });

/** Opens the streams, makes agents while they are open, and prints the measurements. */
export const benchStreams = async (platform: MeasuredPlatform, options: StreamsOptions): Promise<void> => {
  const { streams, seconds, perSecond } = options;
  const gateway = { gateway: platform.pids.gateway };
  const organizations: Organization[] = [];
  for (let of = 0; of < streams; of += mostOfOrganization)
    organizations.push(await makeOrganization(platform, Math.min(mostOfOrganization, streams - of)));
  const before = (await residentMebibytes(gateway)).total;
  const heard: Heard[] = [];
  const ends: (() => void)[] = [];
  for (const { keys } of organizations)
    for (const key of keys)
      for (let of = 0; of < mostOfOne; of += 1)
        ends.push(await open(platform.api, key, (one) => heard.push(one)));
  const opened = (await residentMebibytes(gateway)).total;
  tell(`${ends.length} streams are open; ${perSecond} changes a second for ${seconds} s`);
  const answered = new Map<string, number>();
  const client = new Client(platform.api, 8);
  const cpuBefore = processorMs(gateway).gateway ?? 0;
  const began = performance.now();
  for (let sent = 0; sent < seconds * perSecond; sent += 1) {
    const { apiKey } = organizations[sent % organizations.length] ?? { apiKey: '' };
    const body = JSON.stringify({ name: `Bench ${sent}`, isActive: true, templateId: null });
    const asked = performance.now();
    const answer = await client.send('/agents', { method: 'POST', headers: { 'x-api-key': apiKey }, body });
    if (answer.status !== 201) throw new Error(`a change was answered with ${answer.status}`);
    answered.set((JSON.parse(answer.body) as { data: { id: string } }).data.id, asked);
    const rest = began + ((sent + 1) * 1_000) / perSecond - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
  const last = performance.now() + 5_000;
  const expected = [...answered.keys()].reduce(
    (sum, _, index) => sum + (organizations[index % organizations.length]?.keys.length ?? 0) * mostOfOne,
    0,
  );
  while (heard.length < expected && performance.now() < last)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const ranMs = performance.now() - began;
  const cpu = ((processorMs(gateway).gateway ?? 0) - cpuBefore) / ranMs;
  const after = (await residentMebibytes(gateway)).total;
  const delays = heard.flatMap(({ agentId, at }) => {
    const asked = answered.get(agentId);
    return asked === undefined ? [] : [at - asked];
  });
  const p99 = percentile(delays, 0.99);
  showTable(
    [`${ends.length} streams of live events`, ''],
    [
      ['memory of the gateway before, open, at the end, MiB', `${before}, ${opened}, ${after}`],
      ['KiB for each stream', (((opened - before) * 1_024) / ends.length).toFixed(1)],
      ['processor of the gateway, of one core', `${(cpu * 100).toFixed(0)} %`],
      ['events sent to streams', `${delays.length} of ${expected}`],
      ['from the request of a change to its event, p50 ms', shown(percentile(delays, 0.5))],
      [`p99 ms, goal ${goalMs}`, `${shown(p99)} ${met(p99 < goalMs)}`],
    ],
  );
  for (const end of ends) end();
  client.close();
};
