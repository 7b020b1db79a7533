// Each entry of a timeline as a sentence.
import type { CallTimelineEntry, OutboundTimelineEntry } from '@parlance/client';
import { timelineStrings as words } from '../strings/call-timeline.js';
import type { Tone } from './status.js';
import type { TimelineLine } from './timeline.js';

type Entry = CallTimelineEntry | OutboundTimelineEntry;
type Line = Pick<TimelineLine, 'text' | 'tone'>;

const toneOf = (status: string): Tone => {
  if (status === 'completed') return 'good';
  return status === 'failed' ? 'bad' : 'attention';
};
const initiationOf = (outcome: string): string =>
  outcome === 'applied' || outcome === 'rejected' ? words.initiation[outcome] : words.initiation.failed;

const outboundLine = (entry: OutboundTimelineEntry): Line => {
  switch (entry.kind) {
    case 'outbound.placed':
      return { text: words.placed(entry.details.mode, entry.details.rowNumber) };
    case 'outbound.cancelled':
      return { text: words.cancelled(entry.details.reason), tone: 'attention' };
    case 'outbound.retried':
      return { text: words.retried };
    case 'attempt.started':
      return { text: words.attemptStarted(entry.attemptNumber), tone: 'accent' };
    case 'attempt.answered':
      return { text: words.attemptAnswered(entry.attemptNumber), tone: 'good' };
    case 'attempt.rejected':
      return {
        text: words.attemptRejected(entry.attemptNumber, entry.details),
        tone: toneOf(entry.details.status),
      };
    case 'attempt.in_doubt':
      return { text: words.attemptInDoubt(entry.attemptNumber), tone: 'attention' };
    case 'attempt.adopted':
      return { text: words.attemptAdopted(entry.attemptNumber) };
    case 'attempt.abandoned':
      return {
        text: words.attemptAbandoned(entry.attemptNumber, entry.details.endedReason),
        tone: 'attention',
      };
    case 'attempt.outcome_unknown':
      return { text: words.attemptUnknown(entry.attemptNumber), tone: 'bad' };
    case 'attempt.ended':
      return {
        text: words.attemptEnded(entry.attemptNumber, entry.details),
        tone: toneOf(entry.details.status),
      };
    case 'attempt.hung_up':
      return { text: words.attemptHungUp(entry.attemptNumber) };
  }
};

const lineOf = (entry: Entry): Line => {
  switch (entry.kind) {
    case 'call.started':
      return { text: words.started[entry.details.direction], tone: 'accent' };
    case 'call.answered':
      return { text: words.answered, tone: 'good' };
    case 'participant.joined':
      return { text: words.joined(entry.details.participant) };
    case 'participant.left':
      return { text: words.left(entry.details.participant) };
    case 'call.end_requested':
      return { text: words.endRequested, tone: 'attention' };
    case 'room.closed':
      return { text: words.roomClosed };
    case 'call.ended':
      return {
        text: words.ended(entry.details, entry.details.durationSeconds),
        tone: toneOf(entry.details.status),
      };
    case 'call.handed_over':
      return { text: words.handedOver(entry.details.messageCount) };
    case 'recording.deleted':
      return { text: words.recordingDeleted };
    case 'tool.ran': {
      const { name, status, durationMs } = entry.details;
      return { text: words.toolRan(name, status, durationMs), tone: status === 'ok' ? 'neutral' : 'bad' };
    }
    case 'initiation.asked':
      return { text: initiationOf(entry.details.outcome) };
    case 'webhook.due': {
      const { type, status, tries } = entry.details;
      return { text: words.webhook(type, status, tries), tone: status === 'failed' ? 'bad' : 'neutral' };
    }
    default:
      return outboundLine(entry);
  }
};

/** One line for each entry, in their order. */
export const linesOf = (entries: readonly Entry[]): readonly TimelineLine[] =>
  entries.map((entry, index) => ({ ...lineOf(entry), at: entry.at, id: `${index}` }));
