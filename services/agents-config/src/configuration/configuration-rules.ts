// What a configuration must obey beyond its shape.
import type { VoiceCatalog } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { catalogIssues } from '../catalog/catalog-rules.js';
import type { Configuration } from './configuration-document.js';
import { secretReferences } from './secret-references.js';
import { isAllowedWebhookUrl } from './webhook-url.js';

export interface Surroundings {
  readonly catalog: VoiceCatalog;
  /** Hosts inside the own network that webhooks may name. */
  readonly allowedInside: readonly string[];
}

/** @throws AppError VALIDATION_ERROR, SECRET_REFERENCE_NOT_ALLOWED or URL_NOT_ALLOWED, naming the fields */
export const checkConfiguration = (
  configuration: Configuration,
  { catalog, allowedInside }: Surroundings,
): void => {
  const issues = catalogIssues(catalog, configuration);
  if (issues.length > 0) throw validationError(issues);
  const paths = secretReferences(configuration).map((path) => `body.${path}`);
  if (paths.length > 0) throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { paths } });
  for (const field of ['initiation_webhook', 'post_call_webhook'] as const) {
    const webhook = configuration[field];
    if (webhook && !isAllowedWebhookUrl(webhook.url, allowedInside)) {
      throw new AppError('URL_NOT_ALLOWED', { details: { path: `body.${field}.url` } });
    }
  }
};
