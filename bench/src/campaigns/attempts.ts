// How many attempts are started a second, and how soon after its time a campaign rings the first phone: read from the
// ledger, which the simulated phones keep, and not from what the platform says of itself.
import { readCalls } from '@parlance/sandbox-kit';
import { type Campaign, type CampaignAccount, createCampaign, untilCampaign } from './account.js';
import { busyNumberOf, csvOf, numberOf } from './people.js';

export interface AttemptFigures {
  readonly attempts: number;
  readonly perSecond: number;
  /** Dials beyond the first for one attempt. */
  readonly duplicates: number;
}

/** No campaign may ask for more a second; several at once may. */
const mostPerCampaign = 100;

const csv = (fileName: string, content: Blob) => ({ fileName, contentType: 'text/csv', content });
const settled = ({ status }: Campaign): boolean => status === 'completed';

/** Moments at which calls to these campaigns' people were dialled, by room. */
const dialsOf = async (ledger: string, since: number): Promise<Map<string, number[]>> => {
  const dials = new Map<string, number[]>();
  for await (const { kind, room, at } of readCalls(ledger)) {
    const moment = Date.parse(at);
    if (kind !== 'dial' || moment < since) continue;
    dials.set(room, [...(dials.get(room) ?? []), moment]);
  }
  return dials;
};

/** Several campaigns of people who are busy, all due at one moment. */
export const measureAttempts = async (
  account: CampaignAccount,
  ledger: string,
  { campaigns, people }: { readonly campaigns: number; readonly people: number },
): Promise<AttemptFigures> => {
  const began = Date.now();
  // Late enough for all files to be read by then, so that dialling is all that is measured.
  const scheduledAt = new Date(began + 15_000).toISOString();
  const created: Campaign[] = [];
  for (let number = 0; number < campaigns; number += 1) {
    const content = csvOf(people, (n) => busyNumberOf(number * people + n));
    const more = { scheduledAt, callsPerSecond: mostPerCampaign, circuitBreaker: { enabled: false } };
    created.push(await createCampaign(account, csv(`busy-${number}.csv`, content), more));
  }
  for (const { id } of created) await untilCampaign(account, id, settled, 300_000);
  const dials = await dialsOf(ledger, began);
  const moments = [...dials.values()].map(([first]) => first ?? Number.NaN);
  const seconds = (Math.max(...moments) - Math.min(...moments)) / 1_000;
  const all = [...dials.values()].reduce((sum, { length }) => sum + length, 0);
  return { attempts: dials.size, perSecond: dials.size / seconds, duplicates: all - dials.size };
};

/** From the moment a campaign is due until a phone rings, several times over. In milliseconds. */
export const measureStarts = async (
  account: CampaignAccount,
  ledger: string,
  times: number,
): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const due = Date.now() + 4_000 + time * 137;
    const content = csvOf(1, () => numberOf(time * 100));
    const more = { scheduledAt: new Date(due).toISOString() };
    const { id } = await createCampaign(account, csv('one.csv', content), more);
    await untilCampaign(account, id, settled, 120_000);
    for await (const { kind, at } of readCalls(ledger))
      if (kind === 'ring' && Date.parse(at) >= due) {
        took.push(Date.parse(at) - due);
        break;
      }
  }
  return took;
};
