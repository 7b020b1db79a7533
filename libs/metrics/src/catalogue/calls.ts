// Calls that are made: attempts and their outcomes, places, pace, campaigns and their breaker.
import { instrument } from './definition.js';
import {
  attemptOutcomes,
  campaignStatuses,
  installationLimits,
  openPhases,
  paceAccounts,
  pauseReasons,
  waitReasons,
} from './label-values.js';

export const attempts = instrument({
  name: 'parlance.attempts',
  kind: 'counter',
  unit: '{attempt}',
  about:
    'Outcomes of attempts, as the dialer recorded them. An attempt in doubt is counted again with its outcome.',
  place: 'service',
  labels: { 'parlance.attempt.outcome': attemptOutcomes },
});

export const attemptsOpen = instrument({
  name: 'parlance.attempts.open',
  kind: 'gauge',
  unit: '{attempt}',
  about:
    'Attempts without an end: dialling, in doubt, or connected; and calls that are due and wait for a dial.',
  place: 'service',
  labels: { 'parlance.attempt.phase': openPhases },
});

export const attemptsOldest = instrument({
  name: 'parlance.attempts.oldest',
  kind: 'gauge',
  unit: 's',
  about: 'The time that the oldest of these attempts has been in its phase.',
  place: 'service',
  labels: { 'parlance.attempt.phase': openPhases },
});

export const placesUsed = instrument({
  name: 'parlance.places.used',
  kind: 'gauge',
  unit: '{place}',
  about: 'Places of calls in progress that organizations have taken, all of them together.',
  place: 'service',
  labels: { 'parlance.place.kind': ['telephone', 'browser'] },
});

export const placesWaiting = instrument({
  name: 'parlance.places.waiting',
  kind: 'gauge',
  unit: '{call}',
  about: 'Recipients of running campaigns that wait for a place.',
  place: 'service',
  labels: {},
});

export const paceWait = instrument({
  name: 'parlance.pace.wait',
  kind: 'histogram',
  unit: 's',
  about: 'The time that a due call waited for its turn at the pace of its provider account.',
  place: 'service',
  labels: { 'parlance.pace.account': paceAccounts },
  boundaries: [0.1, 0.5, 1, 5, 30, 120],
});

export const paceGranted = instrument({
  name: 'parlance.pace.granted',
  kind: 'counter',
  unit: '{call}',
  about: 'Calls that were allowed to begin, by the pace that allowed them.',
  place: 'service',
  labels: { 'parlance.pace.account': paceAccounts },
});

export const campaigns = instrument({
  name: 'parlance.campaigns',
  kind: 'gauge',
  unit: '{campaign}',
  about: 'Campaigns that are not over.',
  place: 'service',
  labels: { 'parlance.campaign.status': campaignStatuses },
});

export const campaignsPaused = instrument({
  name: 'parlance.campaigns.paused',
  kind: 'gauge',
  unit: '{campaign}',
  about:
    'Campaigns that the platform has paused, by reason; `circuit_breaker` and `provider_unavailable` are the breaker.',
  place: 'service',
  labels: { 'parlance.pause.reason': pauseReasons },
});

export const campaignsStalled = instrument({
  name: 'parlance.campaigns.stalled',
  kind: 'gauge',
  unit: 's',
  about:
    'The longest time for which a running campaign with recipients whose turn has come has dialled none, by the reason that this process sees.',
  place: 'service',
  labels: { 'parlance.wait.reason': waitReasons },
});

const ofInstallation = { 'parlance.limit': installationLimits } as const;

export const installationUsed = instrument({
  name: 'parlance.installation.used',
  kind: 'gauge',
  unit: '{unit}',
  about:
    'What all organizations together use of each limit of the installation, with reservations; money in units of the currency of the rates, by UTC.',
  place: 'service',
  labels: ofInstallation,
});

export const installationLimit = instrument({
  name: 'parlance.installation.limit',
  kind: 'gauge',
  unit: '{unit}',
  about: 'The limits of the installation, in the same units; a limit that is not set has no series.',
  place: 'service',
  labels: ofInstallation,
});

export const installationRefusals = instrument({
  name: 'parlance.installation.refusals',
  kind: 'counter',
  unit: '{refusal}',
  about:
    'Calls and purchases that found no room within a limit of the installation; a campaign tries again and counts again.',
  place: 'service',
  labels: ofInstallation,
});
