// npm run bench -- tools: 100 calls talk, alone and beside 50 executions of tools that hang. Both are measured in turn, in one
// run, so that other work of the machine meets both alike.
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { met, showTable, tell } from '../harness/report.js';
import { startCustomerSystem } from './customer-system.js';
import { Calls, newTimes, type TalkingCall, type Times } from './talking-calls.js';

export interface ToolsBenchOptions {
  readonly rounds: number;
  /** The length of each half of a round. */
  readonly seconds: number;
}

const talking = 100;
const hanging = 50;
const deadlineMs = 10_000;
/** By the protocol, a runtime waits this much longer than a tool's deadline. */
const graceMs = 5_000;

interface Agents {
  readonly talks: string;
  readonly hangs: string;
}

/** One agent with a tool that answers, and one agent with 50 tools that hang, the most that an agent may have. */
const prepare = async ({ api, apiKey }: MeasuredPlatform, systemUrl: string): Promise<Agents> => {
  const post = async (path: string, body: object = {}): Promise<string> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string } }).data.id; // the contract's Agent or Tool
  };
  const agent = (name: string) => post('/agents', { name, isActive: true, templateId: 'business' });
  const tool = async (name: string, path: string, agentId: string): Promise<void> => {
    const request = { method: 'POST', url: `${systemUrl}${path}` };
    const id = await post('/tools', { name, description: 'Looks up.', timeoutMs: deadlineMs, request });
    await post(`/tools/${id}/attach/${agentId}`);
  };
  const agents = { talks: await agent('Talks'), hangs: await agent('Hangs') };
  await tool('quick', '/quick', agents.talks);
  for (let index = 0; index < hanging; index += 1) await tool(`hangs_${index}`, '/hangs', agents.hangs);
  return agents;
};

/** Keeps 50 tools hanging until the signal, and then waits for their ends. Resolves with the milliseconds of each. */
const hang = async (
  calls: Calls,
  inCalls: readonly TalkingCall[],
  signal: AbortSignal,
): Promise<number[]> => {
  const took: number[] = [];
  const keep = async (call: TalkingCall, index: number): Promise<void> => {
    while (!signal.aborted) {
      const { ms, isGood } = await calls.runTool(call, `hangs_${index}`);
      if (isGood) throw new Error('a tool that hangs has answered');
      took.push(ms);
    }
  };
  await Promise.all(inCalls.map(keep));
  return took;
};

const figures = (values: readonly number[]) => ({
  p50: percentile(values, 0.5),
  p99: percentile(values, 0.99),
  longest: Math.max(...values),
});

const row = (what: string, alone: readonly number[], beside: readonly number[]): (string | number)[] => {
  const [a, b] = [figures(alone), figures(beside)];
  const ratio = (of: 'p50' | 'p99') => (b[of] / a[of]).toFixed(2);
  const shown = [a, b].flatMap(({ p50, p99, longest }) => [p50, p99, longest].map((ms) => ms.toFixed(1)));
  return [what, alone.length, beside.length, ...shown, ratio('p50'), ratio('p99')];
};

const show = (alone: Times, beside: Times, hung: readonly number[]): void => {
  showTable(
    [
      ...['measurement', 'n alone', 'n beside', 'p50 alone', 'p99 alone', 'max alone'],
      ...['p50 beside', 'p99 beside', 'max beside', 'p50 ratio', 'p99 ratio'],
    ],
    [
      row('a turn is told, ms', alone.turns, beside.turns),
      row('an ordinary tool, ms', alone.tools, beside.tools),
    ],
  );
  const longest = Math.max(...hung);
  console.log(
    `${hung.length} executions hung: ${Math.min(...hung).toFixed(0)} to ${longest.toFixed(0)} ms; deadline ${deadlineMs} ms and ` +
      `${graceMs} ms of grace: ${met(longest <= deadlineMs + graceMs)}`,
  );
  console.log(`failures: ${alone.failures} alone, ${beside.failures} beside`);
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(20);
};

/** Prints the times of turns and ordinary tools, alone and beside tools that hang, and the wait for those. */
export const benchTools = async ({ rounds, seconds }: ToolsBenchOptions): Promise<void> => {
  const system = await startCustomerSystem();
  const platform = await startMeasuredPlatform({ variables: { EGRESS_ALLOW_PRIVATE: '127.0.0.1' } });
  try {
    const agents = await prepare(platform, system.url);
    const calls = new Calls(platform.api);
    const begin = (agentId: string, count: number): Promise<TalkingCall[]> =>
      Promise.all(Array.from({ length: count }, () => calls.begin(agentId, platform.internalKey)));
    const [talk, hung] = [await begin(agents.talks, talking), await begin(agents.hangs, hanging)];
    let seq = 0;
    const talkFor = async (times: Times): Promise<void> => {
      const end = AbortSignal.timeout(seconds * 1_000);
      seq += 1_000;
      await Promise.all(talk.map((call) => calls.talk(call, seq, times, end)));
    };
    await talkFor(newTimes());
    const [alone, beside] = [newTimes(), newTimes()];
    const took: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await talkFor(alone);
      const over = new AbortController();
      const waiting = hang(calls, hung, over.signal);
      await until(() => system.hanging() === hanging);
      await talkFor(beside);
      over.abort();
      took.push(...(await waiting));
      tell(`round ${round} of ${rounds}`);
    }
    show(alone, beside, took);
  } finally {
    system.stop();
    await platform.stop();
  }
};
