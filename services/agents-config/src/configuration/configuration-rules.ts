// The rules of a configuration beyond its shape.
import type { VoiceCatalog } from '@parlance/contracts';
import type { UrlRules } from '@parlance/egress';
import { AppError, validationError } from '@parlance/errors';
import { catalogIssues } from '../catalog/catalog-rules.js';
import type { Configuration } from './configuration-document.js';
import { forbiddenReferences } from './secret-references.js';

export interface Surroundings {
  readonly catalog: VoiceCatalog;
  /** The rules of every address that is called for a customer; where a name leads is judged at every call. */
  readonly urls: Pick<UrlRules, 'refusal'>;
}

/** @throws AppError VALIDATION_ERROR, SECRET_REFERENCE_NOT_ALLOWED or URL_NOT_ALLOWED, naming the fields */
export const checkConfiguration = (configuration: Configuration, { catalog, urls }: Surroundings): void => {
  const issues = catalogIssues(catalog, configuration);
  if (issues.length > 0) throw validationError(issues);
  const paths = forbiddenReferences(configuration).map((path) => `body.${path}`);
  if (paths.length > 0) throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { paths } });
  for (const field of ['initiation_webhook', 'post_call_webhook'] as const) {
    const webhook = configuration[field];
    if (webhook && urls.refusal(webhook.url) !== undefined) {
      throw new AppError('URL_NOT_ALLOWED', { details: { path: `body.${field}.url` } });
    }
  }
};
