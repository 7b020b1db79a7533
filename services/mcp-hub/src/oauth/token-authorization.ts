// Authorizes the requests of a connection with its tokens.
import { computeScopeUnion, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { Authorization, Credentials } from '../protocol/authorization.js';
import { McpFailure } from '../protocol/failures.js';
import type { ClientPlace } from './clients.js';
import { asOAuthFailure, type OAuthReason } from './failures.js';
import { goodTokens, type RefreshingParts } from './refreshing.js';
import { type TokenSet, tokensInUse, wantScope } from './tokens.js';

const failureOf = (reason: OAuthReason): McpFailure => {
  if (reason === 'timeout' || reason === 'unreachable') return new McpFailure(reason);
  return new McpFailure(reason === 'bad_response' ? 'unreachable' : 'auth_required');
};

const challengeIn = (header: string) =>
  extractWWWAuthenticateParams(new Response(null, { status: 401, headers: { 'www-authenticate': header } }));

/** @param others the headers that the connection sends besides its token */
export const tokenAuthorization = (
  parts: RefreshingParts,
  place: ClientPlace,
  others: () => Promise<Credentials>,
): Authorization => {
  // Requests overlap, so the version of the tokens is kept for each request's credentials.
  const versions = new WeakMap<Credentials, number>();

  const newer = async (after?: number): Promise<TokenSet> => {
    try {
      return await goodTokens(parts, place, after);
    } catch (error) {
      throw failureOf(asOAuthFailure(error).reason);
    }
  };

  /** The tokens lack a right: a refresh would not give it, a person can. */
  const noteWish = async (scope: string): Promise<void> => {
    const set = await tokensInUse(parts, place);
    if (set !== undefined)
      await wantScope(parts, set, computeScopeUnion(set.scope ?? undefined, scope) ?? scope);
  };

  return {
    credentials: async () => {
      const [set, other] = [await newer(), await others()];
      const { accessToken, refreshToken, version } = set;
      const credentials: Credentials = {
        headers: { ...other.headers, authorization: `Bearer ${accessToken}` },
        secrets: [...other.secrets, accessToken, ...(refreshToken === undefined ? [] : [refreshToken])],
      };
      versions.set(credentials, version);
      return credentials;
    },
    renew: async (header, sent) => {
      const { error, scope } = header === undefined ? {} : challengeIn(header);
      if (error === 'insufficient_scope' && scope !== undefined) {
        await noteWish(scope);
        return false;
      }
      await newer(versions.get(sent));
      return true;
    },
  };
};
