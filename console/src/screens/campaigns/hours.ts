// The hours of a campaign for a chart. The chart needs each one between the first and the last, and outcomes that belong together.
import type { CampaignOutcomes } from '@parlance/client';
import { campaignStrings as strings } from '../../strings/campaigns.js';

type Hour = CampaignOutcomes['hours'][number];

const hourMs = 3_600_000;
const nothing = { completed: 0, voicemail: 0, noAnswer: 0, busy: 0, failed: 0, cancelled: 0, skipped: 0 };

/** Also the hours in which nothing ended. */
export const everyHour = (hours: readonly Hour[]): Hour[] => {
  const all = new Map<string, Hour>();
  for (const [index, hour] of hours.entries()) {
    all.set(hour.at, hour);
    const next = hours[index + 1];
    if (next === undefined) continue;
    for (let at = Date.parse(hour.at) + hourMs; at < Date.parse(next.at); at += hourMs) {
      const empty = new Date(at).toISOString();
      all.set(empty, { at: empty, ...nothing });
    }
  }
  return [...all.values()];
};

export const groupsOf = (hours: readonly Hour[]) =>
  [
    { name: strings.hourGroups.talked, color: 'ok', values: hours.map(({ completed }) => completed) },
    { name: strings.hourGroups.voicemail, color: 'accent', values: hours.map(({ voicemail }) => voicemail) },
    {
      name: strings.hourGroups.notReached,
      color: 'warn',
      values: hours.map(({ noAnswer, busy }) => noAnswer + busy),
    },
    {
      name: strings.hourGroups.notCalled,
      color: 'danger',
      values: hours.map(({ failed, cancelled, skipped }) => failed + cancelled + skipped),
    },
  ] as const;
