// Origins of websites: which ones a widget may name, and which page a named one admits. A browser tells its origin in one
// spelling, so every comparison is exact.
import { getPublicSuffix } from 'tldts';
import { answersWith, text } from './text.js';

const wildcard = '*.';
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

const canonical = (value: string): URL | undefined => {
  const url = URL.parse(value);
  return url?.origin === value ? url : undefined;
};

const isIpAddress = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith('[');

const isHttps = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname));

const isHost = (hostname: string): boolean =>
  isIpAddress(hostname) || hostname.split('.').every((part) => label.test(part));

/** A wildcard on a suffix under which any person can register, such as co.uk or github.io, would admit strangers. */
const isOnPublicSuffix = (hostname: string): boolean =>
  !hostname.includes('.') || getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname;

const schemeEnd = '://';

/** An exact origin, or one with a leading `*.` that stands for exactly one label. */
const isAllowable = (value: string): boolean => {
  const [scheme = '', host = ''] = value.split(schemeEnd);
  if (!host.startsWith(wildcard)) {
    const exact = canonical(value);
    return exact !== undefined && isHttps(exact) && isHost(exact.hostname);
  }
  const rest = canonical(`${scheme}${schemeEnd}${host.slice(wildcard.length)}`);
  if (rest === undefined || rest.protocol !== 'https:' || isIpAddress(rest.hostname)) return false;
  return isHost(rest.hostname) && !isOnPublicSuffix(rest.hostname);
};

/**
 * An origin that a widget admits: `https://example.com`, with a port where it is not 443, or `https://*.example.com`.
 * Plain http is for pages on the own machine alone.
 */
export const allowedOrigin = text(1, 300).refine(
  isAllowable,
  answersWith(
    'INVALID_ORIGIN',
    'must be an https origin such as https://example.com or https://*.example.com',
  ),
);

const admits = (allowed: string, origin: string): boolean => {
  if (!allowed.includes(`${schemeEnd}${wildcard}`)) return allowed === origin;
  const [before = '', after = ''] = allowed.split('*');
  const middle = origin.slice(before.length, origin.length - after.length);
  return label.test(middle) && `${before}${middle}${after}` === origin;
};

/** True when the list admits a page of this origin. `origin` is the header as it came; no origin is never admitted. */
export const admitsOrigin = (allowedOrigins: readonly string[], origin: string | null | undefined): boolean =>
  typeof origin === 'string' && allowedOrigins.some((allowed) => admits(allowed, origin));
