// The tour itself, step by step, with what it shows at each.
import type { Client } from '@parlance/client';
import { SingleBar } from 'cli-progress';
import { makeAgent } from './agent.js';
import { dashboardFaults, endingFaults, logFaults, ringFaults, ringsOf, transcriptFaults } from './audit.js';
import { callerNumber } from './caller-number.js';
import { type Campaign, overIn, startCampaign, watch } from './campaign.js';
import { settled } from './patience.js';
import { type Dashboard, longestTalk, type OutboundCall, readDashboard, readResults } from './results.js';
import { type Credentials, signIn } from './sign-in.js';
import { endingNames, endingOf } from './simulated-phones.js';
import { dollars, facts, percent, table } from './tables.js';

export interface TourOptions {
  readonly credentials: Credentials;
  readonly file: string;
  /** The people of the file are simulated, so how each call ends is known. */
  readonly isSimulated: boolean;
  /** Instead of one that is owned or bought. */
  readonly fromNumber?: string;
  /** Where a platform on this machine writes down what was dialled. */
  readonly ledger: string;
  readonly limitMs: number;
}

const watchWithBar = async (client: Client, campaign: Campaign, limitMs: number) => {
  const bar = new SingleBar({
    format: 'Campaign [{bar}] {value}/{total} over  {status}, on the phone: {talking}',
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  bar.start(0, 0, { status: campaign.status, talking: '' });
  const onLook: Parameters<typeof watch>[2] = ({ campaign: { progress, status }, talking }) => {
    bar.setTotal(progress.total);
    bar.update(overIn(progress), { status, talking: talking.length });
  };
  return watch(client, campaign, onLook, limitMs).finally(() => bar.stop());
};

const showFile = ({ file, sourceFileName }: Campaign): void => {
  const { rows, accepted, rejected, duplicates } = file;
  console.log(
    `\n${sourceFileName}: ${rows} rows, ${accepted} accepted, ${rejected} rejected, ${duplicates} twice.`,
  );
  for (const { row, message } of file.errors) console.log(`  row ${row}: ${message}`);
};

/** One line for each way a call can end, with how many ended so. */
const showEndings = (outbound: readonly OutboundCall[], isSimulated: boolean): void => {
  const lines = new Map<
    string,
    { phones: string; status: string; reason: string; calls: number; attempts: number }
  >();
  for (const { phoneNumber, status, endedReason, attempt } of outbound) {
    const phones = isSimulated ? endingOf(phoneNumber).name : '';
    const reason = endedReason ?? '';
    const key = `${phones} ${status} ${reason}`;
    const line = lines.get(key) ?? { phones, status, reason, calls: 0, attempts: 0 };
    lines.set(key, { ...line, calls: line.calls + 1, attempts: line.attempts + attempt });
  }
  const sorted = [...lines.values()].sort(
    (a, b) => endingNames.indexOf(a.phones) - endingNames.indexOf(b.phones) || b.calls - a.calls,
  );
  const rows = sorted.map(({ phones, status, reason, calls, attempts }) => [
    phones,
    status,
    reason,
    calls,
    attempts,
  ]);
  console.log(`\n${table(['phones that', 'status', 'reason', 'calls', 'attempts'], rows)}`);
};

const showTalk = async (client: Client, log: Parameters<typeof longestTalk>[1]): Promise<string[]> => {
  const talk = await longestTalk(client, log);
  if (talk === undefined || talk.turns.length < 2) return ['nobody talked, so there is no transcript'];
  console.log(`\nWhat was said to ${talk.call.toNumber}:`);
  for (const { role, text } of talk.turns) console.log(`  ${role.padEnd(6)} ${text}`);
  return [];
};

const showDashboard = ({ kpis }: Dashboard): void => {
  const { totalCalls, answeredCalls, answerRate, voicemailRate, totalMinutes, peakConcurrency } = kpis;
  const shown = facts({
    'calls in 24 hours': totalCalls,
    answered: `${answeredCalls} (${percent(answerRate)})`,
    voicemail: percent(voicemailRate),
    'talk minutes': totalMinutes,
    'most at once': peakConcurrency,
    cost: dollars(kpis.totalCostMicros, kpis.currency),
  });
  console.log(`\n${shown}`);
};

/** @returns what was wrong, in sentences; empty when everything was as it should be */
export const tour = async (options: TourOptions): Promise<{ readonly faults: readonly string[] }> => {
  const { credentials, file, isSimulated, ledger, limitMs } = options;
  const client = await signIn(credentials);
  const before = await readDashboard(client);

  const agent = await makeAgent(client);
  console.log(`Agent "${agent.name}" runs on version ${agent.version} of its configuration.`);
  const caller = options.fromNumber
    ? { phoneNumber: options.fromNumber, isNew: false }
    : await callerNumber(client);
  console.log(`${caller.isNew ? 'Bought' : 'Calling from'} ${caller.phoneNumber}.\n`);

  const started = await startCampaign(client, { agentId: agent.id, fromNumber: caller.phoneNumber, file });
  const { campaign, faults, looks } = await watchWithBar(client, started, limitMs);
  showFile(campaign);
  if (campaign.status !== 'completed')
    return { faults: [...faults, `the campaign is ${campaign.status}: ${campaign.statusReason}`] };

  const { outbound, log } = await readResults(client, agent.id, campaign);
  showEndings(outbound, isSimulated);
  const silence = await showTalk(client, log);
  const after = await settled(
    () => readDashboard(client),
    (now) => dashboardFaults(before, now, log).length === 0,
  );
  showDashboard(after);

  const rings = await ringsOf(ledger, new Set(log.map(({ roomName }) => roomName)));
  console.log(
    rings === undefined
      ? '\nThere is no ledger of simulated phones to hold this against.'
      : `\nHeld against the ledger: ${log.length} attempts, ${rings.length} rings; progress looked at ${looks} times.`,
  );
  return {
    faults: [
      ...faults,
      ...(isSimulated ? endingFaults(outbound) : []),
      ...logFaults({ outbound, log }, campaign),
      ...transcriptFaults(log),
      ...silence,
      ...dashboardFaults(before, after, log),
      ...(rings === undefined ? [] : ringFaults(rings, log)),
    ],
  };
};
