// The addresses from which calls are accepted. LiveKit compares the source of each INVITE with them before it makes a room.
import type { Secret } from '@parlance/config';
import { canonicalRange } from '@parlance/contracts';
import type { InboundRoute } from '@parlance/media-rooms';

/**
 * The signalling addresses that the providers publish, as of 2026-11-28. A provider that announces another one makes an update of
 * this list, or of SIP_INBOUND_ADDRESSES, necessary.
 */
export const publishedAddresses = {
  /** https://www.twilio.com/docs/sip-trunking/ip-addresses, all regions: a trunk fails over across them. */
  TWILIO: [
    '54.172.60.0/30',
    '54.244.51.0/30',
    '54.171.127.192/30',
    '35.156.191.128/30',
    '54.65.63.192/30',
    '54.169.127.128/30',
    '54.252.254.64/30',
    '177.71.206.192/30',
  ],
  /** https://sip.telnyx.com, both addresses of each region. */
  TELNYX: [
    '192.76.120.10/32',
    '64.16.250.10/32',
    '185.246.41.140/31',
    '103.115.244.145/32',
    '103.115.244.146/32',
    '192.76.120.31/32',
    '64.16.250.13/32',
    '103.115.244.158/31',
  ],
} as const;

export const providersAddresses: readonly string[] = Object.values(publishedAddresses).flat();

/** A range with fewer bits is no list of a provider's machines. */
const fewestBits = { ipv4: 8, ipv6: 16 } as const;

const isWide = (range: string): boolean => {
  const [network = '', bits] = range.split('/');
  return Number(bits) < (network.includes(':') ? fewestBits.ipv6 : fewestBits.ipv4);
};

export interface InboundAddresses {
  /** In their one spelling, sorted. Each has a prefix length: LiveKit compares an address without one with what the caller writes, too. */
  readonly ranges: readonly string[];
  /** Texts that are no address and no range. */
  readonly malformed: readonly string[];
  /** Ranges that let practically anybody in. */
  readonly wide: readonly string[];
}

/** @param text addresses and ranges with commas between them */
export const inboundAddresses = (text: string): InboundAddresses => {
  const written = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const ranges = new Set<string>();
  const malformed: string[] = [];
  for (const part of written) {
    const range = canonicalRange(part);
    if (range === undefined) malformed.push(part);
    else ranges.add(range);
  }
  const sorted = [...ranges].sort();
  return { ranges: sorted, malformed, wide: sorted.filter(isWide) };
};

/** Who may call the platform's numbers. */
export type InboundRules = Pick<InboundRoute, 'allowedAddresses' | 'credentials'>;

/** The variables that say who may call, after they were checked. */
export interface InboundRulesEnv {
  readonly SIP_INBOUND_ADDRESSES: string;
  readonly SIP_INBOUND_USERNAME?: string | undefined;
  readonly SIP_INBOUND_PASSWORD?: Secret | undefined;
}

/** @throws Error where no address may call */
export const inboundRulesOf = ({
  SIP_INBOUND_ADDRESSES: text,
  SIP_INBOUND_USERNAME: username,
  SIP_INBOUND_PASSWORD: password,
}: InboundRulesEnv): InboundRules => {
  const [first, ...others] = inboundAddresses(text).ranges;
  if (first === undefined) throw new Error('no address may call');
  const credentials = username === undefined || password === undefined ? undefined : { username, password };
  return { allowedAddresses: [first, ...others], credentials };
};

/** True where a trunk accepts calls from anybody: it lists no address, or one that covers practically all. */
export const isOpenToAnybody = (allowedAddresses: readonly string[]): boolean =>
  allowedAddresses.length === 0 || inboundAddresses(allowedAddresses.join()).wide.length > 0;
