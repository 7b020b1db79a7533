// Ranges of client addresses in CIDR notation. An IPv4 address that comes as IPv6 is the same address.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const pattern = /^([0-9A-Fa-f:.]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/;
const mappedBits = 96;

const address = z.union([z.ipv4(), z.ipv6()]);

type Address = ReturnType<typeof ipaddr.parse>;

export interface AddressRange {
  readonly network: Address;
  readonly bits: number;
}

const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

const isMapped = (address: Address): boolean =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();

/** The address itself, where the range of that many bits begins with it; a range must not name an address inside. */
const isNetwork = ({ network, bits }: AddressRange): boolean => {
  const bytes = network.toByteArray();
  return bytes.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return (byte & (0xff >> kept)) === 0;
  });
};

/** The range that a text names; undefined for a text that names none. */
export const parseRange = (text: string): AddressRange | undefined => {
  const [, start = '', suffix] = pattern.exec(text) ?? [];
  if (!address.safeParse(start).success) return undefined;
  const given = ipaddr.parse(start);
  const bits = suffix === undefined ? bitsOf(given) : Number(suffix);
  if (bits > bitsOf(given)) return undefined;
  const range = { network: given, bits };
  if (!isNetwork(range)) return undefined;
  if (!isMapped(given) || bits < mappedBits) return range;
  return { network: ipaddr.process(start), bits: bits - mappedBits };
};

/** The one spelling of a range; undefined for text that is none, or that names an address inside a larger range. */
export const canonicalRange = (text: string): string | undefined => {
  const range = parseRange(text);
  return range === undefined ? undefined : `${range.network.toString()}/${range.bits}`;
};
