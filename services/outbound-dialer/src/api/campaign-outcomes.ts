// Outcomes by the hour, as the interface shows them.
import type { CampaignOutcomes } from '@parlance/contracts';
import type { TerminalState } from '../domain/campaign/recipient-states.js';
import type { OutcomeCount, OutcomesByHour } from '../read-models/outcomes-by-hour.js';

type Hour = CampaignOutcomes['hours'][number];

const nameOf: Readonly<Record<TerminalState, Exclude<keyof Hour, 'at'>>> = {
  completed: 'completed',
  voicemail: 'voicemail',
  no_answer: 'noAnswer',
  busy: 'busy',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

const nothing = { completed: 0, voicemail: 0, noAnswer: 0, busy: 0, failed: 0, cancelled: 0, skipped: 0 };

const hoursOf = (counts: readonly OutcomeCount[]): Hour[] => {
  const hours = new Map<string, Hour>();
  for (const { at, state, recipients } of counts) {
    const key = at.toISOString();
    const hour = hours.get(key) ?? { at: key, ...nothing };
    hours.set(key, { ...hour, [nameOf[state]]: recipients });
  }
  return [...hours.values()];
};

export const toOutcomes = (timezone: string, { counts, isComplete }: OutcomesByHour): CampaignOutcomes => ({
  timezone,
  hours: hoursOf(counts),
  complete: isComplete,
});
