// The endpoints of a model and of those that take over when it fails.
import { Secret } from '@parlance/config';
import { catalogModels } from '../catalog/models.js';
import { dialectAt, type ModelKind, splitId, wayOf } from '../catalog/vendors.js';
import type { ModelsFile } from '../operator/models-file.js';
import type { OrganizationModel, OrganizationModels } from '../organization/organization-models.js';
import type { Endpoint, OpenAiEndpoint } from './endpoint.js';

/** The environment of a process, raw or parsed. */
export type KeySource = Readonly<Record<string, unknown>>;

export type UnusableReason =
  /** The variable of its key is not set. */
  | { readonly reason: 'noKey'; readonly variable: string }
  /** The voice runtime has no plugin for its vendor. */
  | { readonly reason: 'noPlugin' }
  /** The secret of the organization's model is gone, or was given for another address. */
  | { readonly reason: 'noSecret' }
  /** Neither the catalog nor the operator's file has such a model of this kind. */
  | { readonly reason: 'unknown' };

/** A model of the list that cannot be called. */
export type UnusableModel = { readonly id: string } & UnusableReason;

export interface ResolvedModels<E extends Endpoint = Endpoint> {
  /** The model itself first, then its fall-backs in order; only those that can be called. */
  readonly endpoints: readonly E[];
  readonly unusable: readonly UnusableModel[];
}

/** Language models are all reached over the OpenAI protocol. */
type EndpointOf<K extends ModelKind> = K extends 'llm' ? OpenAiEndpoint : Endpoint;

const keyIn = (env: KeySource, variable: string): Secret | undefined => {
  const value = env[variable];
  if (value instanceof Secret) return value;
  return typeof value === 'string' && value !== '' ? new Secret(value) : undefined;
};

const openAiEndpoint = (fields: Omit<OpenAiEndpoint, 'via' | 'dialect'>): OpenAiEndpoint => ({
  ...fields,
  via: 'openai',
  dialect: dialectAt(fields.baseUrl),
});

const customEndpoint = (
  entry: ModelsFile['models'][number],
  env: KeySource,
): OpenAiEndpoint | UnusableModel => {
  const { id, kind, baseUrl, model, keyVariable } = entry;
  const apiKey = keyVariable === undefined ? undefined : keyIn(env, keyVariable);
  if (keyVariable !== undefined && apiKey === undefined)
    return { id, reason: 'noKey', variable: keyVariable };
  const firstChunkMs = entry.kind === 'llm' ? entry.firstChunkMs : undefined;
  return openAiEndpoint({ kind, id, baseUrl, model, apiKey, firstChunkMs, organizationId: undefined });
};

const organizationEndpoint = (
  organizationId: string,
  { id, kind, baseUrl, model, apiKey, firstChunkMs, isUsable }: OrganizationModel,
): OpenAiEndpoint | UnusableModel => {
  if (!isUsable) return { id, reason: 'noSecret' };
  const waits = firstChunkMs ?? undefined;
  return openAiEndpoint({ kind, id, baseUrl, model, apiKey, firstChunkMs: waits, organizationId });
};

const catalogEndpoint = (kind: ModelKind, id: string, env: KeySource): Endpoint | UnusableModel => {
  if (!catalogModels.some((model) => model.kind === kind && model.option.id === id))
    return { id, reason: 'unknown' };
  const way = wayOf(kind, id);
  if (way === undefined) return { id, reason: 'noPlugin' };
  const { keyVariable } = way;
  const apiKey = keyIn(env, keyVariable);
  if (apiKey === undefined) return { id, reason: 'noKey', variable: keyVariable };
  const { name: model } = splitId(id);
  if (way.via === 'plugin')
    return { via: 'plugin', kind, id, package: way.package, model, keyVariable, apiKey };
  const { baseUrl, dialect } = way;
  return {
    via: 'openai',
    kind,
    id,
    baseUrl,
    model,
    apiKey,
    dialect,
    firstChunkMs: undefined,
    organizationId: undefined,
  };
};

const isEndpoint = (resolved: Endpoint | UnusableModel): resolved is Endpoint => 'via' in resolved;

/**
 * @param env where the keys are: the environment of the process
 * @param file the operator's own models and lists of fall-backs
 * @param organization the models of the agent's organization, which come before the operator's of the same id
 */
export const endpointsFor = <K extends ModelKind>(
  kind: K,
  modelId: string,
  env: KeySource,
  file: ModelsFile,
  organization?: OrganizationModels,
): ResolvedModels<EndpointOf<K>> => {
  const isNamed =
    (id: string) =>
    (entry: { readonly kind: ModelKind; readonly id: string }): boolean =>
      entry.kind === kind && entry.id === id;
  const ownOf = (id: string) => organization?.models.find(isNamed(id));
  const customOf = (id: string) => file.models.find(isNamed(id));
  const fallbacks = (ownOf(modelId) ?? customOf(modelId))?.fallbacks ?? [];
  const ids = new Set([modelId, ...fallbacks, ...file.fallbacks[kind]]);
  const resolved = [...ids].map((id) => {
    const own = ownOf(id);
    if (organization && own) return organizationEndpoint(organization.organizationId, own);
    const entry = customOf(id);
    return entry ? customEndpoint(entry, env) : catalogEndpoint(kind, id, env);
  });
  return {
    endpoints: resolved.filter(isEndpoint) as EndpointOf<K>[],
    unusable: resolved.filter((model): model is UnusableModel => !isEndpoint(model)),
  };
};
