// A login: begun by an address that a person opens, finished by the answer that the person brings back. The code in the answer is
// good for this login alone (PKCE), and goes to the issuer that was asked (RFC 9207).
import {
  type AuthorizationServerMetadata,
  computeScopeUnion,
  exchangeAuthorization,
  type OAuthTokens,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { Caller, McpLoginAnswer, McpLoginOutcome } from '@parlance/contracts';
import { mcpClient } from '@parlance/contracts';
import type { Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type Client, type ClientPlace, clientFor, forgetClient } from './clients.js';
import { discover, type TokenSource } from './discovery.js';
import { asOAuthFailure, OAuthFailure } from './failures.js';
import { type Login, newState, saveLogin, takeLogin } from './logins.js';
import type { RefreshingParts } from './refreshing.js';
import { insertTokens, tokensInUse } from './tokens.js';

export interface OAuthParts extends RefreshingParts {
  readonly db: Database;
  readonly ids: Ids;
}

export interface BegunLogin {
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/** The address to open, and the verifier that proves that the code was asked for here. @throws OAuthFailure */
const startAt = async (
  { issuer, metadata, resource }: TokenSource,
  asking: {
    readonly client: Client;
    readonly redirectUrl: string;
    readonly scope: string | undefined;
    readonly state: string;
  },
): Promise<{ readonly authorizationUrl: URL; readonly codeVerifier: string }> => {
  const { client, redirectUrl, scope, state } = asking;
  // Without this method of PKCE a stolen code would be worth a token.
  const isOld = metadata !== null && metadata.code_challenge_methods_supported?.includes('S256') !== true;
  if (isOld) throw new OAuthFailure('not_supported');
  try {
    return await startAuthorization(issuer, {
      ...(metadata !== null && { metadata }),
      ...(scope !== undefined && { scope }),
      ...(resource !== null && { resource }),
      ...{ clientInformation: client, redirectUrl, state },
    });
  } catch {
    throw new OAuthFailure('not_supported');
  }
};

export interface LoginTarget extends ClientPlace {
  /** The URL of the server. */
  readonly url: string;
  /** The server's answer to a request without a token; undefined where it made no challenge. */
  readonly challenge: string | undefined;
  /** Registered by hand for this authorization server; undefined where the platform makes itself known. */
  readonly givenClient: (source: TokenSource) => Promise<Client | undefined>;
}

/** Begins a login for a connection. @throws OAuthFailure */
export const beginLogin = async (
  parts: OAuthParts,
  { organizationId, connectionId, url, challenge, givenClient }: LoginTarget,
  actor: Caller['actor'],
): Promise<BegunLogin> => {
  const place = { organizationId, connectionId };
  const { source, scope: offered } = await discover(parts.fetchFn, url, challenge);
  const wanted = (await tokensInUse(parts, place))?.wantedScope ?? undefined;
  const scope = wanted === undefined ? offered : (computeScopeUnion(offered, wanted) ?? wanted);
  const client = (await givenClient(source)) ?? (await clientFor(parts, place, source));
  const { redirectUrl } = mcpClient(parts.publicUrl);
  const state = newState();
  const { authorizationUrl, codeVerifier } = await startAt(source, { client, redirectUrl, scope, state });
  const login = { connectionId, source, redirectUrl, scope: scope ?? null, client, codeVerifier };
  const expiresAt = await saveLogin(parts, organizationId, { state, actor, login });
  return { authorizationUrl: authorizationUrl.href, expiresAt };
};

const isSupported = (metadata: AuthorizationServerMetadata | null): boolean =>
  metadata?.authorization_response_iss_parameter_supported === true;

/** @throws OAuthFailure `other_issuer` for the answer of a server that this login did not ask */
const checkIssuer = ({ source: { issuer, metadata } }: Login, iss: string | undefined): void => {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: issuer,
      issParameterSupported: isSupported(metadata),
    });
  } catch (error) {
    throw asOAuthFailure(error);
  }
};

const exchange = async (
  parts: OAuthParts,
  place: ClientPlace,
  { login, code, iss }: { readonly login: Login; readonly code: string; readonly iss: string | undefined },
): Promise<OAuthTokens> => {
  const { source, client, codeVerifier, redirectUrl } = login;
  try {
    return await exchangeAuthorization(source.issuer, {
      ...(source.metadata !== null && { metadata: source.metadata }),
      ...(source.resource !== null && { resource: source.resource }),
      ...(iss !== undefined && { iss }),
      ...{ clientInformation: client, authorizationCode: code, codeVerifier, redirectUri: redirectUrl },
      fetchFn: parts.fetchFn,
    });
  } catch (error) {
    const failure = asOAuthFailure(error);
    if (failure.reason === 'client_refused') await forgetClient(parts, place, source.issuer);
    throw failure;
  }
};

export interface FinishedLogin {
  readonly outcome: McpLoginOutcome;
  /** The connection that has new tokens. */
  readonly connectionId: string | null;
}

const nothing = (outcome: McpLoginOutcome): FinishedLogin => ({ outcome, connectionId: null });

/** Finishes the login of the answer's state. Every end of it is an outcome. */
export const finishLogin = async (
  parts: OAuthParts,
  { organizationId, actor }: Pick<Caller, 'organizationId' | 'actor'>,
  { state, code, iss }: McpLoginAnswer,
): Promise<FinishedLogin> => {
  const login = await takeLogin(parts, organizationId, { state, actor });
  if (login === undefined) return nothing('unknown');
  const { connectionId, source, client, scope } = login;
  const place = { organizationId, connectionId };
  try {
    checkIssuer(login, iss);
    if (code === undefined) return nothing('declined');
    const tokens = await exchange(parts, place, { login, code, iss });
    await parts.db.transaction((tx) => insertTokens(tx, parts, { ...place, source, client, tokens, scope }));
    return { outcome: 'authorized', connectionId };
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    parts.logger.warn({ connectionId, reason: error.reason }, 'a login for an MCP connection failed');
    return nothing(error.reason === 'other_issuer' ? 'other_issuer' : 'failed');
  }
};
