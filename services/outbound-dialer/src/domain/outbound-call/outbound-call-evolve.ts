// The new state of an outbound call after each event. Total: an event that does not fit the phase changes nothing.
import { unreachable } from '@parlance/errors';
import type { OutboundCallEvent, OutboundCallEventOf } from './outbound-call-events.js';
import type {
  Attempt,
  Connected,
  Dialing,
  Ended,
  Facts,
  OutboundCall,
  Personal,
  Placed,
  Queued,
} from './outbound-call-state.js';

type Present = Exclude<OutboundCall, { readonly phase: 'absent' }>;

const lasting = (longestSeconds: number | undefined): Pick<Facts, 'longestSeconds'> =>
  longestSeconds === undefined ? {} : { longestSeconds };

const factsOf = (state: Present, updatedAt: string): Facts => {
  const { placed, personal, agentName, configVersion, past, pastWhenAsked, retryIds, queuedAt } = state;
  const { retryPolicy, longestSeconds } = state;
  const policy = retryPolicy === undefined ? {} : { retryPolicy };
  const agent = { agentName, configVersion, ...lasting(longestSeconds) };
  return { placed, ...policy, personal, ...agent, past, pastWhenAsked, retryIds, queuedAt, updatedAt };
};

/** As the state has it. */
export const personalOf = (personal: NonNullable<Placed['personal']>): Personal => {
  const { language, voiceId, ...rest } = personal;
  return {
    ...rest,
    ...(language === null ? {} : { language }),
    ...(voiceId === null ? {} : { voiceId }),
  };
};

const placedCall = ({ data, personal }: Placed): Queued => {
  const { agentName, configVersion, retryPolicy, longestSeconds, ...placed } = data;
  const { placedAt: at } = data;
  return {
    phase: 'queued',
    notBefore: at,
    placed,
    ...(retryPolicy === null ? {} : { retryPolicy }),
    personal: personal && personalOf(personal),
    agentName,
    configVersion,
    ...lasting(longestSeconds),
    past: [],
    pastWhenAsked: 0,
    retryIds: [],
    queuedAt: at,
    updatedAt: at,
  };
};

const startedAttempt = (data: OutboundCallEventOf<'AttemptStarted'>['data']): Attempt => ({
  attempt: data.attempt,
  attemptId: data.attemptId,
  callId: data.callId,
  roomName: data.roomName,
  startedAt: data.startedAt,
  deadlineAt: data.deadlineAt,
  status: 'initiated',
  outcome: null,
  endedReason: null,
  sipStatus: null,
  providerCode: null,
  providerCallId: null,
  answeredBy: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  costMicros: null,
});

/** The attempt is over, and with it the call, unless another attempt follows by itself. */
const over = (
  state: Dialing | Connected,
  end: Partial<Attempt> & Pick<Attempt, 'status'>,
  endedAt: string,
  nextAttemptAt: string | null = null,
): Queued | Ended => {
  const attempt: Attempt = { ...state.current, ...end, endedAt };
  const facts = { ...factsOf(state, endedAt), past: [...state.past, attempt] };
  if (nextAttemptAt !== null) return { ...facts, phase: 'queued', notBefore: nextAttemptAt };
  const { status, endedReason } = attempt;
  return { ...facts, phase: 'ended', status, endedReason, endedAt, hangUp: null };
};

const cancelled = (
  state: Queued | Dialing | Connected,
  { reason, cancelledAt: at }: OutboundCallEventOf<'OutboundCallCancelled'>['data'],
): Ended => {
  const why = { status: 'cancelled', endedReason: reason } as const;
  const end = { phase: 'ended', ...why, endedAt: at } as const;
  if (state.phase === 'queued') return { ...factsOf(state, at), ...end, hangUp: null };
  const attempt: Attempt = { ...state.current, ...why, outcome: 'cancelled', endedAt: at };
  const hangUp = { ...attempt, wasDialing: state.phase === 'dialing' };
  return { ...factsOf(state, at), ...end, past: [...state.past, attempt], hangUp };
};

