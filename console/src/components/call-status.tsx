// The state of a call or an outbound call, as a badge. The words are the same on every screen.
import { callWords } from '../strings/call-words.js';
import { StatusBadge, type Tone } from './status.js';

export type CallState = keyof typeof callWords.status;
export type CallOutcome = keyof typeof callWords.outcome;

const stateTones: Readonly<Record<CallState, Tone>> = {
  scheduled: 'neutral',
  queued: 'neutral',
  initiated: 'accent',
  ringing: 'accent',
  in_progress: 'accent',
  completed: 'good',
  no_answer: 'attention',
  busy: 'attention',
  failed: 'bad',
  cancelled: 'neutral',
};

const outcomeTones: Readonly<Record<CallOutcome, Tone>> = {
  answered: 'good',
  voicemail: 'attention',
  no_answer: 'attention',
  busy: 'attention',
  failed: 'bad',
  cancelled: 'neutral',
  transferred: 'good',
};

/** The outcome of a call that is over, and its state before that. */
export const CallStateBadge = ({
  status,
  outcome,
}: {
  readonly status: CallState;
  readonly outcome: CallOutcome | null;
}) =>
  outcome === null ? (
    <StatusBadge tone={stateTones[status]}>{callWords.status[status]}</StatusBadge>
  ) : (
    <StatusBadge tone={outcomeTones[outcome]}>{callWords.outcome[outcome]}</StatusBadge>
  );

/** The state of a call in a list, and under it why the call ended. */
export const CallStateWithReason = ({
  endedReason,
  ...call
}: {
  readonly status: CallState;
  readonly outcome: CallOutcome | null;
  readonly endedReason: keyof typeof callWords.endedReason | null;
}) => (
  <>
    <CallStateBadge {...call} />
    {endedReason !== null && (
      <span className="mt-0.5 block text-xs text-ink-soft">{callWords.endedReason[endedReason]}</span>
    )}
  </>
);
