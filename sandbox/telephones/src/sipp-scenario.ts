// The words that scenarios of SIPp are written in: messages that are sent or waited for, and labels to go on at.

export interface Place {
  /** Host and port of the carrier; all signalling goes through it. */
  readonly carrier: string;
  /** The port at which the carrier takes audio. */
  readonly mediaPort: number;
}

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

/** SIPp repeats a message over UDP until the other side answers it; the first time after half a second. */
export const repeated = 'retrans="500"';
/** Ends the From or To of a telephone. */
export const tag = ';tag=[pid]x[call_number]';

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

export const label = (id: string): string => `<label id="${id}"/>`;

export const scenario = (name: string, parts: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
    `<scenario name="${name}">`,
    ...parts,
    '</scenario>',
    '',
  ].join('\n');

const headersOfLast = ['[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'];

/** To the last message within the call: both sides have their tags already. */
export const okToLast = (next: string, contact: string, media?: readonly string[]): string =>
  send(['SIP/2.0 200 OK', ...headersOfLast, contact, ...body(media)], `next="${next}"`);

/** After a BYE of the telephone's own: the call is over, also where the far end hung up at the same moment. */
export const waitAfterBye = (): string =>
  wait(5_000, 'end', [
    { is: 'request="BYE"', next: 'bye' },
    { is: 'response="481"', next: 'end' },
    { is: 'response="200"', next: 'end' },
  ]);
