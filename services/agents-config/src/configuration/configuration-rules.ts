// The rules of a configuration beyond its shape.
import type { VoiceCatalog } from '@parlance/contracts';
import type { UrlRules } from '@parlance/egress';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { catalogIssues } from '@parlance/models';
import type { Configuration } from './configuration-document.js';
import { checkPlaceholders } from './placeholder-rules.js';
import { forbiddenReferences } from './secret-references.js';
import type { StoredDocument } from './stored-webhooks.js';

export interface Surroundings {
  readonly catalog: VoiceCatalog;
  /** The rules of every address that is called for a customer; where a name leads is judged at every call. */
  readonly urls: Pick<UrlRules, 'refusal'>;
  /** The version in force, or the one that is restored. */
  readonly before?: StoredDocument | undefined;
}

/** A recording would keep what the transcript hides. */
const redactionIssues = ({ recording, redaction }: Configuration): Issue[] =>
  recording.enabled && (redaction?.kinds.length ?? 0) > 0
    ? [
        {
          path: 'body.recording.enabled',
          code: 'custom',
          message: 'must be false while redaction.kinds hides personal data, which a recording would keep',
        },
      ]
    : [];

/** @throws AppError VALIDATION_ERROR, SECRET_REFERENCE_NOT_ALLOWED or URL_NOT_ALLOWED, naming the fields */
export const checkConfiguration = (
  configuration: Configuration,
  { catalog, urls, before }: Surroundings,
): void => {
  const issues = [...catalogIssues(catalog, configuration), ...redactionIssues(configuration)];
  if (issues.length > 0) throw validationError(issues);
  const paths = forbiddenReferences(configuration).map((path) => `body.${path}`);
  if (paths.length > 0) throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { paths } });
  checkPlaceholders(configuration, before);
  for (const field of ['initiation_webhook', 'post_call_webhook'] as const) {
    const webhook = configuration[field];
    if (webhook && urls.refusal(webhook.url) !== undefined) {
      throw new AppError('URL_NOT_ALLOWED', { details: { path: `body.${field}.url` } });
    }
  }
};
