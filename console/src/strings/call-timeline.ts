/** Sentences about what happened to a call, by the kind of the entry. */

import { callWords } from './call-words.js';
import { durationText } from './format.js';

type Reason = keyof typeof callWords.endedReason;
type Status = keyof typeof callWords.status;

interface Ended {
  readonly status: Status;
  readonly endedReason: Reason | null;
}

const reasonOf = (reason: Reason | null): string =>
  reason === null ? '' : ` ${callWords.endedReason[reason]}`;
const lengthOf = (seconds: number | null): string =>
  seconds === null ? '' : ` after ${durationText(seconds * 1_000)}`;
const endOf = ({ status, endedReason }: Ended): string =>
  `${callWords.status[status]}.${reasonOf(endedReason)}`;
const who = { agent: 'The agent', person: 'The other party', other: 'Somebody else' } as const;
const numbered = (attempt: number | null): string =>
  attempt === null ? 'The attempt' : `Attempt ${attempt}`;

export const timelineStrings = {
  placed: (mode: 'quick' | 'batch', row: number | null): string => {
    if (mode === 'quick') return 'Somebody placed the call.';
    return row === null
      ? 'A campaign placed the call.'
      : `A campaign placed the call for row ${row} of its file.`;
  },
  cancelled: (reason: Reason): string => `The outbound call was cancelled.${reasonOf(reason)}`,
  retried: 'Somebody asked for another attempt.',
  attemptStarted: (attempt: number | null): string => `${numbered(attempt)} began: the number is dialled.`,
  attemptAnswered: (attempt: number | null): string => `${numbered(attempt)} was answered.`,
  attemptRejected: (attempt: number | null, end: Ended): string =>
    `${numbered(attempt)} was not let through. ${endOf(end)}`,
  attemptInDoubt: (attempt: number | null): string =>
    `${numbered(attempt)} is in doubt: the provider did not say whether the phone rang.`,
  attemptAdopted: (attempt: number | null): string =>
    `${numbered(attempt)} turned out to have reached the phone, and goes on.`,
  attemptAbandoned: (attempt: number | null, reason: Reason | null): string =>
    `${numbered(attempt)} was given up before the phone was dialled.${reasonOf(reason)}`,
  attemptUnknown: (attempt: number | null): string =>
    `${numbered(attempt)} ended without a word of the provider. It is not repeated by itself.`,
  attemptEnded: (attempt: number | null, end: Ended): string => `${numbered(attempt)} ended: ${endOf(end)}`,
  attemptHungUp: (attempt: number | null): string => `${numbered(attempt)} was hung up.`,
  nextAttempt: 'Next attempt',
  started: { inbound: 'The call came in.', outbound: 'The call began.' },
  answered: 'The call was answered.',
  joined: (participant: keyof typeof who): string => `${who[participant]} joined the call.`,
  left: (participant: keyof typeof who): string => `${who[participant]} left the call.`,
  endRequested: 'Somebody asked to end the call.',
  roomClosed: 'The media server closed the room of the call.',
  ended: (end: Ended, seconds: number | null): string => `The call ended${lengthOf(seconds)}: ${endOf(end)}`,
  handedOver: (turns: number): string =>
    turns === 1 ? 'The voice runtime handed over 1 turn.' : `The voice runtime handed over ${turns} turns.`,
  recordingDeleted: 'The recording was deleted.',
  toolRan: (name: string, status: 'ok' | 'error' | 'timeout', ms: number): string => {
    if (status === 'ok') return `The agent used ${name}; the answer took ${ms} ms.`;
    if (status === 'timeout') return `The agent used ${name}, which did not answer in ${ms} ms.`;
    return `The agent used ${name}, which failed after ${ms} ms.`;
  },
  initiation: {
    applied: 'The initiation webhook answered, and its answer was applied.',
    rejected: 'The initiation webhook rejected the call.',
    failed: 'The initiation webhook failed. The call went on as configured.',
  },
  webhook: (type: string, status: 'pending' | 'retrying' | 'delivered' | 'failed', tries: number): string => {
    if (status === 'delivered') return `The message “${type}” was delivered to the webhook.`;
    if (status === 'pending') return `The message “${type}” is on its way to the webhook.`;
    if (status === 'retrying') return `The message “${type}” has failed ${tries} times and is tried again.`;
    return `The message “${type}” was given up after ${tries} tries.`;
  },
  by: {
    user: 'by a person',
    key: 'by an API key',
    call: 'by the agent in the call',
    platform: 'by the platform',
  },
  person: 'person',
  empty: 'No event of this call is known.',
} as const;
