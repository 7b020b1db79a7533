// Finds references to secrets in a configuration. Headers and bodies of webhooks may hold them, because they are filled
// by the process that sends the request. No other field may: a model can say every text that it reads.
import { originOfUrl, type SecretUses } from '@parlance/contracts';
import { type SecretMentions, secretMentionsIn } from '@parlance/webhooks';
import type { Configuration } from './configuration-document.js';

const mention = /\{\{\s*secrets\b/g;
/** A mention that names a secret; any other text that begins like one would be sent as it is written. */
const wellFormed = /\{\{\s*secrets\.[A-Z][A-Z0-9_]{0,63}\s*(?:\|[^{}]*)?\}\}/g;

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** True for a text that a secret would be put into. */
export const mentionsSecret = (text: string): boolean => count(text, mention) > 0;

const isMalformed = (text: string): boolean => count(text, mention) !== count(text, wellFormed);

const isReference = (value: object): boolean => 'secretId' in value && typeof value.secretId === 'string';

interface Finding {
  readonly path: string;
  /** True for a text that begins like a mention and names no secret. */
  readonly malformed: boolean;
}

const findingsIn = (value: unknown, path: string): Finding[] => {
  if (typeof value === 'string') {
    return mentionsSecret(value) ? [{ path, malformed: isMalformed(value) }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) && isReference(value)) return [{ path, malformed: false }];
  return Object.entries(value).flatMap(([key, inner]) =>
    findingsIn(inner, path === '' ? key : `${path}.${key}`),
  );
};

const allowed = /^(?:initiation_webhook|post_call_webhook)\.(?:headers|body)\./;

/** Paths of the fields that refer to a secret and may not, such as `systemPrompt`. */
export const forbiddenReferences = (configuration: Configuration): string[] =>
  findingsIn(configuration, '')
    .filter(({ path, malformed }) => malformed || !allowed.test(path))
    .map(({ path }) => path);

interface Mentioning {
  readonly url: string;
  readonly headers: unknown;
  readonly body?: unknown;
  readonly signingSecretId?: string | undefined;
}

interface WithWebhooks {
  readonly initiation_webhook: Mentioning | null;
  readonly post_call_webhook: Mentioning | null;
}

const webhooksOf = ({
  initiation_webhook: initiation,
  post_call_webhook: postCall,
}: WithWebhooks): Mentioning[] => [initiation, postCall].filter((webhook) => webhook !== null);

/** Where the webhooks send secrets. A secret that signs is not sent. */
export const usesOf = (configuration: WithWebhooks): SecretUses =>
  webhooksOf(configuration)
    .map(({ url, headers, body }) => ({
      origin: originOfUrl(url) ?? '',
      ...secretMentionsIn([headers, body]),
    }))
    .filter(({ ids, names }) => ids.length + names.length > 0);

/** The secrets that the webhooks of a configuration mention. */
export const mentionsOf = (configuration: WithWebhooks): SecretMentions => {
  const webhooks = webhooksOf(configuration);
  const signing = webhooks.flatMap(({ signingSecretId }) => signingSecretId ?? []);
  const { ids, names } = secretMentionsIn(webhooks.map(({ headers, body }) => [headers, body]));
  return { ids: [...new Set([...ids, ...signing])], names };
};
