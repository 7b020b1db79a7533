// Applies the answer of an initiation webhook to the configuration of one call.
import {
  type AgentConfiguration,
  AgentConfigurationInput,
  type Overridable,
  type VoiceCatalog,
} from '@parlance/contracts';
import { catalogIssues } from '@parlance/models';
import { mentionsSecret } from '../configuration/secret-references.js';
import type { InitiationAnswer } from './answer.js';

export interface Applied {
  readonly config: AgentConfiguration;
  /** Overrides that were not taken, such as `overrides.voiceId`. */
  readonly ignored: readonly string[];
}

/** May be said or believed by a model: of the length that a configuration allows, and without a secret. */
const fits = (name: Overridable, value: string): boolean =>
  AgentConfigurationInput.shape[name].safeParse(value).success && !mentionsSecret(value);

/** Voice and language only if they still go with the models. */
const together = (
  config: AgentConfiguration,
  overrides: InitiationAnswer['overrides'],
  catalog: VoiceCatalog,
): boolean => catalogIssues(catalog, { ...config, ...overrides }).length === 0;

/**
 * The configuration with the overrides that the agent allows. Variables become the agent's defaults, because the call's
 * own variables come before them.
 */
export const applyAnswer = (
  config: AgentConfiguration,
  { overrides, dynamicVariables }: InitiationAnswer,
  catalog: VoiceCatalog,
): Applied => {
  const taken: Partial<Record<Overridable, string>> = {};
  const ignored: string[] = [];
  for (const name of ['agent_language', 'voiceId', 'firstMessage', 'systemPrompt'] as const) {
    const value = overrides[name];
    if (value === undefined) continue;
    if (config.allowedOverrides.includes(name) && fits(name, value)) taken[name] = value;
    else ignored.push(`overrides.${name}`);
  }
  const { agent_language: _language, voiceId: _voice, ...words } = taken;
  const choices = (['agent_language', 'voiceId'] as const).filter((name) => taken[name] !== undefined);
  const isPlayable = choices.length === 0 || together(config, taken, catalog);
  if (!isPlayable) ignored.push(...choices.map((name) => `overrides.${name}`));
  const variables = Object.entries(dynamicVariables).map(([name, value]) => [
    name,
    { ...(Object.hasOwn(config.variables, name) ? config.variables[name] : {}), default: value },
  ]);
  return {
    config: {
      ...config,
      ...(isPlayable ? taken : words),
      variables: { ...config.variables, ...Object.fromEntries(variables) },
    },
    ignored,
  };
};
