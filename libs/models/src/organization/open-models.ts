// The keys of an organization's models inside the platform, for a request that is about to be sent.
import { Secret } from '@parlance/config';
import type { ModelForService } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import type { OrganizationModel, OrganizationModels } from './organization-models.js';

/** The part of `WebhookSecrets` that opens secrets of organizations. */
export interface SecretSource {
  open(
    organizationId: string,
    use: { readonly url: string; readonly ids: string[]; readonly names: string[] },
  ): Promise<{ byId(secretId: string): string }>;
}

/** The key cannot be had for this origin. */
const withoutKey: ReadonlySet<ErrorCode> = new Set(['SECRET_NOT_FOUND', 'SECRET_ORIGIN_NOT_ALLOWED']);

const opened = async (
  secrets: SecretSource,
  organizationId: string,
  { secretId, isUsable, prices: _prices, ...model }: ModelForService,
): Promise<OrganizationModel> => {
  if (secretId === null) return { ...model, apiKey: undefined, isUsable };
  try {
    const { byId } = await secrets.open(organizationId, { url: model.baseUrl, ids: [secretId], names: [] });
    return { ...model, apiKey: new Secret(byId(secretId)), isUsable };
  } catch (error) {
    if (error instanceof AppError && withoutKey.has(error.code))
      return { ...model, apiKey: undefined, isUsable: false };
    throw error;
  }
};

/**
 * A model whose secret is gone, or not allowed for the origin of its address, is not usable.
 * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while tools-secrets does not answer
 */
export const openModels = async (
  secrets: SecretSource,
  organizationId: string,
  models: readonly ModelForService[],
): Promise<OrganizationModels> => ({
  organizationId,
  models: await Promise.all(models.map((model) => opened(secrets, organizationId, model))),
});
