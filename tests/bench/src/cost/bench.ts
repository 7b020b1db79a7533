// npm run bench -- cost: the processor time of an attempt and of an ingested call, and the statements, messages and requests of one,
// beside those of another checkout. Both platforms are measured in turns, because the speed of a machine changes during a run.
// Counting comes after measuring, because it costs processor time.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAgents } from '../calls/agents.js';
import { measureIngest } from '../calls/ingest.js';
import { openAccount } from '../campaigns/account.js';
import { measureAttempts } from '../campaigns/attempts.js';
import { unpaced } from '../campaigns/unpaced.js';
import { divideCounts } from '../harness/counts.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { tell } from '../harness/report.js';
import { type RequestCounts, startRequestCounts } from '../harness/request-counts.js';
import { countWork, type WorkCounts } from '../harness/work-counts.js';
import type { UnitCounts } from './count-rows.js';
import { type Costs, showCosts, showCounts } from './show.js';

export interface CostBenchOptions {
  /** The folder of a built checkout to compare with. */
  readonly beside?: string;
  /** Platforms that are started of each checkout; the figures are medians. */
  readonly rounds: number;
  readonly attempts: number;
  /** The length of each measurement of ingested calls. */
  readonly seconds: number;
}

type Start = typeof startMeasuredPlatform;

const campaigns = 4;
const warmUp = { campaigns: 1, people: 100 };
/** Calls per second that two cores keep up with, so that nothing waits. */
const steadyPerSecond = 25;
/** Enough for counts, which vary little. */
const countedPeople = 50;

interface Measured {
  readonly costs: Costs;
  readonly counts: Readonly<Record<string, UnitCounts>>;
}

/** Each release starts its own platform and reads its own data folder. @throws Error when the checkout is not built */
const starterIn = async (checkout: string): Promise<Start> => {
  const file = join(resolve(checkout), 'tests/bench/dist/harness/measured-platform.js');
  if (!existsSync(file)) throw new Error(`${checkout} is no built checkout: run npm run build there`);
  // The checkout's own bench compiled it.
  return ((await import(pathToFileURL(file).href)) as { readonly startMeasuredPlatform: Start })
    .startMeasuredPlatform;
};

/** The counts of one unit of work, of which there were `units`. */
const perUnit = ({ counts, statements }: WorkCounts, units: number): UnitCounts => ({
  counts: divideCounts(counts, units),
  statements: statements.map((statement) => ({ ...statement, count: statement.count / units })),
});

/** Runs work that reports the number of its units, with counters around a part of it. */
const counted = async (
  platform: MeasuredPlatform,
  requests: RequestCounts,
  work: (during: (part: () => Promise<void>) => Promise<void>) => Promise<number>,
): Promise<UnitCounts> => {
  let counts: WorkCounts = { counts: {}, statements: [] };
  const units = await work(async (part) => {
    counts = await countWork(platform, requests, part);
  });
  return perUnit(counts, units);
};

const measure = async (start: Start, { attempts, seconds }: CostBenchOptions): Promise<Measured> => {
  const requests = startRequestCounts();
  const platform = await start({ variables: { ...unpaced, ...requests.variables } });
  try {
    const account = await openAccount(platform);
    const { api, apiKey, internalKey, organizationId, pids } = platform;
    const agentIds = await createAgents(api, apiKey, 8);
    const handOver = { api, apiKey, internalKey, organizationId, agentIds };
    await measureAttempts(platform, account, warmUp);
    await measureIngest({ ...handOver, seconds: 5, perSecond: 60, connections: 8 });
    const dialled = await measureAttempts(platform, account, {
      campaigns,
      people: Math.ceil(attempts / campaigns),
    });
    const common = { ...handOver, seconds, connections: 16, pids };
    const steady = await measureIngest({ ...common, perSecond: steadyPerSecond });
    const busy = await measureIngest({ ...common, perSecond: undefined });
    tell('counting');
    const ofAttempt = await counted(platform, requests, async (during) => {
      const load = { campaigns, people: countedPeople };
      return (await measureAttempts(platform, account, load, during)).attempts;
    });
    const ofCall = await counted(platform, requests, async (during) => {
      const load = { ...common, perSecond: steadyPerSecond, during };
      return (await measureIngest(load)).calls;
    });
    const steadily = `ingested call, ${steadyPerSecond} a second`;
    return {
      costs: {
        attempt: dialled.costs,
        [steadily]: steady.costs,
        'ingested call, as many as go': busy.costs,
      },
      counts: { attempt: ofAttempt, [steadily]: ofCall },
    };
  } finally {
    await platform.stop();
    requests.end();
  }
};

/** Starts platforms of its own on fresh data, measures and prints. */
export const benchCost = async (options: CostBenchOptions): Promise<void> => {
  const { beside, rounds } = options;
  const sides: [string, Start][] = [['here', startMeasuredPlatform]];
  if (beside !== undefined) sides.unshift(['beside', await starterIn(beside)]);
  const measured = new Map<string, Measured[]>(sides.map(([name]) => [name, []]));
  for (let round = 1; round <= rounds; round += 1)
    for (const [name, start] of round % 2 === 1 ? sides : sides.toReversed()) {
      tell(`round ${round} of ${rounds}: ${name}`);
      measured.get(name)?.push(await measure(start, options));
    }
  const each = [...measured];
  showCosts(new Map(each.map(([name, found]) => [name, found.map(({ costs }) => costs)])));
  showCounts(new Map(each.map(([name, found]) => [name, found.map(({ counts }) => counts)])));
};
