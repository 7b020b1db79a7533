// The ports for sound on the machine of the bridges to telephones. The doctor sends a datagram to each of some ports, and
// waits for it at the port itself. It uses the public address, which providers are told. A firewall that only refuses other
// machines is not seen from here.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { isOwnNetwork, isPrivate } from '../probe/addresses.js';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';

const page = 'docs/operations.md';

const findings = {
  RTP_PORTS_CLOSED: {
    severity: 'broken',
    says: 'A port for sound does not get packets that this machine sends to its own public address.',
    advice:
      'Let UDP through to these ports in every firewall and router on the way, and let this machine reach itself by NODE_IP. Callers and agents do not hear each other otherwise.',
    link: page,
  },
  NODE_IP_PRIVATE: {
    severity: 'broken',
    says: 'The address that providers are told is private, and the platform is public.',
    advice: 'Put the public address of this machine into NODE_IP, and start the bridges to telephones again.',
    link: page,
  },
  MEDIA_SETTINGS_INVALID: {
    severity: 'broken',
    says: 'A setting for sound cannot be read.',
    advice: 'Write NODE_IP as an IP address, and RTP_PORTS as the first and the last port: 10000-13999.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

/** The longest way of a datagram, and the number of its sendings: UDP may lose one. */
const patienceMs = 1_000;
const sendings = 3;
/** So many ports of the range are tried. Where calls use one of them, the next one takes its place. */
const samples = 4;
const highestPort = 65_535;

interface Range {
  readonly first: number;
  readonly last: number;
}

const rangeOf = (text: string): Range | undefined => {
  const [, first = Number.NaN, last = Number.NaN] = (/^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).map(Number);
  return first > 0 && first <= last && last <= highestPort ? { first, last } : undefined;
};

/** The bound socket; undefined for a port in use, which shows that a program has it. */
const listenOn = async (port: number, family: 'udp4' | 'udp6'): Promise<Socket | undefined> => {
  const socket = createSocket(family);
  try {
    const listening = once(socket, 'listening');
    socket.bind(port);
    await listening;
    // a late error of the network shows as a datagram that does not arrive
    socket.on('error', () => undefined);
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
};

/** @throws the error of the network, or of a datagram that did not arrive in time */
const arrive = async (
  listener: Socket,
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<void> => {
  const sender = createSocket(ipaddr.process(address).kind() === 'ipv6' ? 'udp6' : 'udp4');
  const word = randomBytes(16);
  const ended = new AbortController();
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs), ended.signal]);
  const heard = new Promise<void>((resolve, reject) => {
    listener.on('message', (message) => message.equals(word) && resolve());
    inTime.addEventListener('abort', () => reject(new Error('It did not arrive within a second.')));
    sender.on('error', reject);
    for (let sent = 0; sent < sendings; sent += 1)
      sender.send(word, port, address, (error) => error && reject(error));
  });
  try {
    await heard;
  } finally {
    ended.abort();
    sender.close();
  }
};

/** Spread over the range, beginning with the first. */
const startsOf = ({ first, last }: Range): readonly number[] => {
  const step = Math.max(1, Math.floor((last - first) / samples));
  return Array.from({ length: samples }, (_, index) => first + index * step).filter((port) => port <= last);
};

/** The first free port from there on, and whether it heard; undefined where the ports there are in use. */
const tryFrom = async (start: number, { last }: Range, address: string, signal: AbortSignal) => {
  const family = ipaddr.process(address).kind() === 'ipv6' ? 'udp6' : 'udp4';
  for (let port = start; port <= Math.min(last, start + 20); port += 1) {
    const listener = await listenOn(port, family);
    if (listener === undefined) continue;
    try {
      await arrive(listener, address, port, signal);
      return { port, seen: undefined };
    } catch (error) {
      return { port, seen: causeInWords(error) };
    } finally {
      listener.close();
    }
  }
  return undefined;
};

const lookAtPorts = async (looking: Looking<Code>, address: string, range: Range): Promise<void> => {
  const { found, note, signal } = looking;
  const tried = await Promise.all(startsOf(range).map((start) => tryFrom(start, range, address, signal)));
  const free = tried.filter((one) => one !== undefined);
  const closed = free.filter(({ seen }) => seen !== undefined);
  const portsOf = (some: typeof free): string => some.map(({ port }) => port).join(', ');
  if (closed.length > 0)
    found('RTP_PORTS_CLOSED', {
      subject: `${address}, ports ${portsOf(closed)}`,
      seen: `A datagram was sent from this machine to each. ${closed[0]?.seen ?? ''}`,
    });
  else if (free.length > 0) note(`Datagrams to ${address} arrive at the ports ${portsOf(free)}.`);
  else note(`All ports that were tried from ${range.first} to ${range.last} are in use.`);
};

export const media = defineCheck<Code>({
  name: 'media',
  about:
    'The machine of the bridges to telephones reaches its own ports for sound by the address that providers are told.',
  needs: ['NODE_IP', 'RTP_PORTS'],
  uses: ['PUBLIC_URL'],
  findings,
  look: async (looking) => {
    const { NODE_IP = '', RTP_PORTS = '', PUBLIC_URL } = looking.variables;
    const range = rangeOf(RTP_PORTS);
    if (range === undefined || !ipaddr.isValid(NODE_IP)) {
      const subject = range === undefined ? `RTP_PORTS ${RTP_PORTS}` : `NODE_IP ${NODE_IP}`;
      return looking.found('MEDIA_SETTINGS_INVALID', { subject, seen: 'The setting has another form.' });
    }
    const isPublic = PUBLIC_URL !== undefined && !(await isOwnNetwork(new URL(PUBLIC_URL).hostname));
    if (isPublic && isPrivate(NODE_IP))
      looking.found('NODE_IP_PRIVATE', {
        subject: `NODE_IP ${NODE_IP}`,
        seen: `PUBLIC_URL ${new URL(PUBLIC_URL).hostname} is public.`,
      });
    await lookAtPorts(looking, NODE_IP, range);
  },
});
