// LiveKit's words for the end of an unanswered dial, compared with livekit-server 1.13.5 and livekit-sip 1.9.0.
import type { DisconnectReason } from './room-model.js';
import { type TwirpCode, TwirpError } from './twirp.js';

/** The server writes this in front of an answer of its SIP service. */
const passedOn = (
  code: TwirpCode,
  message: string,
  meta: Readonly<Record<string, string>> = {},
): TwirpError => new TwirpError(code, `twirp error unknown: ${message}`, meta);

const codes: Partial<Record<number, TwirpCode>> = {
  401: 'permission_denied',
  402: 'permission_denied',
  403: 'permission_denied',
  404: 'not_found',
  408: 'deadline_exceeded',
  410: 'not_found',
  480: 'resource_exhausted',
  486: 'resource_exhausted',
  487: 'aborted',
  504: 'deadline_exceeded',
  600: 'resource_exhausted',
  603: 'permission_denied',
  604: 'not_found',
  607: 'permission_denied',
  608: 'permission_denied',
};
const codeOf = (sipStatus: number): TwirpCode =>
  codes[sipStatus] ?? (sipStatus >= 500 && sipStatus < 600 ? 'failed_precondition' : 'invalid_argument');

/** The statuses that the SIP service knows by name. */
const named = new Set([400, 404, 480, 486, 488]);

/** The carrier or the callee answered with a status. */
export const refusal = (sipStatus: number, phrase: string): TwirpError => {
  const what = named.has(sipStatus) ? 'INVITE failed' : 'unexpected status from INVITE response';
  const meta = { sip_status: phrase, sip_status_code: String(sipStatus) };
  return passedOn(codeOf(sipStatus), `${what}: sip status: ${sipStatus}: ${phrase}`, meta);
};

const unavailable = new Set([404, 408, 480]);
/** The reason with which the callee's participant leaves the room. */
export const reasonOf = (sipStatus: number, phrase = ''): DisconnectReason => {
  if (unavailable.has(sipStatus)) return 'USER_UNAVAILABLE';
  const isOutOfOrder = sipStatus >= 500 && sipStatus < 600 && !/limit exceeded/i.test(phrase);
  return isOutOfOrder ? 'CLIENT_INITIATED' : 'USER_REJECTED';
};

/** The ringing time is over, or the room or the participant is gone: the call is taken back. */
export const ringingIsOver = (): TwirpError => passedOn('canceled', 'sip request timed out');
/** The server waits no longer for the callee, and the call is taken back. */
export const waitedTooLong = (): TwirpError => passedOn('deadline_exceeded', 'request timed out');
/** The SIP service joins the room before it calls. */
export const roomAbsent = (): TwirpError => passedOn('internal', 'update room failed: not found');
/** No SIP service runs, or all of them are busy. */
export const noSipService = (): TwirpError => passedOn('unavailable', 'no response from servers');
/** The SIP service reads the address before it joins the room. */
export const unreadableAddress = (port: string): TwirpError =>
  passedOn('invalid_argument', `invalid request URI: invalid port in hostname: "${port}"`);
