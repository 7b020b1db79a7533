// The address that limits count by.
import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/** The first four groups of an IPv6 address: one household or machine gets that network and can roam in it. */
const network = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  return `${filled
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
};

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Normal form of an address: an IPv4 address, or the /64 network of an IPv6 address. */
export const normalizeAddress = (address: string): string => {
  const plain = address.replace(/%.*$/, '');
  const v4 = mapped.exec(plain)?.[1];
  if (v4 !== undefined) return v4;
  return isIPv6(plain) ? network(plain) : plain;
};

/** The address of a client behind as many proxies as configured; see TRUST_PROXY_HOPS. */
export const clientAddress = (request: Request): string => normalizeAddress(request.ip ?? 'unknown');
