// The organization's own models of a call. Without them its fall-backs answer, or the rules.
import type { CallContext, RuntimeConfig } from '@parlance/contracts';
import type { OrganizationModels } from '@parlance/models';
import type { Platform } from './platform.js';

export interface ModelsOfCall {
  readonly models: OrganizationModels | undefined;
  /** Keys, which nothing that the agent says may have in it. */
  readonly secrets: readonly string[];
}

export const modelsOfCall = async (
  platform: Pick<Platform, 'models'>,
  { callId }: Pick<CallContext, 'callId'>,
  found: RuntimeConfig,
  { signal, onFailure }: { readonly signal?: AbortSignal; readonly onFailure: (error: unknown) => void },
): Promise<ModelsOfCall> => {
  try {
    const models = await platform.models(callId, found, signal);
    const secrets = models?.models.flatMap(({ apiKey }) => apiKey?.reveal() ?? []) ?? [];
    return { models, secrets };
  } catch (error) {
    onFailure(error);
    return { models: undefined, secrets: [] };
  }
};
