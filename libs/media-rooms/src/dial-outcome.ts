// Reads a failed dial request. Only what proves that no phone is ringing counts as refused; everything else is in
// doubt. SIP statuses as in RFC 3261 section 21.
import { ServerError, SipCallError } from 'livekit-server-sdk';
import type { DialOutcome } from './media-rooms.js';

type Refusal = Extract<DialOutcome, { readonly kind: 'refused' }>;
type Meaning = Pick<Refusal, 'status' | 'endedReason'>;

const failed = (endedReason: Refusal['endedReason']): Meaning => ({ status: 'failed', endedReason });
const noAnswer: Meaning = { status: 'no_answer', endedReason: 'no_answer' };
const declined: Meaning = { status: 'no_answer', endedReason: 'declined' };
const busy: Meaning = { status: 'busy', endedReason: 'busy' };

const meanings: Readonly<Record<number, Meaning>> = {
  404: failed('invalid_destination'),
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

const ofSipStatus = (sipStatus: number): Refusal => ({
  kind: 'refused',
  sipStatus,
  ...(meanings[sipStatus] ?? failed('sip_error')),
});

const defaultRetryAfterSeconds = 2;

const ofTwirp = (error: ServerError): DialOutcome => {
  if (error.status === 429 || error.code === 'resource_exhausted') {
    return {
      kind: 'refused',
      ...failed('provider_rejected'),
      providerCode: '429',
      retryAfterSeconds: defaultRetryAfterSeconds,
    };
  }
  // 408: the media server gave up waiting for its own SIP side, which may have dialled
  if (error.status >= 400 && error.status < 500 && error.status !== 408) {
    return {
      kind: 'refused',
      ...failed('provider_rejected'),
      ...(error.code ? { providerCode: error.code } : {}),
    };
  }
  return { kind: 'inDoubt', cause: error };
};

/** Looking the server up and connecting to it: nothing was said yet. */
const connectingCalls = new Set(['connect', 'getaddrinfo']);
const connectingCodes = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** The server's certificate was not accepted, which ends the connection before the request. */
const certificateCode = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Errors before the first byte left: nobody can have heard of the dial. */
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

/** What a dial that did not end in an answer means. A SIP status decides before any status of HTTP around it. */
export const dialFailure = (error: unknown): DialOutcome => {
  if (error instanceof SipCallError) {
    const status = error.sipStatusCode;
    if (status !== undefined && status >= 400) {
      return status === 429
        ? { ...ofSipStatus(429), retryAfterSeconds: defaultRetryAfterSeconds }
        : ofSipStatus(status);
    }
  }
  if (error instanceof ServerError) return ofTwirp(error);
  if (neverSent(error)) return { kind: 'refused', ...failed('provider_unavailable') };
  return { kind: 'inDoubt', cause: error };
};
