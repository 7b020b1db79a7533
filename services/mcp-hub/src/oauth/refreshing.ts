// Refreshes tokens before they end, and when a server refuses them. A refresh token that rotates may be used once. So one
// process at a time refreshes a set, and the others wait for its tokens.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type FetchLike, refreshAuthorization } from '@modelcontextprotocol/client';
import type { Clock, Logger } from '@parlance/observability';
import { type ClientPlace, forgetClient } from './clients.js';
import { asOAuthFailure, isFinal, OAuthFailure } from './failures.js';
import { refuseTokens, replaceTokens, type TokenParts, type TokenSet, tokensInUse } from './tokens.js';

export interface RefreshingParts extends TokenParts {
  readonly fetchFn: FetchLike;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Scheme, host and port under which people reach the gateway. */
  readonly publicUrl: string;
}

/** Longer than the request to a token endpoint may take. */
const leaseSeconds = 20;
const waitsForOthersMs = 15_000;
const pollEveryMs = 50;

const lease = async (
  { db }: TokenParts,
  { organizationId, id, version }: TokenSet,
): Promise<string | undefined> => {
  const leaseId = randomUUID();
  const { rowCount } = await db.query(
    `update mcp_oauth_tokens set lease = $4, leased_until = now() + interval '${leaseSeconds} seconds'
     where organization_id = $1 and id = $2 and version = $3 and ended_at is null and not is_refused
       and (leased_until is null or leased_until < now())`,
    [organizationId, id, version, leaseId],
  );
  return rowCount > 0 ? leaseId : undefined;
};

const release = async (
  { db }: TokenParts,
  { organizationId, id }: TokenSet,
  leaseId: string,
): Promise<void> => {
  await db.query(
    `update mcp_oauth_tokens set lease = null, leased_until = null
     where organization_id = $1 and id = $2 and lease = $3`,
    [organizationId, id, leaseId],
  );
};

/** Asks the issuer that gave the tokens, and no other, even if the server's metadata name another one by now. */
const refresh = async (parts: RefreshingParts, set: TokenSet, leaseId: string): Promise<void> => {
  const { source, client, refreshToken } = set;
  const { connectionId } = set;
  try {
    if (refreshToken === undefined) throw new OAuthFailure('refused');
    const tokens = await refreshAuthorization(source.issuer, {
      ...(source.metadata !== null && { metadata: source.metadata }),
      ...(source.resource !== null && { resource: source.resource }),
      ...{ clientInformation: client, refreshToken, fetchFn: parts.fetchFn },
    });
    await replaceTokens(parts, set, { tokens, leaseId });
  } catch (error) {
    const failure = asOAuthFailure(error);
    parts.logger.info(
      { connectionId, reason: failure.reason },
      'the tokens of an MCP connection were not refreshed',
    );
    // The next login registers anew.
    if (failure.reason === 'client_refused') await forgetClient(parts, set, source.issuer);
    if (isFinal(failure)) await refuseTokens(parts, set);
    else await release(parts, set, leaseId);
    throw failure;
  }
};

const hasPassed = ({ clock }: RefreshingParts, time: Date | null): boolean =>
  time !== null && time.getTime() <= clock.now().getTime();

/** Tokens that are good by all known facts. */
export const goodTokens = async (
  parts: RefreshingParts,
  place: ClientPlace,
  after = 0,
): Promise<TokenSet> => {
  const until = performance.now() + waitsForOthersMs;
  for (;;) {
    const set = await tokensInUse(parts, place);
    if (set === undefined || set.isRefused) throw new OAuthFailure('refused');
    const isUsable = set.version > after && !hasPassed(parts, set.expiresAt);
    if (isUsable && (set.refreshToken === undefined || !hasPassed(parts, set.refreshAt))) return set;
    const leaseId = await lease(parts, set);
    if (leaseId === undefined) {
      // The old tokens are good while another process fetches new ones.
      if (isUsable) return set;
      if (performance.now() > until) throw new OAuthFailure('timeout');
      await delay(pollEveryMs);
      continue;
    }
    try {
      await refresh(parts, set, leaseId);
    } catch (error) {
      if (!isUsable || isFinal(asOAuthFailure(error))) throw error;
      return set;
    }
  }
};
