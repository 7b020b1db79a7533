// A call as the log, the live list and other services see it: one function per shape, from the fold.
import {
  type CallLog,
  type LiveCall,
  outcomeOf,
  type Transcript,
  valuesOf,
  variablesOfCall,
} from '@parlance/contracts';
import type { RecordedTurn } from './call-events.js';
import { type Call, endingOf } from './call-state.js';
import { isKeyOfCall } from './recording-keys.js';

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 10) / 100);

const statusOf = (call: Call): CallLog['status'] => {
  const ending = endingOf(call);
  if (ending !== null) return ending.status;
  return call.answeredAt === null ? 'ringing' : 'in_progress';
};

const whatHappened = (call: Call) => {
  const { startedAt } = call.description;
  const ending = endingOf(call);
  const status = statusOf(call);
  const answeredAt = ending === null ? call.answeredAt : ending.answeredAt;
  const endedReason = ending?.endedReason ?? null;
  const answeredBy = ending?.answeredBy ?? null;
  const rangUntil = answeredAt ?? ending?.endedAt;
  return {
    status,
    outcome: outcomeOf({ status, endedReason, answeredBy }),
    endedReason,
    error: call.end?.error ?? null,
    answeredBy,
    startedAt,
    answeredAt,
    endedAt: ending?.endedAt ?? null,
    ringSeconds: rangUntil === undefined ? null : secondsBetween(startedAt, rangUntil),
    durationSeconds: ending?.durationSeconds ?? null,
  };
};

const noConsent = { type: 'none', granted: null, at: null, textVersion: null } as const;

/** The consent that the visitor of a website gave before the call began; the hand-over may tell it better. */
const consentBefore = ({ consentVersion, consentAt }: Call['description']) =>
  consentVersion === undefined || consentAt === undefined
    ? noConsent
    : ({ type: 'widget', granted: true, at: consentAt, textVersion: consentVersion } as const);

/** Without a link: one is signed for a reader of this very call alone, and ends soon. */
const recordingOf = (callId: string, call: Call): CallLog['recording'] => {
  const recording = call.ingested?.data.recording ?? null;
  const isKept =
    recording !== null &&
    call.recordingDeletedAt === undefined &&
    isKeyOfCall(call.description.organizationId, callId, recording.storageKey);
  return {
    available: isKept,
    url: null,
    urlExpiresAt: null,
    durationSeconds: recording?.durationSeconds ?? null,
    channels: recording?.channels ?? 1,
    deletedAt: call.recordingDeletedAt ?? null,
  };
};

const whatWasHandedOver = (callId: string, call: Call) => {
  const { data, personal } = call.ingested ?? {};
  return {
    recording: recordingOf(callId, call),
    consent: data?.consent ?? consentBefore(call.description),
    transfer: personal?.transfer ?? null,
    analysisStatus: data?.analysisStatus ?? (call.phase === 'ended' ? 'skipped' : 'pending'),
    summary: personal?.summary ?? null,
    successful: data?.successful ?? null,
    dataCollected: personal?.dataCollected ?? {},
    evaluation: personal?.evaluation ?? [],
    latency: data?.latency ?? null,
    cost: data?.cost ?? null,
    messageCount: data?.messageCount ?? 0,
    ...(data?.optedOut && { optedOut: true }),
  };
};

/** The values that the call ran with: the runtime knows them, the other sources know only the planned ones. */
const given = <T extends object>(ran: T | undefined, planned: T | undefined): T | undefined =>
  ran !== undefined && Object.keys(ran).length > 0 ? ran : planned;

export const toCallLog = (callId: string, call: Call): CallLog => {
  const { organizationId: _organization, roomName, startedAt: _startedAt, ...described } = call.description;
  const { inText: _inText, consentVersion: _version, consentAt: _at, ...description } = described;
  const personal = call.ingested?.personal;
  return {
    id: callId,
    ...description,
    configVersion: description.configVersion ?? 0,
    roomName: roomName ?? '',
    fromNumber: call.people?.fromNumber ?? null,
    toNumber: call.people?.toNumber ?? null,
    phoneNumberId: null,
    dynamicVariables: variablesOfCall({
      given: given(personal?.dynamicVariables, call.people?.dynamicVariables) ?? {},
      initiation: call.initiation?.variables ?? {},
      assigned: valuesOf(call.assigned ?? {}),
    }),
    metadata: given(personal?.metadata, call.people?.metadata) ?? {},
    ...whatHappened(call),
    ...whatWasHandedOver(callId, call),
    // Other read models know both; the reader of the call fills them in.
    webhookDelivery: 'none',
    initiation: null,
    createdAt: call.createdAt,
    updatedAt: call.updatedAt,
    deletedAt: call.deletedAt,
  };
};

/** Runs of tools, the earliest first; nothing where none is recorded. */
export const toolRunsOf = ({ toolRuns }: Call): Pick<CallLog, 'toolRuns' | 'moreToolRuns'> => {
  if (toolRuns === undefined) return {};
  const { kept, more } = toolRuns;
  const shown = kept.map(({ executionId: _executionId, result: _result, ...run }) => run);
  return { toolRuns: shown.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), moreToolRuns: more.length };
};

/** Undefined for a call without a room. */
export const toLiveCall = (callId: string, call: Call, now: Date): LiveCall | undefined => {
  if (call.phase !== 'live') return undefined;
  const { agentId, agentName, channel, direction, campaignId, startedAt, roomName } = call.description;
  return {
    callId,
    roomName: roomName ?? '',
    agentId,
    agentName,
    channel,
    direction,
    status: call.answeredAt === null ? 'ringing' : 'in_progress',
    fromNumber: call.people?.fromNumber ?? null,
    toNumber: call.people?.toNumber ?? null,
    campaignId,
    startedAt,
    answeredAt: call.answeredAt,
    durationSeconds: call.answeredAt === null ? 0 : secondsBetween(call.answeredAt, now.toISOString()),
    participants: call.present,
    lastMessage: null,
  };
};

export const toTranscript = (callId: string, turn: RecordedTurn): Transcript => ({
  ...turn,
  id: `${callId}.${turn.seq}`,
  callId,
});
