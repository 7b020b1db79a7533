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
  607: { status: 'failed', endedReason: 'marked_as_spam' },
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
  if (error.status >= 400 && error.status < 500 && error.status !== 408) {
    return {
      kind: 'refused',
      ...failed('provider_rejected'),
      ...(error.code ? { providerCode: error.code } : {}),
    };
  }
  return { kind: 'inDoubt', cause: error };
};

/** Errors before the first byte left: nobody can have heard of the dial. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const systemCode = (error: unknown): string | undefined => {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
};

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
  if (beforeSending.has(systemCode(error) ?? '')) {
    return { kind: 'refused', ...failed('provider_unavailable') };
  }
  return { kind: 'inDoubt', cause: error };
};
