// The end of a call: its conclusions from the reports, and an inferred end where no report came.
import type { AnsweredBy, CallStatus, EndedReason } from '@parlance/contracts';
import type { Ending } from './call-events.js';
import type { Call, Presence } from './call-state.js';

/** The reported facts of an end; the rest follows from the known facts of the call. */
export interface ReportedEnd {
  readonly status: CallStatus;
  readonly endedReason: EndedReason | null;
  readonly answeredBy: AnsweredBy | null;
  readonly answeredAt: string | null;
  readonly endedAt: string;
  readonly durationSeconds: number | null;
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);

const reasons: Partial<Record<CallStatus, EndedReason>> = {
  no_answer: 'no_answer',
  busy: 'busy',
  cancelled: 'cancelled_by_user',
};

const people = ({ presences }: Call): Presence[] =>
  Object.values(presences).filter(({ kind }) => kind === 'person');

const isOut = ({ inAt, outAt }: Presence): boolean => outAt !== null && (inAt === null || inAt <= outAt);

const lastOut = (presences: readonly Presence[]): string | undefined =>
  presences
    .flatMap(({ outAt }) => outAt ?? [])
    .sort()
    .at(-1);

/** The time at which the connection of the last telephone broke; undefined where somebody is in the room, or left otherwise. */
const lineLostAt = (call: Call): string | undefined => {
  const all = people(call);
  return all.length > 0 && all.every((one) => isOut(one) && one.lost) ? lastOut(all) : undefined;
};

/** The time at which the process of the last agent died; undefined where one is in the room, or left otherwise. */
const agentLostAt = ({ presences }: Call): string | undefined => {
  const agents = Object.values(presences).filter(({ kind }) => kind === 'agent');
  return agents.length > 0 && agents.every((one) => isOut(one) && one.lost) ? lastOut(agents) : undefined;
};

/** Reasons of a runtime that hears nothing more. It cannot tell a dead line from a person who is silent, or hung up. */
const saidOfSilence: ReadonlySet<EndedReason | null> = new Set([
  ...(['agent_hangup', 'user_hangup', 'silence_timeout'] as const),
  null,
]);

/** The report without the time after the line died, which is not talk. */
const upToLoss = (call: Call, report: ReportedEnd): ReportedEnd => {
  const lostAt = lineLostAt(call);
  if (lostAt === undefined || report.status !== 'completed' || !saidOfSilence.has(report.endedReason))
    return report;
  const from = report.answeredAt ?? call.answeredAt ?? call.description.startedAt;
  const endedAt = lostAt > from ? lostAt : from;
  if (endedAt >= report.endedAt) return { ...report, endedReason: 'media_failure' };
  return { ...report, endedReason: 'media_failure', endedAt, durationSeconds: secondsBetween(from, endedAt) };
};

/** A whole ending from a report, with its gaps filled from the known facts of the call. */
export const endingFrom = (call: Call, source: Ending['source'], reported: ReportedEnd): Ending => {
  const report = source === 'runtime' ? upToLoss(call, reported) : reported;
  const answeredAt = report.answeredAt ?? call.answeredAt;
  const talkFrom = answeredAt ?? (report.status === 'completed' ? call.description.startedAt : null);
  return {
    source,
    status: report.status,
    endedReason:
      report.endedReason ??
      (call.endRequestedBy === null ? (reasons[report.status] ?? 'unknown') : 'operator_ended'),
    answeredBy: report.answeredBy,
    answeredAt,
    endedAt: report.endedAt,
    durationSeconds:
      report.durationSeconds ?? (talkFrom === null ? null : secondsBetween(talkFrom, report.endedAt)),
  };
};

/** An end without a witness, or one of which the provider never told whether there was a call at all. */
const isInference = ({ source, endedReason }: Ending): boolean =>
  source === 'inferred' || endedReason === 'unknown' || endedReason === 'outcome_unknown';

