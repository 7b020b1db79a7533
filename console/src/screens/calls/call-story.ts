// What happened to a call as sentences, from the call and the attempts of its outbound call.
import type { Attempt, CallLog, OutboundCall } from '@parlance/client';
import type { TimelineLine } from '../../components/timeline.js';
import { timelineStrings as words } from '../../strings/call-timeline.js';

type Line = Omit<TimelineLine, 'id'>;

const toneOf = (status: string) => {
  if (status === 'completed') return 'good' as const;
  return status === 'failed' ? ('bad' as const) : ('attention' as const);
};

const attemptLines = (attempt: Attempt): readonly Line[] => [
  { at: attempt.startedAt, text: words.attemptStarted(attempt.attempt), tone: 'accent' },
  ...(attempt.answeredAt === null
    ? []
    : [{ at: attempt.answeredAt, text: words.attemptAnswered(attempt.attempt), tone: 'good' as const }]),
  ...(attempt.endedAt === null
    ? []
    : [
        {
          at: attempt.endedAt,
          text: words.attemptEnded(attempt.attempt, attempt),
          tone: toneOf(attempt.status),
        },
      ]),
];

const outboundLines = ({ createdAt, mode, rowNumber, attempts = [] }: OutboundCall): readonly Line[] => [
  { at: createdAt, text: words.placed(mode, rowNumber) },
  ...attempts.flatMap(attemptLines),
];

const ownLines = (call: CallLog): readonly Line[] => [
  { at: call.startedAt, text: words.started[call.direction], tone: 'accent' },
  ...(call.initiation === null
    ? []
    : [{ at: call.initiation.at, text: words.initiation[call.initiation.outcome] }]),
  ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, text: words.answered, tone: 'good' as const }]),
  ...(call.toolRuns ?? []).map(({ at, name, status, durationMs }) => ({
    at,
    text: words.toolRan(name, status, durationMs),
    tone: status === 'ok' ? ('neutral' as const) : ('bad' as const),
  })),
  ...(call.endedAt === null
    ? []
    : [
        {
          at: call.endedAt,
          text: words.ended(call, call.durationSeconds),
          tone: toneOf(call.status),
        },
      ]),
];

/** Oldest first; of the same moment, what the outbound call tells comes before the call's own. */
export const linesOf = (call: CallLog, outbound: OutboundCall | undefined): readonly TimelineLine[] =>
  [...(outbound === undefined ? [] : outboundLines(outbound)), ...ownLines(call)]
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((line, index) => ({ ...line, id: `${line.at} ${index}` }));
