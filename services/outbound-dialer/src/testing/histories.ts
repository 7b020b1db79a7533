// Outbound calls in every phase, as histories of events, and every command, for the tests of this service.

import type { OutboundCallCommand } from '../domain/outbound-call/outbound-call.js';
import type { OutboundCallEvent, OutboundCallEventOf } from '../domain/outbound-call/outbound-call-events.js';

export const organizationId = 'org_1';
export const agentId = '018f0000-0000-7000-8000-0000000000aa';
export const outboundCallId = '018f0000-0000-7000-8000-000000000001';

/** An instant this many seconds after the call was placed. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

const agent = { agentId, agentName: 'Ada', configVersion: 1 };

export const personal = {
  phoneNumber: '+14155550100',
  fromNumber: '+14155550142',
  username: null,
  firstMessage: null,
  systemPrompt: null,
  language: null,
  voiceId: null,
  dynamicVariables: { name: 'Grace' },
  metadata: { order: 7 },
};

export const placed = {
  type: 'OutboundCallPlaced',
  data: {
    organizationId,
    mode: 'quick',
    ...agent,
    provider: null,
    sid: null,
    campaignId: null,
    rowNumber: null,
    ringingTimeoutSeconds: 30,
    retryPolicy: null,
    longestSeconds: 600,
    placedAt: at(0),
  },
  personal,
} as const satisfies OutboundCallEvent;

export const attempt = (n: number) => ({ attemptId: `attempt-${n}`, callId: `call-${n}` });

/** Attempt n starts n minutes after the call was placed. */
export const started = (n: number): OutboundCallEventOf<'AttemptStarted'> => ({
  type: 'AttemptStarted',
  data: {
    attempt: n,
    ...attempt(n),
    roomName: `room-${n}`,
    ...agent,
    provider: null,
    campaignId: null,
    startedAt: at(60 * n),
    deadlineAt: at(60 * n + 100),
  },
  personal: {
    fromNumber: personal.fromNumber,
    toNumber: personal.phoneNumber,
    dynamicVariables: personal.dynamicVariables,
    metadata: personal.metadata,
  },
});

export const rejected = (
  n: number,
  nextAttemptAt: string | null,
): OutboundCallEventOf<'AttemptRejected'> => ({
  type: 'AttemptRejected',
  data: {
    ...attempt(n),
    status: nextAttemptAt === null ? 'busy' : 'failed',
    endedReason: nextAttemptAt === null ? 'busy' : 'provider_rejected',
    sipStatus: nextAttemptAt === null ? 486 : 429,
    providerCode: null,
    endedAt: at(60 * n + 5),
    nextAttemptAt,
  },
});

export const inDoubt = (n: number): OutboundCallEventOf<'AttemptInDoubt'> => ({
  type: 'AttemptInDoubt',
  data: { ...attempt(n), since: at(60 * n + 10) },
});
export const adopted = (n: number): OutboundCallEventOf<'AttemptAdopted'> => ({
  type: 'AttemptAdopted',
  data: { ...attempt(n), providerCallId: 'SCL_1', adoptedAt: at(60 * n + 15) },
});
export const answered = (n: number): OutboundCallEventOf<'AttemptAnswered'> => ({
  type: 'AttemptAnswered',
  data: { ...attempt(n), providerCallId: 'SCL_1', answeredAt: at(60 * n + 5) },
});
export const abandoned = (
  n: number,
  nextAttemptAt: string | null,
): OutboundCallEventOf<'AttemptAbandoned'> => ({
  type: 'AttemptAbandoned',
  data: { ...attempt(n), reason: 'unknown', endedAt: at(60 * n + 5), nextAttemptAt },
});
export const unknown = (n: number): OutboundCallEventOf<'AttemptOutcomeUnknown'> => ({
  type: 'AttemptOutcomeUnknown',
  data: { ...attempt(n), endedAt: at(60 * n + 100) },
});
export const callEnd = {
  status: 'completed',
  outcome: 'answered',
  endedReason: 'user_hangup',
  answeredBy: 'human',
  answeredAt: at(65),
  endedAt: at(95),
  durationSeconds: 30,
  costMicros: 4_200,
} as const;
export const ended = (n: number): OutboundCallEventOf<'AttemptEnded'> => ({
  type: 'AttemptEnded',
  data: { ...attempt(n), ...callEnd, nextAttemptAt: null },
});
export const cancelled = (n: number | null): OutboundCallEventOf<'OutboundCallCancelled'> => ({
  type: 'OutboundCallCancelled',
  data: { attempt: n === null ? null : attempt(n), reason: 'cancelled_by_user', cancelledAt: at(70) },
});
export const endedByOperator = (n: number): OutboundCallEventOf<'OutboundCallCancelled'> => ({
  type: 'OutboundCallCancelled',
  data: { attempt: attempt(n), reason: 'operator_ended', cancelledAt: at(70) },
});
export const hungUp = (n: number): OutboundCallEventOf<'AttemptHungUp'> => ({
  type: 'AttemptHungUp',
  data: { ...attempt(n), hungUpAt: at(75) },
});
export const retried: OutboundCallEvent = {
  type: 'OutboundCallRetried',
  data: { retryId: 'retry-1', agentName: 'Ada', configVersion: 2, longestSeconds: 1_200, retriedAt: at(110) },
};

