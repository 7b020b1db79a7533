// The new state of a campaign after each event. Total: an event that does not fit the phase changes nothing.
import { unreachable } from '@parlance/errors';
import type { CampaignEvent } from './campaign-events.js';
import type { Campaign, CampaignFacts, Created, KnownCampaign, Validating } from './campaign-state.js';

const factsOf = (state: KnownCampaign, updatedAt: string): CampaignFacts => {
  const { created, personal, file, startedAt } = state;
  return { created, personal, file, startedAt, updatedAt };
};

const created = ({ data, personal }: Created): Validating => ({
  phase: 'validating',
  created: data,
  personal,
  file: null,
  startedAt: null,
  updatedAt: data.createdAt,
});

const evolveValidating = (state: Validating, event: CampaignEvent): Campaign => {
  switch (event.type) {
    case 'FileImported': {
      const { importedAt, ...file } = event.data;
      return { ...factsOf(state, importedAt), phase: 'scheduled', file };
    }
    case 'FileRefused': {
      const { code, message, report: file, refusedAt: failedAt } = event.data;
      return { ...factsOf(state, failedAt), phase: 'failed', code, message, file, failedAt };
    }
    default:
      return state;
  }
};

const isUnderWay = ({ phase }: Campaign): boolean => phase === 'running' || phase === 'paused';

const isOpen = (state: KnownCampaign): boolean =>
  state.phase === 'validating' || state.phase === 'scheduled' || isUnderWay(state);

export const evolve = (state: Campaign, event: CampaignEvent): Campaign => {
  if (event.type === 'CampaignCreated') return state.phase === 'absent' ? created(event) : state;
  if (state.phase === 'absent') return state;
  switch (event.type) {
    case 'FileImported':
    case 'FileRefused':
      return state.phase === 'validating' ? evolveValidating(state, event) : state;
    case 'CampaignStarted': {
      const { startedAt } = event.data;
      return state.phase === 'scheduled'
        ? { ...factsOf(state, startedAt), phase: 'running', startedAt }
        : state;
    }
    case 'CampaignPaused': {
      const { reason, until, pausedAt, closedBy } = event.data;
      if (!isUnderWay(state)) return state;
      const window = closedBy === undefined ? {} : { closedBy };
      return { ...factsOf(state, pausedAt), phase: 'paused', reason, until, ...window };
    }
    case 'CampaignResumed': {
      if (state.phase !== 'paused') return state;
      const { resumedAt: at } = event.data;
      return { ...factsOf(state, at), phase: 'running', resumed: { after: state.reason, at } };
    }
    case 'CampaignCompleted': {
      const { completedAt } = event.data;
      return isUnderWay(state) ? { ...factsOf(state, completedAt), phase: 'completed', completedAt } : state;
    }
    case 'CampaignCancelled': {
      const { cancelledAt } = event.data;
      return isOpen(state) ? { ...factsOf(state, cancelledAt), phase: 'cancelled', cancelledAt } : state;
    }
    default:
      return unreachable(event);
  }
};
