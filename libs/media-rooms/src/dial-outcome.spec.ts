import { describe, expect, it } from '@jest/globals';
import { ServerError, SipCallError } from 'livekit-server-sdk';
import { dialFailure } from './dial-outcome.js';

/** An error as the server sends it: the SIP side's answer inside an HTTP status that tells little. */
const sip = (status: number, httpStatus = 503) =>
  new SipCallError('Error', 'INVITE failed', httpStatus, 'unavailable', { sip_status_code: String(status) });
const twirp = (httpStatus: number, code: string, message = 'message') =>
  new ServerError('Error', message, httpStatus, code);
/** An answer that the server passes on from its bus. */
const passedOn = (httpStatus: number, code: string, message: string) =>
  twirp(httpStatus, code, `twirp error unknown: ${message}`);
const fetchFailed = (cause: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), cause) });

describe('what the phone’s side answered', () => {
  it.each([
    [486, 'busy', 'busy'],
    [600, 'busy', 'busy'],
    [603, 'no_answer', 'declined'],
    [607, 'no_answer', 'declined'],
    [408, 'no_answer', 'no_answer'],
    [480, 'no_answer', 'no_answer'],
    [487, 'no_answer', 'no_answer'],
    [404, 'failed', 'invalid_destination'],
    [410, 'failed', 'invalid_destination'],
    [484, 'failed', 'invalid_destination'],
    [604, 'failed', 'invalid_destination'],
    [608, 'failed', 'marked_as_spam'],
    [401, 'failed', 'provider_rejected'],
    [403, 'failed', 'provider_rejected'],
    [407, 'failed', 'provider_rejected'],
    [500, 'failed', 'sip_error'],
    [503, 'failed', 'sip_error'],
  ])('%i is %s, because of %s, and final', (status, callStatus, endedReason) => {
    for (const httpStatus of [408, 429, 500, 503]) {
      expect(dialFailure(sip(status, httpStatus))).toEqual({
        kind: 'refused',
        status: callStatus,
        endedReason,
        sipStatus: status,
      });
    }
  });

  it('counts where a server tells it in a sentence only', () => {
    const sentence = 'INVITE failed: sip status: 486: Busy Here';
    expect(dialFailure(passedOn(429, 'resource_exhausted', sentence))).toMatchObject({
      ...{ kind: 'refused', status: 'busy', sipStatus: 486 },
    });
  });

  it('counts beside codes and fields that this release does not know', () => {
    const meta = { sip_status_code: '486', sip_status: 'Busy Here', sip_hangup_cause: '17', trace: 'x' };
    const error = new SipCallError('Error', 'INVITE failed', 499, 'callee_engaged', meta);
    expect(dialFailure(error)).toMatchObject({ kind: 'refused', status: 'busy', sipStatus: 486 });
  });
});

describe('a carrier that was called too often', () => {
  const says = (status: number, phrase: string) =>
    dialFailure(
      new SipCallError('Error', 'INVITE failed', 412, 'failed_precondition', {
        ...{ sip_status_code: String(status), sip_status: phrase },
      }),
    );

  it.each([
    [429, 'Too Many Requests'],
    [503, 'CPS limit exceeded'],
    [500, 'Trunk CPS limit exceeded'],
    [503, 'Concurrent call limit exceeded'],
    [503, 'Calls per second limit reached'],
    [480, '32202 Account exceeded its calls per second'],
    [403, 'Channel limit exceeded'],
  ])('is waited for: %i %s', (sipStatus, phrase) => {
    expect(says(sipStatus, phrase)).toEqual({
      ...{ kind: 'refused', status: 'failed', endedReason: 'provider_rejected', providerCode: '429' },
      ...{ sipStatus, retryAfterSeconds: 2 },
    });
  });

  it('is given the time that it asks for, and no more than five minutes', () => {
    expect(says(503, 'CPS limit exceeded; retry-after: 9')).toMatchObject({ retryAfterSeconds: 9 });
    const asks = (seconds: string) =>
      dialFailure(new ServerError('Error', 'slow down', 429, 'resource_exhausted', { retry_after: seconds }));
    expect(asks('7')).toMatchObject({ kind: 'refused', retryAfterSeconds: 7 });
    expect(asks('86400')).toMatchObject({ retryAfterSeconds: 300 });
    expect(asks('soon')).toMatchObject({ retryAfterSeconds: 2 });
  });

  it('is another one than a carrier that is out of order, and than a callee that declines', () => {
    expect(says(503, 'Service Unavailable')).toEqual({
      ...{ kind: 'refused', status: 'failed', endedReason: 'sip_error', sipStatus: 503 },
    });
    expect(says(603, 'Decline: too many calls')).toMatchObject({ endedReason: 'declined' });
  });
});

