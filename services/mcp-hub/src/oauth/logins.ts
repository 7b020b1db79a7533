// Logins that people have begun and not finished. The state that comes back with a person is kept as a hash and used once.
import { randomBytes } from 'node:crypto';
import type { Caller } from '@parlance/contracts';
import { type Keyring, sha256 } from '@parlance/crypto';
import { deleteInPieces, type Tx } from '@parlance/postgres';
import { z } from 'zod';
import { Client, type ClientPlace } from './clients.js';
import type { TokenSource } from './discovery.js';

/** The facts with which the callback finishes a login. */
export interface Login {
  readonly connectionId: string;
  readonly source: TokenSource;
  readonly redirectUrl: string;
  readonly scope: string | null;
  readonly client: Client;
  readonly codeVerifier: string;
}

export interface LoginParts {
  readonly db: Tx;
  readonly keyring: Keyring;
}

type Actor = Caller['actor'];

const lastsMinutes = 10;
/** A person with many unfinished logins needs only the last few. */
const mostOfConnection = 20;

const Sealed = z.object({ client: Client, codeVerifier: z.string() });

export const loginBinding = ({ organizationId, connectionId }: ClientPlace, stateHash: string): string =>
  JSON.stringify(['mcp login', organizationId, connectionId, stateHash]);

export const newState = (): string => randomBytes(32).toString('base64url');

/** @returns when the login ends */
export const saveLogin = async (
  { db, keyring }: LoginParts,
  organizationId: string,
  { state, actor, login }: { readonly state: string; readonly actor: Actor; readonly login: Login },
): Promise<Date> => {
  const { connectionId, source, redirectUrl, scope, client, codeVerifier } = login;
  const stateHash = sha256(state);
  const content = Buffer.from(JSON.stringify({ client, codeVerifier }), 'utf8');
  const sealed = keyring.seal(content, loginBinding({ organizationId, connectionId }, stateHash));
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into mcp_oauth_logins (state_hash, organization_id, connection_id, user_id, source, redirect_url, scope, sealed,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${lastsMinutes} minutes')
     returning expires_at`,
    [
      ...[stateHash, organizationId, connectionId, actor.type === 'user' ? actor.id : null],
      ...[JSON.stringify(source), redirectUrl, scope, sealed],
    ],
  );
  await db.query(
    `delete from mcp_oauth_logins where organization_id = $1 and connection_id = $2 and state_hash in (
       select state_hash from mcp_oauth_logins where organization_id = $1 and connection_id = $2
       order by expires_at desc offset ${mostOfConnection})`,
    [organizationId, connectionId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the login was not saved');
  return row.expires_at;
};

interface LoginRow {
  readonly connection_id: string;
  readonly source: TokenSource;
  readonly redirect_url: string;
  readonly scope: string | null;
  readonly sealed: string;
}

/**
 * Takes the login of a state, so that no second answer finds it. A person finishes only logins of the own organization.
 * Among those that people began, a person finishes the own ones alone. A login that began with an API key may be
 * finished by every person with the right to begin one.
 * @returns undefined for a state that is unknown, used, too old, or another person's
 */
export const takeLogin = async (
  { db, keyring }: LoginParts,
  organizationId: string,
  { state, actor }: { readonly state: string; readonly actor: Actor },
): Promise<Login | undefined> => {
  const stateHash = sha256(state);
  const { rows } = await db.query<LoginRow>(
    `delete from mcp_oauth_logins
     where state_hash = $1 and organization_id = $2 and (user_id is null or user_id = $3) and expires_at > now()
     returning connection_id, source, redirect_url, scope, sealed`,
    [stateHash, organizationId, actor.id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { connection_id: connectionId, source, redirect_url: redirectUrl, scope, sealed } = row;
  const opened = keyring.open(sealed, loginBinding({ organizationId, connectionId }, stateHash));
  return { connectionId, source, redirectUrl, scope, ...Sealed.parse(JSON.parse(opened.toString('utf8'))) };
};

export const dropOldLogins = async (db: Tx): Promise<void> => {
  await deleteInPieces(db, { table: 'mcp_oauth_logins', where: 'expires_at <= now()' });
};
