// The rate of started attempts, the cost of one, and the delay of a campaign's first ring. The figures come from the
// ledger, which the simulated phones keep, and not from the platform's own reports.
import { readCalls } from '@parlance/fake-kit';
import type { MeasuredPlatform } from '../harness/measured-platform.js';
import { processorMs, usedSince } from '../harness/processor-time.js';
import { type Campaign, type CampaignAccount, createCampaign, untilCampaign } from './account.js';
import { busyNumberOf, csvOf, numberOf } from './people.js';

export interface AttemptFigures {
  readonly attempts: number;
  readonly perSecond: number;
  /** Dials beyond the first for one attempt. */
  readonly duplicates: number;
  /** Processor time for one attempt from its start until all is known about it, in milliseconds, by process. */
  readonly costs: Readonly<Record<string, number>>;
  readonly campaignIds: readonly string[];
}

export interface Load {
  readonly campaigns: number;
  /** People in each campaign. */
  readonly people: number;
}

/** No campaign may ask for more a second; several at once may. */
const mostPerCampaign = 100;
/** Late enough for all files to be read by then, so that dialling is all that is measured. */
const leadMs = 15_000;
/** Per attempt, on a machine that does much else, too. */
const patienceMs = 1_000;

const csv = (fileName: string, content: Blob) => ({ fileName, contentType: 'text/csv', content });
const settled = ({ status }: Campaign): boolean => status === 'completed';
const until = (moment: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - Date.now())));

/** Moments at which calls were dialled since then, by room: every attempt has a room of its own. */
const dialsOf = async (ledger: string, since: number): Promise<Map<string, number[]>> => {
  const dials = new Map<string, number[]>();
  for await (const { kind, room, at } of readCalls(ledger)) {
    const moment = Date.parse(at);
    if (kind !== 'dial' || moment < since) continue;
    dials.set(room, [...(dials.get(room) ?? []), moment]);
  }
  return dials;
};

const figuresOf = (
  dials: ReadonlyMap<string, readonly number[]>,
): Pick<AttemptFigures, 'attempts' | 'perSecond' | 'duplicates'> => {
  const first = [...dials.values()].map(([moment]) => moment ?? Number.NaN);
  const seconds = (Math.max(...first) - Math.min(...first)) / 1_000;
  const all = [...dials.values()].reduce((sum, { length }) => sum + length, 0);
  return { attempts: dials.size, perSecond: dials.size / seconds, duplicates: all - dials.size };
};

/**
 * Several campaigns of people who are busy, all due at one moment.
 * @param during runs the work from that moment until the last campaign is over, such as with counters around it
 */
export const measureAttempts = async (
  { ledger, pids }: Pick<MeasuredPlatform, 'ledger' | 'pids'>,
  account: CampaignAccount,
  { campaigns, people }: Load,
  during: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<AttemptFigures> => {
  const due = Date.now() + leadMs;
  const scheduledAt = new Date(due).toISOString();
  const created: Campaign[] = [];
  for (let number = 0; number < campaigns; number += 1) {
    const content = csvOf(people, (n) => busyNumberOf(number * people + n));
    const more = { scheduledAt, callsPerSecond: mostPerCampaign, circuitBreaker: { enabled: false } };
    created.push(await createCampaign(account, csv(`busy-${number}.csv`, content), more));
  }
  for (const { id } of created)
    await untilCampaign(account, id, ({ status }) => status !== 'validating', { limitMs: leadMs });
  // Seldom: each question about the progress takes time from the measured work.
  const patience = { limitMs: leadMs + campaigns * people * patienceMs, everyMs: 1_000 };
  await until(due - 1_000);
  const before = processorMs(pids);
  await during(async () => {
    for (const { id } of created) await untilCampaign(account, id, settled, patience);
  });
  const after = processorMs(pids);
  const dials = await dialsOf(ledger, due - leadMs);
  return {
    ...figuresOf(dials),
    costs: usedSince(before, after, dials.size),
    campaignIds: created.map(({ id }) => id),
  };
};

/** The times from the moment a campaign is due until a phone rings, in milliseconds. */
export const measureStarts = async (
  { ledger }: Pick<MeasuredPlatform, 'ledger'>,
  account: CampaignAccount,
  times: number,
): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const due = Date.now() + 4_000 + time * 137;
    const content = csvOf(1, () => numberOf(time * 100));
    const more = { scheduledAt: new Date(due).toISOString() };
    const { id } = await createCampaign(account, csv('one.csv', content), more);
    await untilCampaign(account, id, settled, { limitMs: 120_000 });
    for await (const { kind, at } of readCalls(ledger))
      if (kind === 'ring' && Date.parse(at) >= due) {
        took.push(Date.parse(at) - due);
        break;
      }
  }
  return took;
};
