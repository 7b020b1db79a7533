// The stored and the shown form of a configuration's webhooks. A literal header value is a credential more often than
// not: it is stored sealed, read back as "•••", and saving "•••" keeps it. References to secrets are stored and shown
// as written.
import type { AgentConfiguration } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { type Issue, validationError } from '@parlance/errors';
import { sealHeader, type WebhookHeader } from '@parlance/webhooks';
import type { ConfigurationDocument } from './configuration-document.js';
import { mentionsSecret } from './secret-references.js';

type WebhookField = 'initiation_webhook' | 'post_call_webhook';
interface Headers {
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

const sealLiterals = (
  document: StoredDocument,
  seal: (field: WebhookField, name: string, text: string) => WebhookHeader,
): StoredDocument => {
  const sealed = (field: WebhookField) => (name: string, value: WebhookHeader) =>
    isLiteral(value) ? seal(field, name, value) : value;
  return {
    ...document,
    initiation_webhook: withHeaders(document.initiation_webhook, sealed('initiation_webhook')),
    post_call_webhook: withHeaders(document.post_call_webhook, sealed('post_call_webhook')),
  };
};

/** The header of the same webhook in the version before, where its value is hidden from readers. */
const hiddenBefore = (
  previous: StoredDocument | undefined,
  field: WebhookField,
  name: string,
): WebhookHeader | undefined => {
  const headers = Object.entries(previous?.[field]?.headers ?? {});
  const [, value] = headers.find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? [];
  return value !== undefined && shownHeader(name, value) === hidden ? value : undefined;
};

/**
 * The document as it is stored.
 * @param previous the version that the caller has read, from which "•••" keeps the values
 * @throws AppError VALIDATION_ERROR for a "•••" that stands for nothing
 */
export const toStored = (
  document: ConfigurationDocument,
  previous: StoredDocument | undefined,
  { keyring, ...agent }: SealingOptions,
): StoredDocument => {
  const issues: Issue[] = [];
  const stored = sealLiterals(document, (field, name, text) => {
    const kept = text === hidden ? hiddenBefore(previous, field, name) : text;
    if (kept === undefined) {
      const path = `body.${field}.headers.${name}`;
      issues.push({ path, code: 'custom', message: 'stands for a stored value, and there is none' });
    }
    return typeof kept === 'string'
      ? { sealed: sealHeader(keyring, { ...agent, name }, kept) }
      : (kept ?? text);
  });
  if (issues.length > 0) throw validationError(issues);
  return stored;
};

/** A version of an older release with its literal values sealed. */
export const sealStored = (document: StoredDocument, { keyring, ...agent }: SealingOptions): StoredDocument =>
  sealLiterals(document, (_field, name, text) => ({ sealed: sealHeader(keyring, { ...agent, name }, text) }));
