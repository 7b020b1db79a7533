// Finds references to secrets in a configuration. Prompts and first messages may never hold one: what a model reads,
// it can say. Webhooks may hold them once there is a secrets service; until then saving one is refused.
import type { AgentConfigurationInput } from '@parlance/contracts';
import type { z } from 'zod';

type Configuration = z.output<typeof AgentConfigurationInput>;

const mention = /\{\{\s*secrets\./;

const mentionsSecret = (value: unknown): boolean => {
  if (typeof value === 'string') return mention.test(value);
  if (Array.isArray(value)) return value.some(mentionsSecret);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => key === 'secretId' || key === 'signingSecretId' || mentionsSecret(inner),
  );
};

/** Paths of the top-level fields that refer to a secret. */
export const secretReferences = (configuration: Configuration): string[] =>
  Object.entries(configuration).flatMap(([key, value]) => (mentionsSecret(value) ? [`body.${key}`] : []));
