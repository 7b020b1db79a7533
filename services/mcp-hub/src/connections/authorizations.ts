// The credentials of a connection's requests: its secret and its headers. This process opens them when a request is
// about to be sent.
import { fillText } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { headerText, type OrganizationSecrets, type SecretMentions, withSecrets } from '@parlance/webhooks';
import type { Client } from '../oauth/clients.js';
import type { RefreshingParts } from '../oauth/refreshing.js';
import { tokenAuthorization } from '../oauth/token-authorization.js';
import type { Authorization, Credentials } from '../protocol/authorization.js';
import type { ConnectionRow } from './connection-record.js';
import { headerMentions, openHeader, type StoredHeader } from './header-values.js';

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

const authHeader = ({ auth }: ConnectionRow, secret: (id: string) => string): Record<string, string> => {
  // A secret of OAuth is the client's, and goes to the authorization server alone.
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
  const { id: connectionId, organization_id: organizationId } = connection;
  const opened = await secrets.open(organizationId, secretMentionsOf(connection));
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
      return noted(openHeader(keyring, { organizationId, connectionId }, name, value.sealed));
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

/** The client that a person registered for the platform by hand, if the connection names one. */
export const givenClient = async (
  { secrets }: Pick<AuthorizationParts, 'secrets'>,
  { organization_id: organizationId, auth: { clientId, secretId } }: ConnectionRow,
): Promise<Client | undefined> => {
  if (clientId === undefined) return undefined;
  if (secretId === null) return { client_id: clientId, token_endpoint_auth_method: 'none' };
  const opened = await secrets.open(organizationId, { ids: [secretId], names: [] });
  return { client_id: clientId, client_secret: opened.byId(secretId) };
};
