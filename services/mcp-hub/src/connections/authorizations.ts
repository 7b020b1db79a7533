// The credentials of a connection's requests: its secret and its headers. This process opens them when a request is
// about to be sent.
import { fillText, originOfUrl, type SecretUses } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { headerText, type OrganizationSecrets, type SecretMentions, withSecrets } from '@parlance/webhooks';
import type { Client } from '../oauth/clients.js';
import { endpointsWithClient, type TokenSource } from '../oauth/discovery.js';
import type { RefreshingParts } from '../oauth/refreshing.js';
import { tokenAuthorization } from '../oauth/token-authorization.js';
import type { Authorization, Credentials } from '../protocol/authorization.js';
import type { ConnectionRow } from './connection-record.js';
import { headerMentions, openConnectionHeader, type StoredHeader } from './header-values.js';

export interface AuthorizationParts {
  readonly secrets: Pick<OrganizationSecrets, 'open'>;
  readonly keyring: Keyring;
  readonly oauth: RefreshingParts;
}

/** The secrets that a connection mentions, each once. */
export const secretMentionsOf = ({
  auth,
  headers,
}: Pick<ConnectionRow, 'auth' | 'headers'>): SecretMentions => {
  const { ids, names } = headerMentions(headers);
  return { ids: [...new Set([...(auth.secretId === null ? [] : [auth.secretId]), ...ids])], names };
};

type Mentioning = Pick<ConnectionRow, 'auth' | 'headers' | 'url'>;

/** A secret of OAuth is the client's, and goes to the authorization server alone. */
const sentMentionsOf = (connection: Mentioning): SecretMentions =>
  connection.auth.type === 'oauth2' ? headerMentions(connection.headers) : secretMentionsOf(connection);

/** Where the connection sends secrets, besides the authorization server. */
export const usesOf = (connection: Mentioning): SecretUses => {
  const mentions = sentMentionsOf(connection);
  if (mentions.ids.length + mentions.names.length === 0) return [];
  return [{ origin: originOfUrl(connection.url) ?? '', ...mentions }];
};

const usesAt = (urls: readonly string[], secretId: string): SecretUses =>
  urls.map((url) => ({ origin: originOfUrl(url) ?? '', ids: [secretId], names: [] }));

/** Where a login at this authorization server sends the client's secret. */
export const usesOfLogin = ({ auth }: Pick<ConnectionRow, 'auth'>, source: TokenSource): SecretUses =>
  auth.type === 'oauth2' && auth.clientId !== undefined && auth.secretId !== null
    ? usesAt(endpointsWithClient(source), auth.secretId)
    : [];

const authHeader = ({ auth }: ConnectionRow, secret: (id: string) => string): Record<string, string> => {
  if (auth.secretId === null || auth.type === 'oauth2') return {};
  const value = headerText(secret(auth.secretId));
  return auth.type === 'header' && auth.headerName !== undefined
    ? { [auth.headerName.toLowerCase()]: value }
    : { authorization: `Bearer ${value}` };
};

const credentialsOf = async (
  { secrets, keyring }: Omit<AuthorizationParts, 'oauth'>,
  connection: ConnectionRow,
): Promise<Credentials> => {
  const { id: connectionId, organization_id: organizationId, url } = connection;
  const opened = await secrets.open(organizationId, { url, ...sentMentionsOf(connection) });
  const sent: string[] = [];
  const noted = (value: string): string => {
    sent.push(value);
    return value;
  };
  const secret = (id: string): string => noted(opened.byId(id));
  const named = withSecrets(
    (name) => noted(opened.byName(name)),
    () => undefined,
  );
  const textOf = (name: string, value: StoredHeader): string => {
    if ('sealed' in value)
      return noted(openConnectionHeader(keyring, { organizationId, connectionId, url }, name, value));
    return 'template' in value ? fillText(value.template, named) : secret(value.secretId);
  };
  const headers = Object.entries(connection.headers).map(
    ([name, value]) => [name.toLowerCase(), headerText(textOf(name, value))] as const,
  );
  return { headers: { ...Object.fromEntries(headers), ...authHeader(connection, secret) }, secrets: sent };
};

/** A value that a person has given cannot be renewed. */
const asGiven = (parts: AuthorizationParts, connection: ConnectionRow): Authorization => ({
  credentials: () => credentialsOf(parts, connection),
  renew: async () => false,
});

/** A connection with OAuth sends a token of a person instead of a secret. */
export const authorizationOf = (parts: AuthorizationParts, connection: ConnectionRow): Authorization => {
  if (connection.auth.type !== 'oauth2') return asGiven(parts, connection);
  const place = { organizationId: connection.organization_id, connectionId: connection.id };
  return tokenAuthorization(parts.oauth, place, () => credentialsOf(parts, connection));
};

/** Sends everything but a token, and hears the server's challenge. */
export const withoutToken = (
  parts: Omit<AuthorizationParts, 'oauth'>,
  connection: ConnectionRow,
  onChallenge: (header: string) => void,
): Authorization => ({
  credentials: () => credentialsOf(parts, connection),
  renew: async (challenge) => {
    if (challenge !== undefined) onChallenge(challenge);
    return false;
  },
});

/**
 * The client that a person registered for the platform by hand, if the connection names one. Its secret opens for the endpoints of
 * the authorization server, which the MCP server names.
 * @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED
 */
export const givenClient = async (
  { secrets }: Pick<AuthorizationParts, 'secrets'>,
  { organization_id: organizationId, auth: { clientId, secretId } }: ConnectionRow,
  source: TokenSource,
): Promise<Client | undefined> => {
  if (clientId === undefined) return undefined;
  if (secretId === null) return { client_id: clientId, token_endpoint_auth_method: 'none' };
  let secret = '';
  for (const url of endpointsWithClient(source))
    secret = (await secrets.open(organizationId, { url, ids: [secretId], names: [] })).byId(secretId);
  return { client_id: clientId, client_secret: secret };
};
