// Revokes tokens that are not used any more (RFC 7009): the connection is gone, or has newer ones. Tries again for a day, and
// gives up then, because access tokens have ended by themselves.
import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client';
import { JobQueue } from '@parlance/jobs';
import type { Logger } from '@parlance/observability';
import { deleteInPieces, type Tx } from '@parlance/postgres';
import { revocationEndpointOf } from './discovery.js';
import { asOAuthFailure, OAuthFailure } from './failures.js';
import { asTokenSet, type TokenParts, type TokenSet, tokenColumns } from './tokens.js';

export interface RevocationParts extends TokenParts {
  readonly fetchFn: FetchLike;
  readonly logger: Logger;
}

type Row = Parameters<typeof asTokenSet>[1];

const atOnce = 10;
const giveUpHours = 24;

export const revocationJobs = new JobQueue<Row>({
  name: 'token-revocations',
  table: 'mcp_oauth_tokens',
  key: ['id'],
  columns: tokenColumns,
  dueAt: 'revoke_due_at',
  leaseMs: 5 * 60_000,
});

const authenticated = (
  set: TokenSet,
  methods: readonly string[],
): { headers: Headers; body: URLSearchParams } => {
  const { client_id: id, client_secret: secret } = set.client;
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const body = new URLSearchParams();
  const method = selectClientAuthMethod(set.client, [...methods]);
  if (method === 'client_secret_basic' && secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
    return { headers, body };
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
  return { headers, body };
};

const revoke = async ({ fetchFn }: RevocationParts, set: TokenSet): Promise<void> => {
  const { metadata } = set.source;
  const endpoint = revocationEndpointOf(set.source);
  if (endpoint === undefined) return;
  const tokens = [
    ...(set.refreshToken === undefined ? [] : ([['refresh_token', set.refreshToken]] as const)),
    ['access_token', set.accessToken] as const,
  ];
  for (const [hint, token] of tokens) {
    const { headers, body } = authenticated(set, metadata?.token_endpoint_auth_methods_supported ?? []);
    body.set('token', token);
    body.set('token_type_hint', hint);
    const { status } = await fetchFn(endpoint, { method: 'POST', headers, body: body.toString() });
    // A refusal stays one; trouble may pass.
    if (status >= 500 || status === 429) throw new OAuthFailure('unreachable');
  }
};

const forget = async (tx: Tx, { organizationId, id }: TokenSet): Promise<void> => {
  await tx.query(
    'delete from mcp_oauth_tokens where organization_id = $1 and id = $2 and ended_at is not null',
    [organizationId, id],
  );
};

/** One round over the tokens that are due for revocation. */
export const revokeEnded = async (parts: RevocationParts): Promise<void> => {
  const { db, keyring, logger } = parts;
  await deleteInPieces(db, {
    table: 'mcp_oauth_tokens',
    where: `ended_at < now() - interval '${giveUpHours} hours'`,
  });
  for (const row of await revocationJobs.lease(db, atOnce)) {
    const set = asTokenSet(keyring, row);
    try {
      await revoke(parts, set);
      await forget(db, set);
    } catch (error) {
      const { reason } = asOAuthFailure(error);
      logger.warn(
        { connectionId: set.connectionId, reason },
        'tokens of an MCP connection are not revoked yet',
      );
    }
  }
};