/**
 * True when a report cannot be of the call that ended like this. A call that was cut short by a cancellation was still
 * held until then, so its conversation is welcome.
 */
export const contradicts = (end: Ending, reported: CallStatus): boolean =>
  end.status !== reported && end.status !== 'cancelled' && !isInference(end);

/** The end once the runtime has reported too: its status stands, and the report fills in its unknown facts. */
export const refined = (end: Ending, reported: Ending): Ending => {
  const { source, status, endedReason } = end;
  if (status === reported.status && isInference(end)) return reported;
  // An inferred end has no witness: its time is only the time at which the lost room was noticed.
  if (source === 'inferred') return { ...reported, source, status, endedReason };
  const answeredAt = end.answeredAt ?? reported.answeredAt;
  const talked = answeredAt === null ? null : secondsBetween(answeredAt, end.endedAt);
  return {
    ...end,
    answeredBy: end.answeredBy ?? reported.answeredBy,
    answeredAt,
    durationSeconds: end.durationSeconds ?? talked,
  };
};

/**
 * The time that the runtime may need for its report, or the dialer for its attempt. It is short when no agent was there
 * to report.
 */
const graceMs = (call: Call): number => {
  const dialing = call.description.outboundCallId !== null && call.answeredAt === null;
  return call.agentHasJoined || dialing ? 30_000 : 5_000;
};

/** The time at which a call is ended without further reports, when its room was found gone at `since`. */
export const dueAt = (call: Call, since: string): string =>
  new Date(Date.parse(since) + graceMs(call)).toISOString();

/**
 * The time at which the last person hung up; undefined where a person did not. The media server says of a deleted room,
 * of a removed participant and of a broken connection that others ended the participation.
 */
const hungUpAt = (call: Call): string | undefined => {
  const all = people(call);
  return all.every((person) => isOut(person) && person.leftBy === 'itself') ? lastOut(all) : undefined;
};

/** The end of an answered call with an agent in its room, of which only the room tells anything. */
const inferredTalk = (
  call: Call,
  answeredAt: string,
): Pick<ReportedEnd, 'status' | 'endedReason' | 'endedAt'> => {
  const lostAt = lineLostAt(call);
  const leftAt = lostAt ?? hungUpAt(call);
  const agentLost = agentLostAt(call);
  // Whoever was in the room heard nothing from then on.
  if (agentLost !== undefined && (leftAt === undefined || agentLost < leftAt))
    return {
      status: 'completed',
      endedReason: 'error_runtime',
      endedAt: agentLost > answeredAt ? agentLost : answeredAt,
    };
  if (leftAt === undefined)
    return { status: 'completed', endedReason: 'unknown', endedAt: call.closedAt ?? call.updatedAt };
  // Webhooks tell whole seconds: the second of a hang-up may have begun before the answer.
  const endedAt = leftAt > answeredAt ? leftAt : answeredAt;
  return {
    status: 'completed',
    endedReason: lostAt === undefined ? 'user_hangup' : 'media_failure',
    endedAt,
  };
};

/** The inferred end of a call without a room and without any report of its end. */
export const inferredEnd = (call: Call): ReportedEnd => {
  const answered = call.answeredAt !== null;
  const base = {
    answeredBy: null,
    answeredAt: call.answeredAt,
    endedAt: call.closedAt ?? call.updatedAt,
    durationSeconds: null,
  };
  if (call.endRequestedBy !== null)
    return { ...base, status: answered ? 'completed' : 'cancelled', endedReason: 'operator_ended' };
  if (call.answeredAt !== null && call.agentHasJoined)
    return { ...base, ...inferredTalk(call, call.answeredAt) };
  const dialing = call.description.outboundCallId !== null && !answered;
  const reason = call.agentHasJoined || dialing ? 'room_lost' : 'agent_unavailable';
  return { ...base, status: 'failed', endedReason: reason };
};
