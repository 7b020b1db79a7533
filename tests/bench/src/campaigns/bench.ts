// npm run bench -- campaigns: the time in which files become recipients, and the cost of reading a large campaign. Then
// the rate at which one and three copies of the dialer start attempts.
import { fileOf } from '@parlance/fixtures/spreadsheets';
import { type ReadFigures, timeRequests } from '../calls/reads.js';
import { Client, percentile, shown } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { tell } from '../harness/report.js';
import {
  type Campaign,
  type CampaignAccount,
  createCampaign,
  openAccount,
  type Spreadsheet,
  untilCampaign,
} from './account.js';
import { type AttemptFigures, measureAttempts, measureStarts } from './attempts.js';
import { beginPeak, peakOf } from './memory.js';
import {
  type AttemptsOf,
  type Goal,
  type ImportFigures,
  showAttempts,
  showCosts,
  showGoals,
  showImports,
  showReads,
} from './tables.js';
import { unpaced } from './unpaced.js';

export interface CampaignsBenchOptions {
  /** The rows of the CSV file; the XLSX file has a fifth of them. */
  readonly rows: number;
  /** Started by each number of dialers. */
  readonly attempts: number;
}

const copies = [1, 3];
const campaigns = 4;
const starts = 10;
const reads = 300;
const farAhead = () => new Date(Date.now() + 30 * 86_400_000).toISOString();
const contentTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
const goals = { csvRowsPerSecond: 1_000_000 / 60, extraMebibytes: 150, attemptsPerSecond: 100, readMs: 20 };

const spreadsheet = async (format: 'csv' | 'xlsx', rows: number): Promise<Spreadsheet> => ({
  fileName: `people.${format}`,
  contentType: contentTypes[format],
  content: new Blob(await fileOf(format, rows).toArray()),
});

interface Imported extends ImportFigures {
  readonly campaignId: string;
}

/** Measures from the upload's end until the campaign waits for its time. */
const measureImport = async (
  { pids }: MeasuredPlatform,
  account: CampaignAccount,
  file: Spreadsheet,
): Promise<Imported> => {
  const pid = pids.services;
  if (pid === undefined) throw new Error('the services do not run');
  const beforeMebibytes = beginPeak(pid);
  const { id, createdAt } = await createCampaign(account, file, { scheduledAt: farAhead() });
  const isRead = ({ status }: Campaign): boolean => status === 'scheduled';
  const campaign = await untilCampaign(account, id, isRead, { limitMs: 900_000 });
  return {
    name: file.fileName,
    accepted: campaign.file.accepted,
    seconds: (Date.now() - Date.parse(createdAt)) / 1_000,
    beforeMebibytes,
    peakMebibytes: peakOf(pid),
    campaignId: id,
  };
};

const measureReads = async (account: CampaignAccount, campaignId: string): Promise<ReadFigures[]> => {
  const client = new Client(account.api, 1);
  const headers = { ...account.headers };
  const nothing = await timeRequests(client, 'GET /health, to compare with', '/health', headers, reads);
  const path = `/outbound-calls/batches/${campaignId}`;
  const one = await timeRequests(client, 'GET campaign with progress', path, headers, reads);
  client.close();
  return [nothing, one];
};

const importGoals = ({ accepted, seconds, beforeMebibytes, peakMebibytes }: Imported): Goal[] => {
  const perSecond = accepted / seconds;
  const extra = peakMebibytes - beforeMebibytes;
  return [
    {
      what: 'CSV rows imported',
      goal: '1,000,000 in 60 s',
      measured: `${Math.round(1_000_000 / perSecond)} s at ${Math.round(perSecond).toLocaleString('en')} rows/s`,
      isMet: perSecond >= goals.csvRowsPerSecond,
    },
    {
      what: 'memory while they are, more than before',
      goal: `${goals.extraMebibytes} MiB`,
      measured: `${Math.round(extra)} MiB`,
      isMet: extra <= goals.extraMebibytes,
    },
  ];
};

const measureImports = async (
  platform: MeasuredPlatform,
  account: CampaignAccount,
  rows: number,
): Promise<Goal[]> => {
  tell(`importing ${rows.toLocaleString('en')} rows of CSV`);
  const large = await measureImport(platform, account, await spreadsheet('csv', rows));
  const fewer = Math.round(rows / 5);
  tell(`importing ${fewer.toLocaleString('en')} rows of XLSX`);
  const sheet = await measureImport(platform, account, await spreadsheet('xlsx', fewer));
  showImports([large, sheet]);
  tell('reading the campaign');
  const figures = await measureReads(account, large.campaignId);
  showReads(figures);
  const p99 = figures.at(-1)?.p99 ?? Number.NaN;
  const read: Goal = {
    what: `campaign with progress read, p99, ${large.accepted.toLocaleString('en')} recipients`,
    goal: `${goals.readMs} ms`,
    measured: `${shown(p99)} ms`,
    isMet: p99 < goals.readMs,
  };
  return [...importGoals(large), read];
};

const showStarts = (took: readonly number[]): void =>
  console.log(
    `From scheduledAt to the first ring: p50 ${shown(percentile(took, 0.5))}, at most ${shown(Math.max(...took))} ms, of ${took.length}.`,
  );

const attemptGoals = (rows: AttemptsOf): Goal[] => [
  ...rows.map(([dialers, { perSecond }]) => ({
    what: `attempts started, ${dialers === 1 ? 'one dialer' : `${dialers} dialers`}`,
    goal: `${goals.attemptsPerSecond}/s`,
    measured: `${perSecond.toFixed(1)}/s`,
    isMet: perSecond >= goals.attemptsPerSecond,
  })),
  ...rows.map(([dialers, { duplicates }]) => ({
    what: `attempts dialled twice, ${dialers === 1 ? 'one dialer' : `${dialers} dialers`}`,
    goal: '0',
    measured: String(duplicates),
    isMet: duplicates === 0,
  })),
];

interface Round {
  readonly attempts: AttemptFigures;
  readonly goals: readonly Goal[];
}

/** One platform on fresh data with so many dialers; the first of them does everything else, too. */
const runRound = async (dialers: number, options: CampaignsBenchOptions): Promise<Round> => {
  tell(`starting the platform with ${dialers === 1 ? 'one dialer' : `${dialers} dialers`}`);
  const platform = await startMeasuredPlatform({ dialers, variables: unpaced });
  try {
    const account = await openAccount(platform);
    tell('warming up with 100 attempts');
    await measureAttempts(platform, account, { campaigns: 1, people: 100 });
    tell(`starting ${options.attempts.toLocaleString('en')} attempts in ${campaigns} campaigns`);
    const people = Math.ceil(options.attempts / campaigns);
    const attempts = await measureAttempts(platform, account, { campaigns, people });
    if (dialers > 1) return { attempts, goals: [] };
    tell(`timing the start of ${starts} campaigns`);
    showStarts(await measureStarts(platform, account, starts));
    return { attempts, goals: await measureImports(platform, account, options.rows) };
  } finally {
    await platform.stop();
  }
};

/** Starts platforms of its own on fresh data, one for each number of copies, measures and prints. */
export const benchCampaigns = async (options: CampaignsBenchOptions): Promise<void> => {
  const attempts: [number, AttemptFigures][] = [];
  const reached: Goal[] = [];
  for (const dialers of copies) {
    const round = await runRound(dialers, options);
    attempts.push([dialers, round.attempts]);
    reached.push(...round.goals);
  }
  showAttempts(attempts);
  showCosts(attempts);
  showGoals([...attemptGoals(attempts), ...reached]);
};
