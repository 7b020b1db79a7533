// Names to addresses, through DNS alone. So neither the hosts file nor search domains make a public name out of an inner
// one. A slow name server holds no thread of the process.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Every address of a name, of both families; none when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * @param timeoutMs for one question to one name server; each is asked twice
 * @param servers name servers other than the machine's own
 */
export const dnsResolve = (timeoutMs = 1_000, servers?: readonly string[]): Resolve => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    return addresses.filter((address) => isIP(address) !== 0);
  };
};
