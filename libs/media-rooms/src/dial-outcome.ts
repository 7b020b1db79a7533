// Reads a failed dial request. An answer of the callee's side is final. Of everything else only an answer that is known to
// precede the INVITE counts as refused; the rest is in doubt. SIP statuses as in RFC 3261 section 21.
import { ServerError, SipCallError } from 'livekit-server-sdk';
import type { DialOutcome } from './media-rooms.js';
import { notDialled } from './not-dialled.js';

type Refusal = Extract<DialOutcome, { readonly kind: 'refused' }>;
type Meaning = Pick<Refusal, 'status' | 'endedReason'>;

const failed = (endedReason: Refusal['endedReason']): Meaning => ({ status: 'failed', endedReason });
const noAnswer: Meaning = { status: 'no_answer', endedReason: 'no_answer' };
/** The ringing time is over, or the room in which the call rang is gone. */
export const unanswered: DialOutcome = {
  kind: 'unanswered',
  status: 'no_answer',
  endedReason: 'no_answer',
};
const declined: Meaning = { status: 'no_answer', endedReason: 'declined' };
const busy: Meaning = { status: 'busy', endedReason: 'busy' };

/** The carrier does not take the call from the platform: its credentials, its number or its country. */
const turnedAway = failed('provider_rejected');

const meanings: Readonly<Record<number, Meaning>> = {
  401: turnedAway,
  403: turnedAway,
  404: failed('invalid_destination'),
  407: turnedAway,
  408: noAnswer,
  410: failed('invalid_destination'),
  480: noAnswer,
  484: failed('invalid_destination'),
  486: busy,
  487: noAnswer,
  600: busy,
  603: declined,
  604: failed('invalid_destination'),
  607: declined,
  608: { status: 'failed', endedReason: 'marked_as_spam' },
};

/** The SIP status of the answer: a field of its own, or a part of the sentence of an older server. */
const sipStatusOf = (error: ServerError): number | undefined => {
  const field = error instanceof SipCallError ? error.sipStatusCode : undefined;
  const status = field ?? Number(/\bsip status:? ?(\d{3})\b/i.exec(error.message)?.[1]);
  return status >= 300 && status < 700 ? status : undefined;
};

const sentenceOf = (error: ServerError): string =>
  (error instanceof SipCallError ? error.sipStatus : undefined) ?? error.message;

/** The words of carriers for an account that calls too often, or too much at once; Twilio sends them with a 5xx. */
const tooManyCalls =
  /\bcps\b|calls? per second|too many (?:calls|requests)|rate limit|(?:concurrent calls?|channel) limit/i;

const usualPatienceSeconds = 2;
const mostPatienceSeconds = 300;

/** The time that the carrier or the server asked for, as far as the answer tells it. */
const patienceSeconds = (error: ServerError): number => {
  const fields = Object.entries(error.metadata ?? {});
  const field = fields.find(([name]) => /retry.?after/i.test(name))?.[1];
  const said = Number(field ?? /retry[- ]after:? ?(\d+)/i.exec(sentenceOf(error))?.[1]);
  return said > 0 ? Math.min(said, mostPatienceSeconds) : usualPatienceSeconds;
};

const tooMany = (error: ServerError, sipStatus?: number): Refusal => ({
  kind: 'refused',
  ...failed('provider_rejected'),
  providerCode: '429',
  ...(sipStatus === undefined ? {} : { sipStatus }),
  retryAfterSeconds: patienceSeconds(error),
});

/** A status of 600 and more is the callee's own answer, even if the sentence beside it speaks of too many calls. */
const ofSipStatus = (error: ServerError, sipStatus: number): Refusal =>
  sipStatus === 429 || (sipStatus < 600 && tooManyCalls.test(sentenceOf(error)))
    ? tooMany(error, sipStatus)
    : { kind: 'refused', sipStatus, ...(meanings[sipStatus] ?? failed('sip_error')) };

/** The SIP service gives up ringing, or its room is gone: it has taken the call back by then. */
const ringingIsOver = ({ message }: ServerError): boolean => /\bsip request timed out\b/.test(message);

const ofServer = (error: ServerError): DialOutcome => {
  const sipStatus = sipStatusOf(error);
  if (sipStatus !== undefined) return ofSipStatus(error, sipStatus);
  if (ringingIsOver(error)) return unanswered;
  // A refusal of the server itself, not of a carrier: a carrier's refusal has a SIP status.
  if (error.status === 429 || error.code === 'resource_exhausted') return tooMany(error);
  const known = notDialled(error);
  if (known === undefined) return { kind: 'inDoubt', cause: error };
  const { kind, ...code } = known;
  return {
    kind: 'refused',
    ...failed(kind === 'unavailable' ? 'provider_unavailable' : 'provider_rejected'),
    ...code,
  };
};

/** Looking the server up and connecting to it: nothing was said yet. */
const connectingCalls = new Set(['connect', 'getaddrinfo']);
const connectingCodes = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** The server's certificate was not accepted, which ends the connection before the request. */
const certificateCode = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Errors before the first byte left: the media server cannot have heard of the dial. */
const neverSent = (error: unknown): boolean => {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { syscall, code, cause }: { syscall?: unknown; code?: unknown; cause?: unknown } = current;
    if (typeof syscall === 'string' && connectingCalls.has(syscall)) return true;
    if (typeof code === 'string' && (connectingCodes.has(code) || certificateCode.test(code))) return true;
    current = cause;
  }
  return false;
};

/** The meaning of a dial that did not end in an answer. A SIP status decides before any status of HTTP around it. */
export const dialFailure = (error: unknown): DialOutcome => {
  if (error instanceof ServerError) return ofServer(error);
  if (neverSent(error)) return { kind: 'refused', ...failed('provider_unavailable') };
  return { kind: 'inDoubt', cause: error };
};
