// Tells hosts on this machine or inside the own network from others, by their addresses.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** The addresses of a name, or the address itself. @throws the error of the name server */
export const addressesOf = async (hostname: string): Promise<readonly string[]> => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare)) return [bare];
  return (await lookup(bare, { all: true })).map(({ address }) => address);
};

/** True for addresses that the internet does not lead to. */
export const isPrivate = (address: string): boolean => ipaddr.process(address).range() !== 'unicast';

export const isLoopback = (hostname: string): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (bare === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
};

/** False for a name without an address. */
export const isOwnNetwork = async (hostname: string): Promise<boolean> => {
  const addresses = await addressesOf(hostname).catch(() => []);
  return addresses.length > 0 && addresses.every(isPrivate);
};
