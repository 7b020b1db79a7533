// npm run bench -- campaigns: how long files take to become recipients, what reading a large campaign costs, and how fast
// one and three copies of the dialer start attempts.
import { fileOf } from '@parlance/outbound-dialer/testing';
import Table from 'cli-table3';
import { timeRequests } from '../calls/reads.js';
import { Client, percentile, shown } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../measured-platform.js';
import {
  type CampaignAccount,
  createCampaign,
  openAccount,
  type Spreadsheet,
  untilCampaign,
} from './account.js';
import { measureAttempts, measureStarts } from './attempts.js';
import { beginPeak, peakOf } from './memory.js';

export interface CampaignsBenchOptions {
  /** Of the CSV file; the XLSX file has a fifth of them. */
  readonly rows: number;
}

const copies = [1, 3];
const farAhead = () => new Date(Date.now() + 30 * 86_400_000).toISOString();
const plain = { head: [], border: [] };
const contentTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const spreadsheet = async (format: 'csv' | 'xlsx', rows: number): Promise<Spreadsheet> => ({
  fileName: `people.${format}`,
  contentType: contentTypes[format],
  content: new Blob(await fileOf(format, rows).toArray()),
});

interface ImportFigures {
  readonly name: string;
  readonly accepted: number;
  readonly seconds: number;
  readonly beforeMebibytes: number;
  readonly peakMebibytes: number;
  readonly campaignId: string;
}

const measureImport = async (
  { pids }: MeasuredPlatform,
  account: CampaignAccount,
  file: Spreadsheet,
): Promise<ImportFigures> => {
  const pid = pids.services;
  if (pid === undefined) throw new Error('the services do not run');
  const beforeMebibytes = beginPeak(pid);
  const began = performance.now();
  const { id } = await createCampaign(account, file, { scheduledAt: farAhead() });
  const campaign = await untilCampaign(account, id, ({ status }) => status === 'scheduled', 900_000);
  const seconds = (performance.now() - began) / 1_000;
  return {
    name: file.fileName,
    accepted: campaign.file.accepted,
    seconds,
    beforeMebibytes,
    peakMebibytes: peakOf(pid),
    campaignId: id,
  };
};

const showImports = (rows: readonly ImportFigures[]): void => {
  const head = ['file', 'recipients', 'seconds', 'rows/s', 'MiB before', 'MiB at most', 'MiB extra'];
  const table = new Table({ head, style: plain });
  for (const { name, accepted, seconds, beforeMebibytes: before, peakMebibytes: peak } of rows)
    table.push([
      ...[name, accepted.toLocaleString('en'), seconds.toFixed(1), Math.round(accepted / seconds)],
      ...[before, peak, peak - before].map(Math.round),
    ]);
  console.log(table.toString());
};

const measureReads = async (account: CampaignAccount, campaignId: string): Promise<void> => {
  const client = new Client(account.api, 1);
  const headers = { ...account.headers };
  const nothing = await timeRequests(client, 'GET /health', '/health', headers, 300);
  const one = await timeRequests(
    client,
    'GET campaign',
    `/outbound-calls/batches/${campaignId}`,
    headers,
    300,
  );
  client.close();
  const table = new Table({ head: ['what', 'p50 ms', 'p99 ms', 'not 200'], style: plain });
  for (const { name, p50, p99, failures } of [nothing, one])
    table.push([name, shown(p50), shown(p99), failures]);
  console.log(table.toString());
};

const imports = async (platform: MeasuredPlatform, account: CampaignAccount, rows: number): Promise<void> => {
  const large = await measureImport(platform, account, await spreadsheet('csv', rows));
  const sheet = await spreadsheet('xlsx', Math.round(rows / 5));
  showImports([large, await measureImport(platform, account, sheet)]);
  await measureReads(account, large.campaignId);
};

const showAttempts = (
  rows: readonly (readonly [number, Awaited<ReturnType<typeof measureAttempts>>])[],
): void => {
  const table = new Table({ head: ['dialers', 'attempts', 'started/s', 'dialled twice'], style: plain });
  for (const [dialers, { attempts, perSecond, duplicates }] of rows)
    table.push([dialers, attempts.toLocaleString('en'), perSecond.toFixed(0), duplicates]);
  console.log(table.toString());
};

/** As fast as the dialer can: the provider's pace is out of the way. */
const unpaced = { TWILIO_CALLS_PER_SECOND: '1000', MAX_CONCURRENT_DIALS: '1000' };

/** Starts platforms of its own on fresh data, one for each number of copies, measures and prints. */
export const benchCampaigns = async ({ rows }: CampaignsBenchOptions): Promise<void> => {
  const attempts: [number, Awaited<ReturnType<typeof measureAttempts>>][] = [];
  for (const dialers of copies) {
    const platform = await startMeasuredPlatform({ dialers, variables: unpaced });
    try {
      const account = await openAccount(platform);
      // Everything has been done once before it is timed.
      await measureAttempts(account, platform.ledger, { campaigns: 1, people: 200 });
      attempts.push([
        dialers,
        await measureAttempts(account, platform.ledger, { campaigns: 4, people: 1_000 }),
      ]);
      if (dialers !== 1) continue;
      const starts = await measureStarts(account, platform.ledger, 10);
      console.log(
        `From scheduledAt to the first ring: p50 ${shown(percentile(starts, 0.5))}, at most ${shown(Math.max(...starts))} ms.`,
      );
      await imports(platform, account, rows);
    } finally {
      await platform.stop();
    }
  }
  showAttempts(attempts);
};
