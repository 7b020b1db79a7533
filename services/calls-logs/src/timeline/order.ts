// The order of a call's timeline: by time, and by cause where times cannot tell. The sources have clocks of their own, and the media
// server tells whole seconds. So an agent seems to join before its call was placed.
import type { CallTimelineEntry } from '@parlance/contracts';

/** The place of each kind in the course of one call: no entry is an effect of one with a higher rank. */
const ranks: Readonly<Record<CallTimelineEntry['kind'], number>> = {
  'outbound.placed': 0,
  'outbound.cancelled': 0,
  'outbound.retried': 0,
  'attempt.started': 1,
  'attempt.in_doubt': 1,
  'attempt.adopted': 1,
  'call.started': 2,
  'initiation.asked': 3,
  'participant.joined': 3,
  'attempt.answered': 4,
  'call.answered': 4,
  'tool.ran': 5,
  'call.end_requested': 6,
  // The dialer settled the attempt by itself, and so ends the call.
  'attempt.rejected': 7,
  'attempt.abandoned': 7,
  'attempt.outcome_unknown': 7,
  'call.ended': 8,
  'participant.left': 9,
  'room.closed': 10,
  'attempt.hung_up': 12,
  'attempt.ended': 12,
  'call.handed_over': 12,
  'recording.deleted': 13,
  'webhook.due': 14,
};
const hangUpRank = 7;
const inferredEndRank = 11;
const overRank = 12;

/** Of another attempt of the outbound call, which causes nothing in this call. */
const isOfAnother = (callId: string, { details }: CallTimelineEntry): boolean =>
  'callId' in details && details.callId !== callId;

const rankOf = ({ kind, details }: CallTimelineEntry): number => {
  // A person who hangs up ends the call. All others leave because it has ended.
  if (kind === 'participant.left' && details.participant === 'person' && details.leftBy !== 'others')
    return hangUpRank;
  if (kind === 'call.ended' && details.toldBy === 'inferred') return inferredEndRank;
  return ranks[kind];
};

interface Placed {
  readonly entry: CallTimelineEntry;
  readonly rank: number;
  /** As the source tells it, in milliseconds. */
  readonly at: number;
  /** Never before a cause. */
  readonly placedAt: number;
}

/** The time that a moment may be later than told: a full second may have been rounded down. */
const coarsenessMs = (at: number): number => (at % 1_000 === 0 ? 999 : 0);

/** The dialer records one event after the other, so the order of its stream is kept. */
const placedInStream = (callId: string, entries: readonly CallTimelineEntry[]): Placed[] => {
  let placedAt = Number.NEGATIVE_INFINITY;
  let rank = 0;
  return entries.map((entry) => {
    const at = Date.parse(entry.at);
    placedAt = Math.max(placedAt, at);
    const ownRank = isOfAnother(callId, entry) ? (rank === 0 ? 0 : overRank) : rankOf(entry);
    rank = Math.max(rank, ownRank);
    return { entry, rank, at, placedAt };
  });
};

/**
 * @param attempts entries of the dialer's stream, in the order of that stream
 * @param others entries of the call's stream and of its webhooks; those of one rank and moment keep their order
 */
export const inOrderOfCause = (
  callId: string,
  attempts: readonly CallTimelineEntry[],
  others: readonly CallTimelineEntry[],
): CallTimelineEntry[] => {
  const placed = placedInStream(callId, attempts);
  const causesFirst = others
    .map((entry) => ({ entry, rank: rankOf(entry), at: Date.parse(entry.at) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at);
  for (const one of causesFirst) {
    const latest = one.at + coarsenessMs(one.at);
    const causes = placed.filter(({ rank, at }) => rank < one.rank && at <= latest);
    placed.push({ ...one, placedAt: Math.max(one.at, ...causes.map(({ placedAt }) => placedAt)) });
  }
  return placed.sort((a, b) => a.placedAt - b.placedAt || a.rank - b.rank).map(({ entry }) => entry);
};
