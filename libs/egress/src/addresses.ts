// The addresses of the public internet. All others are refused: the own network, the machine itself, and the addresses
// at which clouds answer metadata. Ranges that carry an IPv4 address inside an IPv6 one are refused too.
import ipaddr from 'ipaddr.js';

/** Public by their range, and still not for customers. */
const services = new Set([
  '168.63.129.16', // Azure's wire server, which hands out a machine's secrets
]);
const reservedIpv4 = ipaddr.parseCIDR('198.18.0.0/15');
/** The only range of IPv6 out of which public addresses are given. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');
const documentationIpv6 = ipaddr.parseCIDR('3fff::/20');

export type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * A range of addresses, or one address, as an operator writes it.
 * @throws Error when it is neither
 */
export const parseRange = (text: string): Range => {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new Error(`"${text}" is neither an IP address nor a range such as 10.1.0.0/16`, { cause });
  }
};

type Address = ReturnType<typeof ipaddr.process>;

const within = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match([network, bits] as never); // same kind, which the types do not see

const isPublicIpv6 = (address: Address): boolean =>
  within(address, globalIpv6) && !within(address, documentationIpv6);

/**
 * True for an address of the public internet.
 * @param text an IP address without brackets; anything else is not public
 * @param denied ranges that are refused besides
 */
export const isPublicAddress = (text: string, denied: readonly Range[] = []): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || services.has(address.toString())) return false;
  if (denied.some((range) => within(address, range))) return false;
  return address.kind() === 'ipv4' ? !within(address, reservedIpv4) : isPublicIpv6(address);
};
