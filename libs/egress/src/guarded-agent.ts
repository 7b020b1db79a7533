// The connections. A socket connects to exactly the checked addresses: a name is resolved once, and the socket gets its
// addresses. Each of them must be allowed. An IP address in the URL is checked here too, because sockets look up names
// only.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { asFailure, EgressFailure, refused } from './failures.js';
import type { Resolve } from './resolve.js';
import type { UrlRules } from './url-rules.js';

export interface GuardOptions {
  readonly rules: UrlRules;
  readonly resolve: Resolve;
  readonly connectTimeoutMs: number;
}

/**
 * All addresses of a host, each of which may be connected to.
 * @throws AppError URL_NOT_ALLOWED when any of them may not; EgressFailure `unresolved` when there are none
 */
const allowedAddresses = async (hostname: string, options: GuardOptions): Promise<LookupAddress[]> => {
  const addresses = await options.resolve(hostname);
  if (addresses.length === 0) throw new EgressFailure('unresolved');
  if (!addresses.every((address) => options.rules.isAllowedAddress(address))) throw refused('address');
  return addresses.map((address) => ({ address, family: isIP(address) }));
};

/** A look-up for sockets that answers allowed addresses only. */
export const guardedLookup =
  (options: GuardOptions): LookupFunction =>
  (hostname, wanted, callback) => {
    allowedAddresses(hostname, options).then(
      (addresses) => {
        const [first] = addresses;
        if (wanted.all === true || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(asFailure(error), []),
    );
  };

/** A pool of connections of which none leads where the rules do not allow. */
export const guardedAgent = (options: GuardOptions): Agent => {
  const { rules, connectTimeoutMs } = options;
  const settings = {
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 250,
  };
  const connectInside = buildConnector(settings);
  const connectOutside = buildConnector({ ...settings, lookup: guardedLookup(options) });
  return new Agent({
    connect: (target, callback) => {
      const host = target.hostname.replace(/^\[|\]$/g, '');
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
      if (rules.isInside(host, port)) connectInside(target, callback);
      else if (isIP(host) !== 0 && !rules.isAllowedAddress(host)) callback(refused('address'), null);
      else connectOutside(target, callback);
    },
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // The whole request has a budget of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
};
