// Judges by its text alone whether the platform would ever call a URL for a customer. The URL is judged when it is saved,
// before it is fetched, and at every redirect. The place where a name leads is judged at the connection.
import { isIP } from 'node:net';
import type { AppError } from '@parlance/errors';
import { isPublicAddress, parseRange, type Range } from './addresses.js';
import { type RefusalReason, refused } from './failures.js';

export interface UrlRulesOptions {
  /**
   * Hosts inside the own network that may be called, with plain http too; none unless given. An entry without a port,
   * such as `10.0.0.7`, allows every port of its host. One with a port, such as `127.0.0.1:8080`, allows that port alone.
   */
  readonly allowPrivate?: readonly string[];
  /** Addresses and ranges that are refused besides those that are not public, such as the cluster's own. */
  readonly deny?: readonly string[];
  /** Plain http for every host; for documents, never for requests with a credential. */
  readonly plainHttp?: boolean;
  /** 443 and 8443, and 80 where plain http is allowed, unless given. */
  readonly ports?: readonly number[] | 'any';
}

const insideNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;
// The parser lets the braces of a placeholder through; the target of such a host is unknown.
const plainHost = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');

const withPort = /^(\[[^\]]+\]|[^:]+):(\d+)$/;

/** A colon between host and port would make `::1` with port 9000 the address `::1:9000`. */
const placeOf = (host: string, port: number): string => `${bare(host)} ${port}`;

const insideEntry = (text: string): string => {
  const [, host, port] = withPort.exec(text) ?? [];
  return host === undefined ? bare(text) : placeOf(host, Number(port));
};

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

export class UrlRules {
  readonly #inside: ReadonlySet<string>;
  readonly #denied: readonly Range[];
  readonly #plainHttp: boolean;
  readonly #ports: readonly number[] | 'any';

  /** @throws Error for a range in `deny` that is none */
  constructor({ allowPrivate = [], deny = [], plainHttp = false, ports }: UrlRulesOptions = {}) {
    this.#inside = new Set(allowPrivate.map(insideEntry));
    this.#denied = deny.map(parseRange);
    this.#plainHttp = plainHttp;
    this.#ports = ports ?? (plainHttp ? [443, 8443, 80] : [443, 8443]);
  }

  /** True for a host and port that an operator has named; the host without brackets or with them. */
  isInside(host: string, port: number): boolean {
    return this.#inside.has(bare(host)) || this.#inside.has(placeOf(host, port));
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
    const url = URL.parse(text);
    if (url === null) throw refused('not_a_url');
    const refusal = this.#refusal(url);
    if (refusal !== undefined) throw refused(refusal);
    url.hostname = url.hostname.replace(/\.$/, '');
    url.hash = '';
    return url;
  }

  /** The refusal of the URL; undefined when the URL is allowed. */
  refusal(text: string): AppError | undefined {
    const url = URL.parse(text);
    if (url === null) return refused('not_a_url');
    const reason = this.#refusal(url);
    return reason === undefined ? undefined : refused(reason);
  }

  #refusal(url: URL): RefusalReason | undefined {
    if (url.username !== '' || url.password !== '') return 'credentials';
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
    const host = url.hostname.toLowerCase();
    if (!plainHost.test(host)) return 'host';
    if (this.isInside(host, portOf(url))) return undefined;
    if (url.protocol === 'http:' && !this.#plainHttp) return 'scheme';
    if (this.#ports !== 'any' && !this.#ports.includes(portOf(url))) return 'port';
    return this.#refusalOfHost(bare(host));
  }

  #refusalOfHost(host: string): RefusalReason | undefined {
    if (isIP(host) !== 0) return this.isAllowedAddress(host) ? undefined : 'address';
    return host.includes('.') && !insideNames.test(host) ? undefined : 'host';
  }
}
