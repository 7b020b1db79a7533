// Whether the address of a client lies in ranges. An IPv4 address that comes as IPv6 is the same address.
import { isIP } from 'node:net';
import { parseRange } from '@parlance/contracts';
import ipaddr from 'ipaddr.js';

/** Whether an address lies in one of the ranges; text that is no address lies nowhere. */
export const rangesInclude = (ranges: readonly string[]): ((address: string) => boolean) => {
  const parsed = ranges.flatMap((text) => parseRange(text) ?? []);
  return (text) => {
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return parsed.some(
      ({ network, bits }) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
};
