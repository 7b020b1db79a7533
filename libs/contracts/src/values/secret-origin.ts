// Origins that a secret may be sent to. Addresses are compared by the canonical form of their origin.
import { z } from 'zod';
import { answersWith, text } from './text.js';

/** The origin in the form of URL, without a trailing dot of the host; undefined for what is no http or https origin. */
const canonical = (url: URL | null): string | undefined => {
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const host = url.hostname.replace(/\.$/, '');
  // The parser lets other characters through, among them the asterisk of a wildcard and the braces of a placeholder.
  const isHost = host.startsWith('[') || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host);
  return isHost ? `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}` : undefined;
};

/** The origin of an address, as secrets name it; undefined where it has none. */
export const originOfUrl = (address: string): string | undefined => canonical(URL.parse(address));

const exact = /^https?:\/\/[^\s/?#@\\]+\/?$/i;

const originOf = (written: string): string | undefined =>
  exact.test(written) ? originOfUrl(written) : undefined;

/** An exact origin, in any spelling that URL reads as the same one. */
const secretOrigin = text(1, 300)
  .refine(
    (written) => originOf(written) !== undefined,
    answersWith(
      'INVALID_ORIGIN',
      'must be an exact origin such as https://api.example.com or https://api.example.com:8443, without a path, a user name or a wildcard',
    ),
  )
  .transform((written) => originOf(written) ?? written)
  .meta({ examples: ['https://api.example.com'] });

export const maxSecretOrigins = 50;

export const secretOrigins = z
  .array(secretOrigin)
  .max(maxSecretOrigins)
  .transform((origins) => [...new Set(origins)].sort())
  .meta({
    description:
      'origins that the secret may be sent to: scheme, host and port, exactly. A request to any other origin is refused, and a redirect does not carry the secret elsewhere.',
  });
