// Campaigns in every phase, as histories of events, and every command, for the tests of this service.

import type { CampaignCommand } from '../domain/campaign/campaign.js';
import type { CampaignEvent, FileReport } from '../domain/campaign/campaign-events.js';
import { agentId, at, organizationId } from './histories.js';

export const report: FileReport = {
  rows: 5,
  accepted: 3,
  rejected: 1,
  duplicates: 1,
  columns: ['phone', 'name'],
  errors: [{ row: 4, column: 'phone', code: 'INVALID_PHONE', message: 'is not a phone number' }],
};

export const created = {
  type: 'CampaignCreated',
  data: {
    organizationId,
    name: 'Spring',
    agentId,
    agentName: 'Ada',
    configVersion: 1,
    allowedOverrides: ['firstMessage'],
    provider: 'TWILIO',
    sid: 'PN1',
    sourceFileKey: `org/${organizationId}/batches/1/people.csv`,
    sourceFileName: 'people.csv',
    fileBytes: 120,
    scheduledAt: at(600),
    timezone: 'Europe/Madrid',
    ringingTimeoutSeconds: 30,
    callsPerSecond: 2,
    maxConcurrency: 5,
    callingWindow: { days: [0, 1, 2, 3, 4], start: '09:00', end: '20:00', basis: 'recipient' },
    retryPolicy: { maxAttempts: 3, delaySeconds: 300, on: ['busy', 'no_answer'] },
    circuitBreaker: { enabled: true, failureThreshold: 0.5, windowSeconds: 120, minCalls: 5 },
    duplicates: 'first',
    budget: { maxCostMicros: 5_000_000 },
    longestSeconds: 600,
    createdBy: 'user:u1',
    createdAt: at(0),
  },
  personal: { fromNumber: '+14155550142' },
} as const satisfies CampaignEvent;

export const imported: CampaignEvent = { type: 'FileImported', data: { ...report, importedAt: at(10) } };
export const refused: CampaignEvent = {
  type: 'FileRefused',
  data: { code: 'FILE_INVALID', message: 'no phone column', report: null, refusedAt: at(10) },
};
export const begun: CampaignEvent = { type: 'CampaignStarted', data: { startedAt: at(600) } };
export const paused: CampaignEvent = {
  type: 'CampaignPaused',
  data: { reason: 'outside_calling_window', until: at(4_000), pausedAt: at(700) },
};
export const resumed: CampaignEvent = { type: 'CampaignResumed', data: { resumedAt: at(4_000) } };
export const finished: CampaignEvent = { type: 'CampaignCompleted', data: { completedAt: at(5_000) } };
export const calledOff: CampaignEvent = { type: 'CampaignCancelled', data: { cancelledAt: at(800) } };

/** One history for each way a campaign can stand. */
export const campaignHistories = {
  absent: [],
  validating: [created],
  failed: [created, refused],
  scheduled: [created, imported],
  running: [created, imported, begun],
  paused: [created, imported, begun, paused],
  resumed: [created, imported, begun, paused, resumed],
  completed: [created, imported, begun, finished],
  cancelled: [created, imported, begun, paused, calledOff],
} as const satisfies Record<string, readonly CampaignEvent[]>;

const now = at(6_000);

/** One of each, late enough for every time that is waited for. */
export const campaignCommands = {
  CreateCampaign: { type: 'CreateCampaign', created: created.data, personal: created.personal },
  RecordImport: { type: 'RecordImport', report, now },
  RefuseFile: { type: 'RefuseFile', code: 'FILE_INVALID', message: 'no phone column', report: null, now },
  StartCampaign: { type: 'StartCampaign', now },
  PauseCampaign: { type: 'PauseCampaign', reason: 'circuit_breaker', until: at(7_000), now },
  ResumeCampaign: { type: 'ResumeCampaign', now },
  CompleteCampaign: { type: 'CompleteCampaign', now },
  CancelCampaign: { type: 'CancelCampaign', organizationId, now },
} as const satisfies Record<string, CampaignCommand>;
