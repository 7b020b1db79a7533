// Reads the few facts of a SIP datagram that the carrier needs: its call, its kind, and the address for audio. SIPp
// answers, repeats and waits.

export interface SipMessage {
  /** Undefined in responses. */
  readonly method: string | undefined;
  /** Undefined in requests. */
  readonly status: number | undefined;
  /** Of a request: the number in its address. */
  readonly number: string;
  readonly callId: string;
  /** Number and method, such as "1 INVITE". */
  readonly cseq: string;
  header(name: string): string | undefined;
  readonly body: string;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const shortNames: Readonly<Record<string, string>> = { 'call-id': 'i', from: 'f', to: 't', via: 'v' };

const numberOf = (uri: string): string => /sips?:([^@;>]*)@/.exec(uri)?.[1] ?? '';

/** Undefined for a datagram that is no SIP message, such as the empty lines that keep a connection alive. */
export const readSip = (datagram: Buffer): SipMessage | undefined => {
  const text = datagram.toString('utf8');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const request = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first);
  const response = /^SIP\/2\.0 (\d{3})/.exec(first);
  if (!request && !response) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const header = (name: string): string | undefined =>
    headers.get(name.toLowerCase()) ?? headers.get(shortNames[name.toLowerCase()] ?? '');
  return {
    method: request?.[1],
    status: response ? Number(response[1]) : undefined,
    number: numberOf(request?.[2] ?? ''),
    callId: header('Call-ID') ?? '',
    cseq: header('CSeq') ?? '',
    header,
    body: rest.join('\r\n\r\n'),
  };
};

export const tagOf = (address: string | undefined): string | undefined =>
  /;\s*tag=([^;\s]+)/.exec(address ?? '')?.[1];

export const callerOf = (message: SipMessage): string => numberOf(message.header('From') ?? '');

/** Where the sender of a description wants its audio. */
export const audioOf = (description: string): Address | undefined => {
  const host = /^c=IN IP4 (\S+)/m.exec(description)?.[1];
  const port = Number(/^m=audio (\d+)/m.exec(description)?.[1]);
  return host !== undefined && port > 0 ? { host, port } : undefined;
};

/** The same message with one header more. */
export const withHeader = (datagram: Buffer, name: string, value: string): Buffer => {
  const end = datagram.indexOf('\r\n\r\n');
  const line = Buffer.from(`\r\n${name}: ${value}`);
  return Buffer.concat([datagram.subarray(0, end), line, datagram.subarray(end)]);
};

/** An answer that needs no call, made of the request's own headers. */
export const answerTo = (request: SipMessage, status: string): Buffer => {
  const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map(
    (name) => `${name}: ${request.header(name) ?? ''}`,
  );
  return Buffer.from([`SIP/2.0 ${status}`, ...copied, 'Content-Length: 0', '', ''].join('\r\n'));
};
