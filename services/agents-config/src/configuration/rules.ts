// What a configuration must obey beyond its shape.
import { AppError, validationError } from '@parlance/errors';
import { catalogIssues } from '../catalog/voice-catalog.js';
import type { Configuration } from './configurations-repository.js';
import { secretReferences } from './secret-references.js';
import { isAllowedWebhookUrl } from './webhook-url.js';

/** @throws AppError VALIDATION_ERROR, URL_NOT_ALLOWED or SECRET_REFERENCE_NOT_ALLOWED, naming the fields */
export const checkConfiguration = (configuration: Configuration, allowedInside: readonly string[]): void => {
  const issues = catalogIssues(configuration);
  if (issues.length > 0) throw validationError(issues);
  for (const field of ['initiation_webhook', 'post_call_webhook'] as const) {
    const webhook = configuration[field];
    if (webhook && !isAllowedWebhookUrl(webhook.url, allowedInside)) {
      throw new AppError('URL_NOT_ALLOWED', { details: { path: `body.${field}.url` } });
    }
  }
  const references = secretReferences(configuration);
  if (references.length > 0) {
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { paths: references } });
  }
};