/** One history for each way an outbound call can stand; attempt 1 is the one in progress where there is one. */
export const histories = {
  absent: [],
  queued: [placed],
  dialing: [placed, started(1)],
  inDoubt: [placed, started(1), inDoubt(1)],
  adopted: [placed, started(1), inDoubt(1), adopted(1)],
  connected: [placed, started(1), answered(1)],
  waiting: [placed, started(1), rejected(1, at(67))],
  completed: [placed, started(1), answered(1), ended(1)],
  busy: [placed, started(1), rejected(1, null)],
  abandoned: [placed, started(1), abandoned(1, null)],
  unknown: [placed, started(1), inDoubt(1), unknown(1)],
  cancelledEarly: [placed, cancelled(null)],
  cutOff: [placed, started(1), cancelled(1)],
  hungUp: [placed, started(1), cancelled(1), hungUp(1)],
  retried: [placed, started(1), rejected(1, null), retried],
} as const satisfies Record<string, readonly OutboundCallEvent[]>;

const ofAttempt = { attemptId: 'attempt-1', now: at(200) };

const place = { type: 'PlaceCall', placed: placed.data, personal } as const;
const start = {
  type: 'StartAttempt',
  attempt: 1,
  ...attempt(1),
  roomName: 'room-1',
  deadlineAt: at(300),
  now: at(200),
} as const;

/** One of each, about attempt 1 where it is about one, late enough for every deadline. */
export const commands = {
  PlaceCall: place,
  StartAttempt: start,
  RecordAnswer: { type: 'RecordAnswer', ...ofAttempt, providerCallId: 'SCL_1' },
  RecordRefusal: {
    type: 'RecordRefusal',
    ...ofAttempt,
    status: 'busy',
    endedReason: 'busy',
    sipStatus: 486,
    providerCode: null,
    retryAt: null,
  },
  RecordDoubt: { type: 'RecordDoubt', ...ofAttempt },
  Adopt: { type: 'Adopt', ...ofAttempt, providerCallId: 'SCL_1', isAnswered: false },
  AdoptAnswered: { type: 'Adopt', ...ofAttempt, providerCallId: 'SCL_1', isAnswered: true },
  Abandon: { type: 'Abandon', ...ofAttempt, reason: 'unknown', retryAt: at(200) },
  GiveUp: { type: 'GiveUp', ...ofAttempt },
  SettleCall: { type: 'SettleCall', callId: 'call-1', facts: callEnd, now: at(200) },
  CancelCall: { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now: at(200) },
  EndAttempt: { type: 'EndAttempt', organizationId, callId: 'call-1', now: at(200) },
  RecordHangUp: { type: 'RecordHangUp', ...ofAttempt },
  RetryCall: {
    type: 'RetryCall',
    organizationId,
    retryId: 'retry-2',
    agentName: 'Ada',
    configVersion: 2,
    longestSeconds: 1_200,
    now: at(200),
  },
  PlaceAndStart: { type: 'PlaceAndStart', place, start },
} as const satisfies Record<string, OutboundCallCommand>;
