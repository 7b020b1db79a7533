// Sentences that LiveKit says only before the first INVITE left: no phone can have rung. Read in the sources of LiveKit
// 1.13.5 and of its SIP service 1.9.0, and met on both. A sentence that is not listed here proves nothing.
import type { ServerError } from 'livekit-server-sdk';

export type NotDialled =
  /** The media server could not do it now. The same dial may succeed a moment later. */
  | { readonly kind: 'unavailable'; readonly providerCode?: string }
  /** The request itself is at fault: it would be refused again. */
  | { readonly kind: 'rejected'; readonly providerCode?: string };

const unavailable = (providerCode: string): NotDialled => ({ kind: 'unavailable', providerCode });
const rejected = (providerCode?: string): NotDialled => ({
  kind: 'rejected',
  ...(providerCode === undefined ? {} : { providerCode }),
});

const sentences: readonly (readonly [RegExp, NotDialled])[] = [
  // The bus between the server and its SIP services: none has taken the request, and none will.
  [/no response from servers/, unavailable('no_sip_service')],
  [/no servers available/, unavailable('no_sip_service')],
  [/sip not connected \(redis required\)/, unavailable('no_sip_service')],
  // A server that lost its Redis has no trunks until they are made again.
  [/sip trunk does not exist/, unavailable('no_trunk')],
  [/cpu exhausted/, unavailable('sip_overloaded')],
  [/failed to listen on udp port/, unavailable('sip_overloaded')],
  // The SIP service joins the room before it calls.
  [/update room failed: .*not found/, unavailable('room_absent')],
  [/update room failed/, unavailable('room_not_joined')],
  [/no numbers on outbound trunk/, rejected('trunk_without_number')],
  [/invalid (request URI|To header|From header)/, rejected('invalid_argument')],
  [/room name must be set/, rejected('invalid_argument')],
  // The carrier's last word on the INVITE was 401 or 407: it has put nothing through.
  [/sip server required auth/, rejected('sip_credentials_refused')],
  [/max auth retry attempts reached/, rejected('sip_credentials_refused')],
  [/no auth header in sip invite response/, rejected('sip_credentials_refused')],
];

/** The server writes this in front of an answer of another program on its bus, such as a SIP service. */
const fromTheBus = /^twirp error unknown: /;

/** Answers of the server itself, which looks at the request and at the trunk before it asks a SIP service. */
const ownCodes: ReadonlySet<string | undefined> = new Set([
  'invalid_argument',
  'malformed',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'bad_route',
  'unimplemented',
  undefined,
]);

const isOwnRefusal = ({ status, code, message }: ServerError): boolean =>
  !fromTheBus.test(message) &&
  ownCodes.has(code) &&
  (code === 'unimplemented' || (status >= 400 && status < 500 && status !== 408));

/** Undefined for an answer that may have come after an INVITE. */
export const notDialled = (error: ServerError): NotDialled | undefined =>
  sentences.find(([sentence]) => sentence.test(error.message))?.[1] ??
  (isOwnRefusal(error) ? rejected(error.code) : undefined);
