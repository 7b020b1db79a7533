// The stored and the shown form of a configuration's webhooks. A literal header value is a credential more often than
// not: it is stored sealed, read back as "•••", and saving "•••" keeps it. References to secrets are stored and shown
// as written.
import type { AgentConfiguration } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { type Issue, validationError } from '@parlance/errors';
import {
  type HeaderPlace,
  keepHeader,
  type SealedHeader,
  sealHeader,
  type WebhookHeader,
  webhookOwner,
} from '@parlance/webhooks';
import type { ConfigurationDocument } from './configuration-document.js';
import { mentionsSecret } from './secret-references.js';

type WebhookField = 'initiation_webhook' | 'post_call_webhook';
interface Headers {
  readonly url: string;
  readonly headers: Readonly<Record<string, WebhookHeader>>;
}
type Stored<W> = Omit<W, 'headers'> & { readonly headers: Record<string, WebhookHeader> };
type StoredWebhook<F extends WebhookField> = Stored<NonNullable<AgentConfiguration[F]>> | null;

/** The document of a configuration, as Postgres holds it. */
export type StoredDocument = Omit<ConfigurationDocument, WebhookField> & {
  readonly [F in WebhookField]: StoredWebhook<F>;
};
/** A saved version as it is stored, for the code that sends its webhooks. */
export type StoredConfiguration = StoredDocument &
  Pick<AgentConfiguration, 'agentId' | 'version' | 'createdAt' | 'updatedAt'>;

/** Stands for a value that is not shown. */
const hidden = '•••';

const withHeaders = <W extends Headers, H>(
  webhook: W | null,
  change: (name: string, value: WebhookHeader) => H,
): (Omit<W, 'headers'> & { headers: Record<string, H> }) | null => {
  if (webhook === null) return null;
  const headers = Object.entries(webhook.headers).map(([name, value]) => [name, change(name, value)]);
  return { ...webhook, headers: Object.fromEntries(headers) };
};

/** A text that is not a reference. Plain ones are in versions of older releases, until they are sealed. */
const isLiteral = (value: WebhookHeader): value is string =>
  typeof value === 'string' && !mentionsSecret(value);

const shownHeader = (_name: string, value: WebhookHeader): string | { secretId: string } => {
  if (typeof value === 'string') return isLiteral(value) ? hidden : value;
  return 'secretId' in value ? value : hidden;
};

/** The configuration as people and the voice runtime read it. */
export const shown = (stored: StoredConfiguration): AgentConfiguration => ({
  ...stored,
  initiation_webhook: withHeaders(stored.initiation_webhook, shownHeader),
  post_call_webhook: withHeaders(stored.post_call_webhook, shownHeader),
});

export interface SealingOptions {
  readonly keyring: Keyring;
  readonly organizationId: string;
  readonly agentId: string;
}

interface LiteralHeader extends HeaderPlace {
  readonly field: WebhookField;
}

const sealLiterals = (
  document: StoredDocument,
  { organizationId, agentId }: Omit<SealingOptions, 'keyring'>,
  seal: (place: LiteralHeader, text: string) => WebhookHeader,
): StoredDocument => {
  const sealed = (field: WebhookField) => {
    const owner = webhookOwner({ organizationId, agentId, url: document[field]?.url ?? '' });
    return (name: string, value: WebhookHeader) =>
      isLiteral(value) ? seal({ ...owner, field, name }, value) : value;
  };
  return {
    ...document,
    initiation_webhook: withHeaders(document.initiation_webhook, sealed('initiation_webhook')),
    post_call_webhook: withHeaders(document.post_call_webhook, sealed('post_call_webhook')),
  };
};

/** The header of the same webhook in the version before, where its value is hidden from readers. */
const hiddenBefore = (
  previous: StoredDocument | undefined,
  { field, name }: LiteralHeader,
): string | SealedHeader | undefined => {
  const headers = Object.entries(previous?.[field]?.headers ?? {});
  const [, value] = headers.find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? [];
  if (value === undefined || (typeof value === 'object' && 'secretId' in value)) return undefined;
  return typeof value === 'object' || isLiteral(value) ? value : undefined;
};

/**
 * The document as it is stored.
 * @param previous the version that the caller has read, from which "•••" keeps the values
 * @throws AppError VALIDATION_ERROR for a "•••" that stands for nothing; HEADER_VALUE_NEEDED for one whose value was given for
 *   another origin
 */
export const toStored = (
  document: ConfigurationDocument,
  previous: StoredDocument | undefined,
  { keyring, ...agent }: SealingOptions,
): StoredDocument => {
  const issues: Issue[] = [];
  const stored = sealLiterals(document, agent, ({ field, ...place }, text) => {
    if (text !== hidden) return sealHeader(keyring, place, text);
    const path = `${field}.headers.${place.name}`;
    const before = hiddenBefore(previous, { field, ...place });
    if (before !== undefined) {
      const kept = { from: previous?.[field]?.url ?? '', path };
      return keepHeader(keyring, before, place, kept);
    }
    issues.push({
      path: `body.${path}`,
      code: 'custom',
      message: 'stands for a stored value, and there is none',
    });
    return text;
  });
  if (issues.length > 0) throw validationError(issues);
  return stored;
};

/** A version of an older release with its literal values sealed. */
export const sealStored = (document: StoredDocument, { keyring, ...agent }: SealingOptions): StoredDocument =>
  sealLiterals(document, agent, ({ field: _field, ...place }, text) => sealHeader(keyring, place, text));
