// The scenario that one SIPp process plays for all telephones. The carrier writes the behaviour of the called phone into
// each INVITE (header X-Telephone); the scenario branches on it. A pure function, so that it is tested without SIPp.
import { type Played, played } from './behaviours.js';
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

export interface PhoneHabits {
  /** An answering phone hangs up after this long, where the far end has not. */
  readonly talkMs: number;
}

export const behaviourHeader = 'X-Telephone';

export const answerScenario = (place: Place, { talkMs }: PhoneHabits): string => {
  const contact = `Contact: <sip:telephone@${place.carrier}>`;
  const media = description(place);

  /** To the INVITE, whichever message came last: a CANCEL carries its Via, From, To and Call-ID. */
  const toInvite = (status: string, { sdp = false, final = true } = {}): string =>
    send(
      [
        `SIP/2.0 ${status}`,
        '[last_Via:]',
        '[last_From:]',
        `[last_To:]${tag}`,
        '[last_Call-ID:]',
        'CSeq: [$cseq] INVITE',
        contact,
        ...body(sdp ? media : undefined),
      ],
      final ? repeated : '',
    );

  const cancelable = (ms: number, then: string): string =>
    wait(ms, then, [{ is: 'request="CANCEL"', next: 'cancelled' }]);
  const ring = (ms: number, then: string): string =>
    [toInvite('180 Ringing', { final: false }), cancelable(ms, then)].join('\n');
  const refuse = (name: Played, status: string, rings: boolean): string =>
    [
      label(name),
      rings ? ring(1_000, `${name}-final`) : cancelable(100, `${name}-final`),
      label(`${name}-final`),
      toInvite(status),
      wait(32_000, 'end', [{ is: 'request="ACK"', next: 'end' }]),
    ].join('\n');

  const parts: Readonly<Record<Played, string>> = {
    answers: [label('answers'), ring(800, 'picked-up')].join('\n'),
    'answers-late': [label('answers-late'), ring(20_000, 'picked-up')].join('\n'),
    'early-media': [
      label('early-media'),
      toInvite('183 Session Progress', { sdp: true, final: false }),
      cancelable(3_000, 'picked-up'),
    ].join('\n'),
    'hangs-up': [
      label('hangs-up'),
      ring(800, 'picked-up-in-vain'),
      label('picked-up-in-vain'),
      toInvite('200 OK', { sdp: true }),
      wait(32_000, 'hang-up', [{ is: 'request="ACK"', next: 'hang-up' }]),
    ].join('\n'),
    'rings-out': [label('rings-out'), ring(180_000, 'switched-off')].join('\n'),
    busy: refuse('busy', '486 Busy Here', true),
    declines: refuse('declines', '603 Decline', true),
    'switched-off': refuse('switched-off', '480 Temporarily Unavailable', false),
    'no-such-number': refuse('no-such-number', '404 Not Found', false),
    error: refuse('error', '500 Server Internal Error', false),
    unavailable: refuse('unavailable', '503 Service Unavailable', false),
    'over-pace': refuse('over-pace', '503 Calls per second exceeded', false),
  };

  return scenario('telephones', [
    '<recv request="INVITE" rrs="true"><action>',
    '<ereg regexp="[0-9]+" search_in="hdr" header="CSeq:" assign_to="cseq"/>',
    '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>',
    '<ereg regexp=".*" search_in="hdr" header="To:" assign_to="callee"/>',
    ...played.map(
      (name) =>
        `<ereg regexp="^ *${name} *$" search_in="hdr" header="${behaviourHeader}:" assign_to="is-${name}"/>`,
    ),
    '</action></recv>',
    send([
      'SIP/2.0 100 Trying',
      '[last_Via:]',
      '[last_From:]',
      '[last_To:]',
      '[last_Call-ID:]',
      '[last_CSeq:]',
      ...body(undefined),
    ]),
    ...played.map((name) => `<nop next="${name}" test="is-${name}"/>`),
    ...played.map((name) => parts[name]),

    label('cancelled'),
    send([
      'SIP/2.0 200 OK',
      '[last_Via:]',
      '[last_From:]',
      `[last_To:]${tag}`,
      '[last_Call-ID:]',
      '[last_CSeq:]',
      ...body(undefined),
    ]),
    toInvite('487 Request Terminated'),
    wait(32_000, 'end', [{ is: 'request="ACK"', next: 'end' }]),

    label('picked-up'),
    toInvite('200 OK', { sdp: true }),
    wait(32_000, 'end', [
      { is: 'request="CANCEL"', next: 'too-late' },
      { is: 'request="ACK"', next: 'talk' },
    ]),
    label('talk'),
    wait(talkMs, 'hang-up', [
      { is: 'request="BYE"', next: 'bye' },
      { is: 'request="INVITE"', next: 'media-again' },
      { is: 'request="ACK"', next: 'talk' },
      { is: 'request="CANCEL"', next: 'too-late' },
    ]),
    label('media-again'),
    okToLast('talk', contact, media),
    // a CANCEL that comes after the answer ends nothing, and a call without an ACK is none
    label('too-late'),
    okToLast('end', contact),
    label('bye'),
    okToLast('end', contact),

    label('hang-up'),
    send(
      [
        'BYE [next_url] SIP/2.0',
        `Via: SIP/2.0/UDP ${place.carrier};branch=[branch]`,
        'Max-Forwards: 70',
        `From: [$callee]${tag}`,
        'To: [$caller]',
        'Call-ID: [call_id]',
        'CSeq: 1 BYE',
        ...body(undefined),
      ],
      repeated,
    ),
    waitAfterBye(),
    label('end'),
  ]);
};
