// Tokens of connections, sealed and bound to organization, connection and issuer. A connection has one set of tokens in use;
// sets that have ended wait for their revocation.
import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { Keyring } from '@parlance/crypto';
import type { Ids } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { z } from 'zod';
import { Client, type ClientPlace } from './clients.js';
import type { TokenSource } from './discovery.js';

const SealedTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  client: Client,
});
type SealedTokens = z.infer<typeof SealedTokens>;

export interface TokenSet extends SealedTokens, ClientPlace {
  readonly id: string;
  readonly source: TokenSource;
  readonly scope: string | null;
  /** The scope that a server wanted and the tokens lack; the next login asks for it. */
  readonly wantedScope: string | null;
  /** Grows with every refresh. */
  readonly version: number;
  /** null where the authorization server did not say. */
  readonly expiresAt: Date | null;
  /** Half of the tokens' life at most, so that tokens that live shortly are not refreshed all the time. */
  readonly refreshAt: Date | null;
  /** The authorization server gives no more tokens for this set, so a person has to sign in again. */
  readonly isRefused: boolean;
}

export interface TokenParts {
  readonly db: Tx;
  readonly keyring: Keyring;
}

export interface TokenRow {
  readonly id: string;
  readonly organization_id: string;
  readonly connection_id: string;
  readonly source: TokenSource;
  readonly scope: string | null;
  readonly wanted_scope: string | null;
  readonly version: number;
  readonly expires_at: Date | null;
  readonly refresh_at: Date | null;
  readonly is_refused: boolean;
  readonly sealed: string;
}

export const tokenColumns = `id, organization_id, connection_id, source, scope, wanted_scope, version, expires_at, refresh_at,
  is_refused, sealed`;

export const tokensBinding = ({ organizationId, connectionId }: ClientPlace, issuer: string): string =>
  JSON.stringify(['mcp tokens', organizationId, connectionId, issuer]);

export const asTokenSet = (keyring: Keyring, row: TokenRow): TokenSet => {
  const place = { organizationId: row.organization_id, connectionId: row.connection_id };
  const opened = keyring.open(row.sealed, tokensBinding(place, row.source.issuer)).toString('utf8');
  return {
    ...place,
    ...SealedTokens.parse(JSON.parse(opened)),
    ...{
      id: row.id,
      source: row.source,
      scope: row.scope,
      wantedScope: row.wanted_scope,
      version: row.version,
    },
    ...{ expiresAt: row.expires_at, refreshAt: row.refresh_at, isRefused: row.is_refused },
  };
};

/** The tokens that requests of a connection are sent with. */
export const tokensInUse = async (
  { db, keyring }: TokenParts,
  { organizationId, connectionId }: ClientPlace,
): Promise<TokenSet | undefined> => {
  const { rows } = await db.query<TokenRow>({
    name: 'mcp_tokens_in_use',
    text: `select ${tokenColumns} from mcp_oauth_tokens
           where organization_id = $1 and connection_id = $2 and ended_at is null`,
    values: [organizationId, connectionId],
  });
  return rows[0] && asTokenSet(keyring, rows[0]);
};

/** A minute before the end, and for tokens that live shortly at half of their life. */
const marginOf = (seconds: number): number => Math.min(60, seconds / 2);

const seal = (keyring: Keyring, place: ClientPlace, issuer: string, tokens: SealedTokens): string =>
  keyring.seal(Buffer.from(JSON.stringify(tokens), 'utf8'), tokensBinding(place, issuer));

/** Takes new tokens into use. Those before them end, and are revoked. */
export const insertTokens = async (
  tx: Tx,
  { keyring, ids }: { readonly keyring: Keyring; readonly ids: Ids },
  made: ClientPlace & {
    readonly source: TokenSource;
    readonly client: Client;
    readonly tokens: OAuthTokens;
    readonly scope: string | null;
  },
): Promise<void> => {
  const { organizationId, connectionId, source, client, tokens } = made;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  const content = { accessToken, ...(refreshToken !== undefined && { refreshToken }), client };
  await endTokens(tx, made);
  // Tokens of a connection that ended meanwhile are never used, and are revoked like its others.
  const { rowCount } = await tx.query(
    'select 1 from mcp_connections where organization_id = $1 and id = $2 for update',
    [organizationId, connectionId],
  );
  const isOrphan = rowCount === 0;
  await tx.query(
    `insert into mcp_oauth_tokens (id, organization_id, connection_id, issuer, source, scope, version, sealed, obtained_at,
       expires_at, refresh_at, ended_at, revoke_due_at)
     values ($1, $2, $3, $4, $5, $6, 1, $7, now(), now() + make_interval(secs => $8), now() + make_interval(secs => $9),
       case when $10 then now() end, case when $10 then now() end)`,
    [
      ...[
        ids.next(),
        organizationId,
        connectionId,
        source.issuer,
        JSON.stringify(source),
        tokens.scope ?? made.scope,
      ],
      ...[seal(keyring, made, source.issuer, content), seconds ?? null],
      ...[seconds === undefined ? null : seconds - marginOf(seconds), isOrphan],
    ],
  );
};

/** Saves refreshed tokens, if this refresh still holds the lease. Those of a set that ended meanwhile are revoked. */
export const replaceTokens = async (
  { db, keyring }: TokenParts,
  set: TokenSet,
  { tokens, leaseId }: { readonly tokens: OAuthTokens; readonly leaseId: string },
): Promise<void> => {
  const {
    access_token: accessToken,
    refresh_token: refreshToken = set.refreshToken,
    expires_in: seconds,
  } = tokens;
  const content = { accessToken, ...(refreshToken !== undefined && { refreshToken }), client: set.client };
  await db.query(
    `update mcp_oauth_tokens set sealed = $4, scope = coalesce($5, scope), version = version + 1, obtained_at = now(),
       expires_at = now() + make_interval(secs => $6), refresh_at = now() + make_interval(secs => $7),
       lease = null, leased_until = null
     where organization_id = $1 and id = $2 and lease = $3`,
    [
      ...[
        set.organizationId,
        set.id,
        leaseId,
        seal(keyring, set, set.source.issuer, content),
        tokens.scope ?? null,
      ],
      ...[seconds ?? null, seconds === undefined ? null : seconds - marginOf(seconds)],
    ],
  );
};

/** No token of this set is good any more, and none will be. */
export const refuseTokens = async (
  { db }: TokenParts,
  { organizationId, id, version }: TokenSet,
): Promise<void> => {
  await db.query(
    `update mcp_oauth_tokens set is_refused = true, lease = null, leased_until = null
     where organization_id = $1 and id = $2 and version = $3`,
    [organizationId, id, version],
  );
};

/** Notes a scope that a server asks for and the tokens lack. */
export const wantScope = async ({ db }: TokenParts, set: TokenSet, scope: string): Promise<void> => {
  await db.query(`update mcp_oauth_tokens set wanted_scope = $3 where organization_id = $1 and id = $2`, [
    set.organizationId,
    set.id,
    scope,
  ]);
};

/** Takes the tokens of a connection out of use. They are revoked in the background. */
export const endTokens = async (tx: Tx, { organizationId, connectionId }: ClientPlace): Promise<void> => {
  await tx.query(
    `update mcp_oauth_tokens set ended_at = now(), revoke_due_at = now(), lease = null, leased_until = null
     where organization_id = $1 and connection_id = $2 and ended_at is null`,
    [organizationId, connectionId],
  );
};
