// The scenario that one SIPp process plays for all telephones. The carrier writes the behaviour of the called phone into
// each INVITE (header X-Telephone); the scenario branches on it. A pure function, so that it is tested without SIPp.
import { type Played, played } from './behaviours.js';

export interface Place {
  /** Host and port of the carrier; all signalling goes through it. */
  readonly carrier: string;
  /** Where the carrier takes audio. */
  readonly mediaPort: number;
}

export interface PhoneHabits {
  /** An answering phone hangs up after this long, where the far end has not. */
  readonly talkMs: number;
}

export const behaviourHeader = 'X-Telephone';

/** The media of every phone, as it answers and as it offers: PCMU. */
export const description = ({ mediaPort }: Place): string[] => [
  'v=0',
  'o=telephone 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  `m=audio ${mediaPort} RTP/AVP 0 101`,
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-16',
  'a=ptime:20',
  'a=sendrecv',
];

/** @param attributes of the element, such as where to go on and when to say it again */
export const send = (lines: readonly string[], attributes = ''): string =>
  `<send ${attributes}><![CDATA[\n${lines.join('\n')}\n]]></send>`;

/** Signalling and media in one message; SIPp counts the length. */
export const body = (lines: readonly string[] | undefined): string[] =>
  lines === undefined
    ? ['Content-Length: 0', '', '']
    : ['Content-Type: application/sdp', 'Content-Length: [len]', '', ...lines, ''];

/** As often as UDP needs until the other side has heard it. */
export const repeated = 'retrans="500"';
const tag = ';tag=[pid]x[call_number]';

/** SIPp waits with a timeout of the first message of a row, so all of them carry it. */
export const wait = (
  ms: number,
  otherwise: string,
  messages: readonly { readonly is: string; readonly next: string }[],
): string =>
  messages
    .map(({ is, next }, index) => {
      const optional = index < messages.length - 1 ? 'optional="true" ' : '';
      return `<recv ${is} ${optional}timeout="${ms}" ontimeout="${otherwise}" next="${next}"/>`;
    })
    .join('\n');

const label = (id: string): string => `<label id="${id}"/>`;

export const scenario = (name: string, parts: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
    `<scenario name="${name}">`,
    ...parts,
    '</scenario>',
    '',
  ].join('\n');

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
  /** To the last message within the call: both sides have their tags already. */
  const toLast = (next: string, sdp = false): string =>
    send(
      [
        'SIP/2.0 200 OK',
        '[last_Via:]',
        '[last_From:]',
        '[last_To:]',
        '[last_Call-ID:]',
        '[last_CSeq:]',
        contact,
        ...body(sdp ? media : undefined),
      ],
      `next="${next}"`,
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
    toLast('talk', true),
    // a CANCEL that comes after the answer ends nothing, and a call without an ACK is none
    label('too-late'),
    toLast('end'),
    label('bye'),
    toLast('end'),

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
    wait(5_000, 'end', [
      { is: 'request="BYE"', next: 'bye' },
      { is: 'response="481"', next: 'end' },
      { is: 'response="200"', next: 'end' },
    ]),
    label('end'),
  ]);
};
