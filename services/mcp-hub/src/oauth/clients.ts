// The platform as a client of an authorization server. The server knows it by its metadata document, where the server reads
// such documents. Otherwise the platform is registered once for each connection.
import {
  type FetchLike,
  type OAuthClientMetadata,
  RegistrationRejectedError,
  registerClient,
} from '@modelcontextprotocol/client';
import { mcpClient } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import { z } from 'zod';
import type { TokenSource } from './discovery.js';
import { asOAuthFailure, OAuthFailure } from './failures.js';

/** The part of a client that the token endpoint has to see. */
export const Client = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
});
export type Client = z.infer<typeof Client>;

export interface ClientParts {
  readonly db: Tx;
  readonly keyring: Keyring;
  readonly fetchFn: FetchLike;
  readonly publicUrl: string;
}

export interface ClientPlace {
  readonly organizationId: string;
  readonly connectionId: string;
}

export const clientBinding = ({ organizationId, connectionId }: ClientPlace, issuer: string): string =>
  JSON.stringify(['mcp oauth client', organizationId, connectionId, issuer]);

/** A public client, unless the server wants every client to have a secret. */
const methodFor = ({ metadata }: TokenSource): string => {
  const offered = metadata?.token_endpoint_auth_methods_supported;
  if (offered === undefined || offered.length === 0 || offered.includes('none')) return 'none';
  return offered.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
};

const find = async (
  { db, keyring }: ClientParts,
  place: ClientPlace,
  { issuer, redirectUrl }: { readonly issuer: string; readonly redirectUrl: string },
): Promise<Client | undefined> => {
  const { rows } = await db.query<{ sealed: string }>(
    `select sealed from mcp_oauth_clients
     where organization_id = $1 and connection_id = $2 and issuer = $3 and redirect_url = $4`,
    [place.organizationId, place.connectionId, issuer, redirectUrl],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return Client.parse(JSON.parse(keyring.open(row.sealed, clientBinding(place, issuer)).toString('utf8')));
};

const save = async (
  { db, keyring }: ClientParts,
  place: ClientPlace,
  {
    issuer,
    redirectUrl,
    client,
  }: { readonly issuer: string; readonly redirectUrl: string; readonly client: Client },
): Promise<void> => {
  const sealed = keyring.seal(Buffer.from(JSON.stringify(client), 'utf8'), clientBinding(place, issuer));
  await db.query(
    `insert into mcp_oauth_clients (organization_id, connection_id, issuer, redirect_url, sealed, registered_at)
     values ($1, $2, $3, $4, $5, now())
     on conflict (connection_id, issuer, redirect_url) do update set sealed = excluded.sealed, registered_at = now()`,
    [place.organizationId, place.connectionId, issuer, redirectUrl, sealed],
  );
};

const register = async (
  { fetchFn }: ClientParts,
  source: TokenSource,
  metadata: OAuthClientMetadata,
): Promise<Client> => {
  if (source.metadata !== null && source.metadata.registration_endpoint === undefined)
    throw new OAuthFailure('not_supported');
  try {
    const made = await registerClient(source.issuer, {
      ...(source.metadata !== null && { metadata: source.metadata }),
      clientMetadata: metadata,
      fetchFn,
    });
    return Client.parse(made);
  } catch (error) {
    if (error instanceof RegistrationRejectedError) throw new OAuthFailure('registration_refused');
    throw asOAuthFailure(error);
  }
};

/** The client for a login. @throws OAuthFailure */
export const clientFor = async (
  parts: ClientParts,
  place: ClientPlace,
  source: TokenSource,
): Promise<Client> => {
  const { issuer } = source;
  const { redirectUrl, documentUrl, metadata } = mcpClient(parts.publicUrl);
  if (documentUrl !== null && source.metadata?.client_id_metadata_document_supported === true)
    return { client_id: documentUrl, token_endpoint_auth_method: 'none' };
  const known = await find(parts, place, { issuer, redirectUrl });
  if (known !== undefined) return known;
  const wanted: OAuthClientMetadata = {
    ...{ ...metadata, redirect_uris: [...metadata.redirect_uris], grant_types: [...metadata.grant_types] },
    ...{ response_types: [...metadata.response_types], token_endpoint_auth_method: methodFor(source) },
  };
  const client = await register(parts, source, wanted);
  await save(parts, place, { issuer, redirectUrl, client });
  return client;
};

/** Forgets a registration that the authorization server does not know any more. */
export const forgetClient = async (
  { db, publicUrl }: Pick<ClientParts, 'db' | 'publicUrl'>,
  place: ClientPlace,
  issuer: string,
): Promise<void> => {
  await db.query(
    `delete from mcp_oauth_clients
     where organization_id = $1 and connection_id = $2 and issuer = $3 and redirect_url = $4`,
    [place.organizationId, place.connectionId, issuer, mcpClient(publicUrl).redirectUrl],
  );
};
