// The public keys of the authorization server, read through the guarded way out and kept for a while.
import { type Egress, parseForeignJson } from '@parlance/egress';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** Longest wait for metadata or keys, while a request waits for its answer. */
const timeoutMs = 4_000;
const maxBytes = 262_144;

/** The addresses of an issuer's metadata: RFC 8414, and OpenID Connect Discovery. */
const metadataUrls = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
};

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** The address of the keys; the metadata of the issuer names it unless given. */
  readonly jwksUrl?: string | undefined;
  readonly egress: Egress;
}

const discover = async ({ issuer, egress }: IssuerKeysOptions): Promise<string> => {
  for (const url of metadataUrls(issuer)) {
    const { status, body, headers } = await egress.fetch(url, { timeoutMs, maxBytes });
    if (status !== 200) continue;
    const metadata = Metadata.parse(parseForeignJson(body, headers['content-type']));
    if (metadata.issuer !== issuer) throw new Error('the metadata is that of another issuer');
    return metadata.jwks_uri;
  }
  throw new Error('the issuer has no metadata');
};

/** Keys by the header of a token. A key set that cannot be read now is tried again with the next token. */
export const issuerKeys = (options: IssuerKeysOptions): JWTVerifyGetKey => {
  const { egress } = options;
  const fetchKeys = async (url: string): Promise<Response> => {
    const { status, body } = await egress.fetch(url, { timeoutMs, maxBytes });
    return new Response(new Uint8Array(body), { status });
  };
  let known: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    known ??= createRemoteJWKSet(new URL(options.jwksUrl ?? (await discover(options))), {
      [customFetch]: fetchKeys,
    });
    return known(header, token);
  };
};
