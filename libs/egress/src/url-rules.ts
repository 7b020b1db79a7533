// Is this a URL that we would ever call for a customer? Judged by its text alone: when it is saved, before it is
// fetched, and at every redirect. Where a name leads is judged at the connection.
import { isIP } from 'node:net';
import type { AppError } from '@parlance/errors';
import { isPublicAddress, parseRange, type Range } from './addresses.js';
import { type RefusalReason, refused } from './failures.js';

export interface UrlRulesOptions {
  /** Hosts inside the own network that may be called, with plain http and on any port too; none unless given. */
  readonly allowPrivate?: readonly string[];
  /** Addresses and ranges that are refused besides those that are not public, such as the cluster's own. */
  readonly deny?: readonly string[];
  /** Plain http for every host; for documents, never for what carries a credential. */
  readonly plainHttp?: boolean;
  /** 443 and 8443, and 80 where plain http is allowed, unless given. */
  readonly ports?: readonly number[] | 'any';
}

const insideNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;
// The parser lets the braces of a placeholder through; nobody could say where such a host leads.
const plainHost = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

export class UrlRules {
  readonly #inside: ReadonlySet<string>;
  readonly #denied: readonly Range[];
  readonly #plainHttp: boolean;
  readonly #ports: readonly number[] | 'any';

  /** @throws Error for a range in `deny` that is none */
  constructor({ allowPrivate = [], deny = [], plainHttp = false, ports }: UrlRulesOptions = {}) {
    this.#inside = new Set(allowPrivate.map(bare));
    this.#denied = deny.map(parseRange);
    this.#plainHttp = plainHttp;
    this.#ports = ports ?? (plainHttp ? [443, 8443, 80] : [443, 8443]);
  }

  /** True for a host that an operator has named; without brackets or with them. */
  isInside(host: string): boolean {
    return this.#inside.has(bare(host));
  }

  /** True for an IP address that may be connected to. */
  isAllowedAddress(address: string): boolean {
    return isPublicAddress(address, this.#denied);
  }

  /**
   * The URL as it will be called: without a trailing dot, and without the fragment.
   * @throws AppError URL_NOT_ALLOWED
   */
  check(text: string): URL {
    if (!URL.canParse(text)) throw refused('not_a_url');
    const url = new URL(text);
    const refusal = this.#refusal(url);
    if (refusal !== undefined) throw refused(refusal);
    url.hostname = url.hostname.replace(/\.$/, '');
    url.hash = '';
    return url;
  }

  /** What is wrong with the URL; undefined when nothing is. */
  refusal(text: string): AppError | undefined {
    if (!URL.canParse(text)) return refused('not_a_url');
    const reason = this.#refusal(new URL(text));
    return reason === undefined ? undefined : refused(reason);
  }

  #refusal(url: URL): RefusalReason | undefined {
    if (url.username !== '' || url.password !== '') return 'credentials';
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
    const host = url.hostname.toLowerCase();
    if (!plainHost.test(host)) return 'host';
    if (this.isInside(host)) return undefined;
    if (url.protocol === 'http:' && !this.#plainHttp) return 'scheme';
    if (this.#ports !== 'any' && !this.#ports.includes(portOf(url))) return 'port';
    return this.#refusalOfHost(bare(host));
  }

  #refusalOfHost(host: string): RefusalReason | undefined {
    if (isIP(host) !== 0) return this.isAllowedAddress(host) ? undefined : 'address';
    return host.includes('.') && !insideNames.test(host) ? undefined : 'host';
  }
}
