import { describe, expect, it } from '@jest/globals';
import { ServerError, SipCallError } from 'livekit-server-sdk';
import { dialFailure } from './dial-outcome.js';

/** As the server sends it: the SIP side's answer inside an HTTP status that says little. */
const sip = (status: number, httpStatus = 503) =>
  new SipCallError('Error', 'INVITE failed', httpStatus, 'unavailable', { sip_status_code: String(status) });
const twirp = (httpStatus: number, code: string) => new ServerError('Error', 'message', httpStatus, code);
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
    [403, 'failed', 'sip_error'],
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

  it('asks for patience with 429, so that a new attempt may be made', () => {
    expect(dialFailure(sip(429))).toMatchObject({ kind: 'refused', sipStatus: 429, retryAfterSeconds: 2 });
    expect(dialFailure(twirp(429, 'resource_exhausted'))).toMatchObject({
      kind: 'refused',
      retryAfterSeconds: 2,
    });
  });
});

describe('a request that was refused', () => {
  it.each([
    [400, 'invalid_argument'],
    [401, 'unauthenticated'],
    [403, 'permission_denied'],
    [404, 'not_found'],
    [412, 'failed_precondition'],
  ])('with %i dialled nothing', (status, code) => {
    expect(dialFailure(twirp(status, code))).toEqual({
      kind: 'refused',
      status: 'failed',
      endedReason: 'provider_rejected',
      providerCode: code,
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

describe('whatever else went wrong', () => {
  it.each([
    ['the connection was torn', fetchFailed({ code: 'ECONNRESET', syscall: 'read' })],
    ['the route vanished afterwards', fetchFailed({ code: 'EHOSTUNREACH', syscall: 'read' })],
    ['the other side closed', fetchFailed({ code: 'UND_ERR_SOCKET' })],
    ['time ran out', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['the server broke', twirp(500, 'internal')],
    ['the server is not available', twirp(503, 'unavailable')],
    ['the server waited in vain for its own SIP side', twirp(408, 'deadline_exceeded')],
    ['a gateway before it gave up', new ServerError('Bad Gateway', '<html>', 502)],
    ['the answer could not be read', new SyntaxError('Unexpected end of JSON input')],
    ['nobody knows', 'what'],
  ])('leaves the dial in doubt: %s', (_, error) => {
    expect(dialFailure(error)).toEqual({ kind: 'inDoubt', cause: error });
  });
});