describe('a ringing that the media server ended', () => {
  it('was in vain, unless the room shows an answer', () => {
    expect(dialFailure(passedOn(408, 'canceled', 'sip request timed out'))).toEqual({
      ...{ kind: 'unanswered', status: 'no_answer', endedReason: 'no_answer' },
    });
  });
});

describe('a request that was refused', () => {
  it.each([
    [400, 'invalid_argument'],
    [401, 'unauthenticated'],
    [403, 'permission_denied'],
    [404, 'not_found'],
    [404, 'bad_route'],
    [501, 'unimplemented'],
  ])('by the server itself with %i dialled nothing', (status, code) => {
    expect(dialFailure(twirp(status, code))).toEqual({
      kind: 'refused',
      status: 'failed',
      endedReason: 'provider_rejected',
      providerCode: code,
    });
  });

  it.each([
    [503, 'unavailable', 'no response from servers', 'provider_unavailable', 'no_sip_service'],
    [
      503,
      'unavailable',
      'no servers available (received 1 responses)',
      'provider_unavailable',
      'no_sip_service',
    ],
    [500, 'internal', 'sip not connected (redis required)', 'provider_unavailable', 'no_sip_service'],
    [404, 'not_found', 'requested sip trunk does not exist', 'provider_unavailable', 'no_trunk'],
    [503, 'unavailable', 'cpu exhausted', 'provider_unavailable', 'sip_overloaded'],
    [500, 'unknown', 'failed to listen on udp port', 'provider_unavailable', 'sip_overloaded'],
    [500, 'internal', 'update room failed: not found', 'provider_unavailable', 'room_absent'],
    [500, 'internal', 'update room failed: could not connect', 'provider_unavailable', 'room_not_joined'],
    [412, 'failed_precondition', 'no numbers on outbound trunk', 'provider_rejected', 'trunk_without_number'],
    [400, 'invalid_argument', 'invalid request URI: x', 'provider_rejected', 'invalid_argument'],
    [
      ...([412, 'failed_precondition'] as const),
      'sip server required auth, but no username or password was provided',
      ...(['provider_rejected', 'sip_credentials_refused'] as const),
    ],
  ])('with %i %s "%s" called nobody', (status, code, message, endedReason, providerCode) => {
    expect(dialFailure(passedOn(status, code, message))).toEqual({
      ...{ kind: 'refused', status: 'failed', endedReason, providerCode },
    });
  });

  it('for too many requests may be sent again', () => {
    expect(dialFailure(twirp(429, 'resource_exhausted'))).toMatchObject({
      ...{ kind: 'refused', providerCode: '429', retryAfterSeconds: 2 },
    });
  });

  it.each([
    ['nobody listens', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['the host has no route', { code: 'EHOSTUNREACH', syscall: 'connect' }],
    ['the name does not resolve', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['connecting takes too long', { code: 'UND_ERR_CONNECT_TIMEOUT' }],
    ['the certificate is for another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['nobody vouches for the certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    ['the certificate has expired', { code: 'CERT_HAS_EXPIRED' }],
  ])('before it was sent, because %s, dialled nothing', (_, cause) => {
    expect(dialFailure(fetchFailed(cause))).toEqual({
      kind: 'refused',
      status: 'failed',
      endedReason: 'provider_unavailable',
    });
  });
});

describe('everything else that goes wrong', () => {
  it.each([
    ['the connection was torn', fetchFailed({ code: 'ECONNRESET', syscall: 'read' })],
    ['the route vanished afterwards', fetchFailed({ code: 'EHOSTUNREACH', syscall: 'read' })],
    ['the other side closed', fetchFailed({ code: 'UND_ERR_SOCKET' })],
    ['time ran out', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['the server broke', twirp(500, 'internal')],
    ['the server is not available', twirp(503, 'unavailable')],
    ['the server waited in vain for its own SIP side', twirp(408, 'deadline_exceeded')],
    ['the callee’s media did not fit', passedOn(412, 'failed_precondition', 'sdp: syntax error')],
    ['the server gives a condition as the reason', twirp(412, 'failed_precondition')],
    ['the carrier fell silent', passedOn(408, 'canceled', 'transaction failed to complete (1 responses)')],
    ['the SIP service is stopping', passedOn(408, 'canceled', 'service shutting down')],
    ['LiveKit’s own 80 seconds were over', passedOn(408, 'deadline_exceeded', 'request timed out')],
    ['the answered callee has no address', passedOn(400, 'invalid_argument', 'lookup x: no such host')],
    ['the server says a code of the future', twirp(422, 'callee_engaged')],
    ['a gateway before it gave up', new ServerError('Bad Gateway', '<html>', 502)],
    ['the answer could not be read', new SyntaxError('Unexpected end of JSON input')],
    ['nobody knows', 'what'],
  ])('leaves the dial in doubt: %s', (_, error) => {
    expect(dialFailure(error)).toEqual({ kind: 'inDoubt', cause: error });
  });
});
