// Finds the authorization server of an MCP server. Reads the server's challenge, its protected-resource metadata
// (RFC 9728), and the metadata of the authorization server that they name (RFC 8414).
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type FetchLike,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { asOAuthFailure, OAuthFailure } from './failures.js';

/** An authorization server, and the resource that its tokens are for. Stored with every login and every set of tokens. */
export interface TokenSource {
  readonly issuer: string;
  /** null for an older server, which has its endpoints at fixed paths. */
  readonly metadata: AuthorizationServerMetadata | null;
  /** The parameter `resource` (RFC 8707); null where the server names none. */
  readonly resource: string | null;
}

export interface Discovered {
  readonly source: TokenSource;
  /** The scope that a login asks for; undefined leaves it to the authorization server. */
  readonly scope: string | undefined;
}

/** Metadata of OpenID providers has this field too, and the library's type of it has not. */
const Revoking = z.object({ revocation_endpoint: z.url().optional() });

export const revocationEndpointOf = ({ metadata }: TokenSource): string | undefined =>
  Revoking.safeParse(metadata).data?.revocation_endpoint;

/** The addresses that get the client's secret. */
export const endpointsWithClient = (source: TokenSource): string[] => {
  const { issuer, metadata } = source;
  const revocation = revocationEndpointOf(source);
  return [
    metadata?.token_endpoint ?? new URL('/token', issuer).href,
    ...(revocation === undefined ? [] : [revocation]),
  ];
};

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** The content of the header `www-authenticate` of a refused request. */
const challengeIn = (header: string | undefined): Challenge => {
  if (header === undefined) return {};
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(
    new Response(null, { status: 401, headers: { 'www-authenticate': header } }),
  );
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
};

/** A refresh token saves a person from signing in again, so it is asked for wherever a server offers it. */
const withOfflineAccess = (
  scope: string | undefined,
  metadata: AuthorizationServerMetadata | null,
): string | undefined => {
  const isOffered = metadata?.scopes_supported?.includes('offline_access') === true;
  if (scope === undefined || !isOffered || scope.split(' ').includes('offline_access')) return scope;
  return `${scope} offline_access`;
};

/**
 * @param header the challenge of the server, if it made one
 * @throws OAuthFailure
 */
export const discover = async (
  fetchFn: FetchLike,
  serverUrl: string,
  header: string | undefined,
): Promise<Discovered> => {
  try {
    const challenge = challengeIn(header);
    const info = await discoverOAuthServerInfo(serverUrl, { ...challenge, fetchFn });
    const { resourceMetadata, authorizationServerMetadata: metadata = null } = info;
    if (metadata === null && resourceMetadata !== undefined)
      throw new OAuthFailure('no_authorization_server');
    if (resourceMetadata !== undefined) refuseOther(serverUrl, resourceMetadata.resource);
    const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
    return {
      source: {
        issuer: metadata?.issuer ?? info.authorizationServerUrl,
        metadata,
        resource: resourceMetadata?.resource ?? null,
      },
      scope: withOfflineAccess(scope || undefined, metadata),
    };
  } catch (error) {
    throw asOAuthFailure(error);
  }
};

/** A server that described another resource could get itself tokens that are good there. */
const refuseOther = (serverUrl: string, configuredResource: string): void => {
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (!checkResourceAllowed({ requestedResource, configuredResource }))
    throw new OAuthFailure('other_resource');
};