const connected = (state: Dialing, data: OutboundCallEventOf<'AttemptAnswered'>['data']): Connected => ({
  ...factsOf(state, data.answeredAt),
  phase: 'connected',
  current: {
    ...state.current,
    status: 'in_progress',
    answeredAt: data.answeredAt,
    providerCallId: data.providerCallId ?? state.current.providerCallId,
  },
});

const requeued = (state: Ended, data: OutboundCallEventOf<'OutboundCallRetried'>['data']): Queued => ({
  ...factsOf(state, data.retriedAt),
  phase: 'queued',
  notBefore: data.retriedAt,
  queuedAt: data.retriedAt,
  agentName: data.agentName,
  configVersion: data.configVersion,
  ...lasting(data.longestSeconds),
  pastWhenAsked: state.past.length,
  retryIds: [...state.retryIds, data.retryId],
});

/** The end of an attempt that was not dialled, and its reason. */
export const abandonedAs = (reason: OutboundCallEventOf<'AttemptAbandoned'>['data']['reason']) => {
  const isCancelled = reason === 'campaign_cancelled' || reason === 'cancelled_by_user';
  const status = isCancelled ? 'cancelled' : 'failed';
  const why = { status, outcome: status, endedReason: reason ?? 'unknown' } as const;
  return reason === null ? why : ({ ...why, isAbandoned: true } as const);
};

/** The new state of a call with an attempt that is being dialled. */
const evolveDialing = (state: Dialing, event: OutboundCallEvent): OutboundCall => {
  switch (event.type) {
    case 'AttemptAnswered':
      return connected(state, event.data);
    case 'AttemptInDoubt':
      return { ...state, evidence: 'inDoubt', updatedAt: event.data.since };
    case 'AttemptAdopted': {
      const { providerCallId, adoptedAt } = event.data;
      const current: Attempt = { ...state.current, status: 'ringing', providerCallId };
      return { ...state, evidence: 'adopted', current, updatedAt: adoptedAt };
    }
    case 'AttemptRejected': {
      const { status, endedReason, sipStatus, providerCode, endedAt, nextAttemptAt } = event.data;
      const outcome = status === 'busy' || status === 'no_answer' ? status : 'failed';
      return over(state, { status, outcome, endedReason, sipStatus, providerCode }, endedAt, nextAttemptAt);
    }
    case 'AttemptAbandoned': {
      const { endedAt, nextAttemptAt } = event.data;
      return over(state, abandonedAs(event.data.reason), endedAt, nextAttemptAt);
    }
    case 'AttemptOutcomeUnknown': {
      const why = { status: 'failed', outcome: 'failed', endedReason: 'outcome_unknown' } as const;
      return over(state, why, event.data.endedAt);
    }
    default:
      return state;
  }
};

export const evolve = (state: OutboundCall, event: OutboundCallEvent): OutboundCall => {
  if (event.type === 'OutboundCallPlaced') return state.phase === 'absent' ? placedCall(event) : state;
  if (state.phase === 'absent') return state;
  switch (event.type) {
    case 'AttemptStarted': {
      if (state.phase !== 'queued') return state;
      const current = startedAttempt(event.data);
      return { ...factsOf(state, event.data.startedAt), phase: 'dialing', current, evidence: 'none' };
    }
    case 'AttemptAnswered':
    case 'AttemptInDoubt':
    case 'AttemptAdopted':
    case 'AttemptRejected':
    case 'AttemptAbandoned':
    case 'AttemptOutcomeUnknown':
      return state.phase === 'dialing' ? evolveDialing(state, event) : state;
    case 'AttemptEnded': {
      if (state.phase !== 'dialing' && state.phase !== 'connected') return state;
      const { attemptId: _, callId: __, endedAt, nextAttemptAt, answeredAt, ...end } = event.data;
      const answer = { answeredAt: answeredAt ?? state.current.answeredAt };
      return over(state, { ...end, ...answer }, endedAt, nextAttemptAt);
    }
    case 'OutboundCallCancelled':
      return state.phase === 'ended' ? state : cancelled(state, event.data);
    case 'AttemptHungUp':
      return state.phase === 'ended' ? { ...state, hangUp: null, updatedAt: event.data.hungUpAt } : state;
    case 'OutboundCallRetried':
      return state.phase === 'ended' ? requeued(state, event.data) : state;
    default:
      return unreachable(event);
  }
};
