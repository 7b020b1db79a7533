// Header values of connections. A literal value may be a credential, so it is stored sealed, and readers see "•••". A text that
// mentions secrets by name is stored as it was written, and filled when a request is about to be sent.
import { type McpConnection, originOfUrl, placeholdersIn } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { AppError, validationError } from '@parlance/errors';
import {
  type HeaderPlace,
  isConfigurable,
  keepHeader,
  mask,
  openHeader,
  type SealedHeader,
  type SecretMentions,
  sealHeader,
  secretMentionsIn,
} from '@parlance/webhooks';

export type StoredHeader = { readonly secretId: string } | SealedHeader | { readonly template: string };
export type StoredHeaders = Readonly<Record<string, StoredHeader>>;

export interface ConnectionIdentity {
  readonly organizationId: string;
  readonly connectionId: string;
  /** The address of the server, which a connection keeps for its life. */
  readonly url: string;
}

/** The protocol's own headers, and those of the transport, are the platform's. */
const isReserved = (name: string): boolean =>
  !isConfigurable(name) || /^(?:mcp-|accept$|content-|last-event-id$|cookie$|user-agent$)/i.test(name);

/** @throws AppError VALIDATION_ERROR for a header that the platform alone decides */
export const refuseReserved = (path: string, names: readonly string[]): void => {
  const name = names.find(isReserved);
  if (name === undefined) return;
  throw validationError([{ path: `${path}.${name}`, code: 'custom', message: 'is set by the platform' }]);
};

/** Where literal values of the connection's headers go. */
export const headerOwner = ({
  organizationId,
  connectionId,
  url,
}: ConnectionIdentity): Omit<HeaderPlace, 'name'> => ({
  kind: 'mcp',
  organizationId,
  ownerId: connectionId,
  origin: originOfUrl(url) ?? '',
});

const placeOf = (identity: ConnectionIdentity, name: string): HeaderPlace => ({
  ...headerOwner(identity),
  name,
});

const storedBefore = (stored: StoredHeaders, name: string): SealedHeader => {
  const [, value] = Object.entries(stored).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (value !== undefined && 'sealed' in value) return value;
  const path = `body.headers.${name}`;
  throw validationError([{ path, code: 'custom', message: 'stands for a stored value, and there is none' }]);
};

/** `begun` finds the beginning of every mention of a secret, `whole` only complete mentions. */
const begun = /\{\{\s*secrets\b/gi;
const whole = /\{\{\s*secrets\.[A-Z][A-Z0-9_]{0,63}\s*(?:\|[^{}]*)?\}\}/g;
const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** @throws AppError for a mention that would be sent as it is written, and for a variable, which no connection has */
const checkTemplate = (name: string, value: string): void => {
  const path = `headers.${name}`;
  if (countOf(value, begun) !== countOf(value, whole))
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { path } });
  const variable = [...placeholdersIn([value]).keys()].find((one) => !one.startsWith('secrets.'));
  if (variable === undefined) return;
  const message = `mentions {{${variable}}}; a header of a connection may mention secrets alone, as {{secrets.NAME}}`;
  throw validationError([{ path: `body.${path}`, code: 'custom', message }]);
};

/**
 * The headers as they are stored.
 * @param stored the headers of the connection so far; "•••" keeps the stored value of a header
 * @throws AppError VALIDATION_ERROR for a reserved header, for a variable beside a secret, and for "•••" without a stored value;
 *   SECRET_REFERENCE_NOT_ALLOWED for a mention of a secret that is not complete
 */
export const sealHeaders = (
  keyring: Keyring,
  identity: ConnectionIdentity,
  headers: McpConnection['headers'],
  stored: StoredHeaders,
): StoredHeaders => {
  refuseReserved('body.headers', Object.keys(headers));
  const sealOne = (name: string, value: McpConnection['headers'][string]): StoredHeader => {
    if (typeof value !== 'string') return value;
    const place = placeOf(identity, name);
    if (value === mask) {
      const kept = { from: identity.url, path: `headers.${name}` };
      return keepHeader(keyring, storedBefore(stored, name), place, kept);
    }
    if (countOf(value, begun) > 0) {
      checkTemplate(name, value);
      return { template: value };
    }
    return sealHeader(keyring, place, value);
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, sealOne(name, value)] as const),
  );
};

const shown = (value: StoredHeader): McpConnection['headers'][string] => {
  if ('sealed' in value) return mask;
  return 'template' in value ? value.template : value;
};

/** The headers as readers see them. */
export const shownHeaders = (stored: StoredHeaders): McpConnection['headers'] =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, shown(value)] as const));

/** The secrets that headers mention. */
export const headerMentions = (stored: StoredHeaders): SecretMentions => secretMentionsIn(stored);

/** The value of a literal header, for a request that is about to be sent. @throws CannotOpen */
export const openConnectionHeader = (
  keyring: Keyring,
  identity: ConnectionIdentity,
  name: string,
  sealed: SealedHeader,
): string => openHeader(keyring, placeOf(identity, name), sealed);
