// The scenario of a telephone that calls in: it rings the platform, talks for a while and hangs up.
import {
  body,
  description,
  label,
  okToLast,
  type Place,
  repeated,
  scenario,
  send,
  tag,
  wait,
  waitAfterBye,
} from './sipp-scenario.js';

export interface CallIn {
  /** E.164 */
  readonly from: string;
  readonly to: string;
  /** Host and port of the SIP service that takes the call. */
  readonly sipAddress: string;
  /** The caller gives up after it has rung for this long. */
  readonly patienceMs: number;
  /** The caller hangs up after this long, where the far end has not. */
  readonly talkMs: number;
}

/** SIPp waits for statuses one by one. Any other ends the call as well, without an ACK. */
const refusals = [400, 401, 403, 404, 407, 408, 480, 481, 486, 487, 488, 500, 503, 600, 603];

export const callInScenario = (place: Place, call: CallIn): string => {
  const uri = `sip:${call.to}@${call.sipAddress}`;
  const from = `From: <sip:${call.from}@${place.carrier}>${tag}`;
  const via = `Via: SIP/2.0/UDP ${place.carrier};branch=[branch]`;
  const contact = `Contact: <sip:${call.from}@${place.carrier}>`;
  const own = ['Max-Forwards: 70', 'Call-ID: [call_id]', contact];
  const refused = refusals.map((status) => ({ is: `response="${status}"`, next: 'refused' }));
  const answers = [
    ...[100, 180, 183].map((status) => ({ is: `response="${status}"`, next: 'ringing' })),
    ...refused,
    { is: 'response="200" rrs="true"', next: 'answered' },
  ];
  return scenario('caller', [
    send(
      [
        `INVITE ${uri} SIP/2.0`,
        via,
        from,
        `To: <${uri}>`,
        'CSeq: 1 INVITE',
        ...own,
        ...body(description(place)),
      ],
      repeated,
    ),
    label('ringing'),
    wait(call.patienceMs, 'give-up', answers),
    label('give-up'),
    send(
      [
        `CANCEL ${uri} SIP/2.0`,
        '[last_Via:]',
        from,
        `To: <${uri}>`,
        'CSeq: 1 CANCEL',
        ...own,
        ...body(undefined),
      ],
      repeated,
    ),
    wait(5_000, 'end', [...refused, { is: 'response="200"', next: 'given-up' }]),
    label('given-up'),
    wait(5_000, 'end', [...refused]),
    label('refused'),
    send(
      [`ACK ${uri} SIP/2.0`, '[last_Via:]', from, '[last_To:]', 'CSeq: 1 ACK', ...own, ...body(undefined)],
      'next="end"',
    ),

    label('answered'),
    send(['ACK [next_url] SIP/2.0', via, from, '[last_To:]', 'CSeq: 1 ACK', ...own, ...body(undefined)]),
    label('talk'),
    wait(call.talkMs, 'hang-up', [
      { is: 'request="INVITE"', next: 'media-again' },
      { is: 'request="ACK"', next: 'talk' },
      { is: 'request="BYE"', next: 'bye' },
    ]),
    label('media-again'),
    okToLast('talk', contact, description(place)),
    label('bye'),
    okToLast('end', contact),
    label('hang-up'),
    send(
      ['BYE [next_url] SIP/2.0', via, from, '[last_To:]', 'CSeq: 2 BYE', ...own, ...body(undefined)],
      repeated,
    ),
    waitAfterBye(),
    label('end'),
  ]);
};
