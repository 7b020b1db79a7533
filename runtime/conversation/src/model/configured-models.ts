// The language models of an installation: those whose endpoint and key are configured.
import {
  endpointsFor,
  type KeySource,
  type ModelGuards,
  type ModelsFile,
  type OrganizationModels,
} from '@parlance/models';
import { chat, EndpointBreakers } from '@parlance/models/chat';
import type { LanguageModel } from '../dialogue/chat.js';

export interface ConfiguredModelsOptions {
  /** Where the keys of vendors are: the environment of the process. */
  readonly env: KeySource;
  readonly file: ModelsFile;
  readonly egress: ModelGuards;
  /** The window that requests are fitted into. */
  readonly contextTokens: number;
}

/** Finds the model of an agent's `llmModel`; undefined where neither it nor a fall-back can be called. */
export const configuredModels = ({ env, file, egress, contextTokens }: ConfiguredModelsOptions) => {
  const breakers = new EndpointBreakers();
  return (llmModel: string, organization?: OrganizationModels): LanguageModel | undefined => {
    const { endpoints } = endpointsFor('llm', llmModel, env, file, organization);
    const [first] = endpoints;
    if (first === undefined) return undefined;
    return {
      id: first.id,
      contextTokens,
      chat: (request) => chat(request, endpoints, { egress, breakers }),
    };
  };
};
