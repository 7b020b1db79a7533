// Whether the models, the voice and the language of a configuration exist and work together.
import type { AgentConfiguration, ModelOption, VoiceCatalog } from '@parlance/contracts';
import type { Issue } from '@parlance/errors';
import { understands } from './languages.js';

/** The choices of a configuration that have to fit together. */
export type Choices = Pick<
  AgentConfiguration,
  'agent_language' | 'sttModel' | 'llmModel' | 'ttsModel' | 'voiceId'
>;

const issue = (field: keyof Choices, message: string): Issue => ({
  path: `body.${field}`,
  code: 'custom',
  message,
});

const modelIssues = (
  field: 'sttModel' | 'llmModel' | 'ttsModel',
  models: readonly ModelOption[],
  choices: Choices,
): Issue[] => {
  const model = models.find(({ id }) => id === choices[field]);
  if (!model) return [issue(field, 'is not in the voice catalog')];
  if (!model.available) return [issue(field, 'can no longer be chosen')];
  return understands(model.languages, choices.agent_language)
    ? []
    : [issue(field, 'does not know the language of the agent')];
};

const voiceIssues = (catalog: VoiceCatalog, choices: Choices): Issue[] => {
  const voice = catalog.voices.find(({ id }) => id === choices.voiceId);
  if (!voice) return [issue('voiceId', 'is not in the voice catalog')];
  if (!voice.available) return [issue('voiceId', 'can no longer be chosen')];
  if (!voice.ttsModels.includes(choices.ttsModel)) {
    return [issue('voiceId', 'does not belong to the text-to-speech model')];
  }
  return understands(voice.languages, choices.agent_language)
    ? []
    : [issue('voiceId', 'does not speak the language of the agent')];
};

/** Everything that keeps these choices from working together; empty when they do. */
export const catalogIssues = (catalog: VoiceCatalog, choices: Choices): Issue[] =>
  catalog.languages.some(({ code }) => code === choices.agent_language)
    ? [
        ...modelIssues('sttModel', catalog.sttModels, choices),
        ...modelIssues('llmModel', catalog.llmModels, choices),
        ...modelIssues('ttsModel', catalog.ttsModels, choices),
        ...voiceIssues(catalog, choices),
      ]
    : [issue('agent_language', 'is not in the voice catalog')];

/** The languages and voices that a call may have instead of the configuration's own. */
export interface CallChoices {
  readonly language: string;
  readonly voiceId: string;
  readonly languages: string[];
  readonly voices: { readonly id: string; readonly languages: string[] }[];
}

/**
 * Every pair of a language and a voice in it goes with the models of the configuration. A model that can no longer be chosen
 * still works for the agents that have it, so it takes nothing away here.
 */
export const callChoices = (catalog: VoiceCatalog, choices: Choices): CallChoices => {
  const isOfVoice = ({ path }: Issue): boolean => path === 'body.voiceId';
  const present = catalogIssues(catalog, choices).filter((found) => !isOfVoice(found));
  const isPresent = (found: Issue): boolean =>
    present.some(({ path, message }) => path === found.path && message === found.message);
  const issuesWith = (agent_language: string, voiceId: string): Issue[] =>
    catalogIssues(catalog, { ...choices, agent_language, voiceId }).filter((found) => !isPresent(found));
  const languages = catalog.languages
    .map(({ code }) => code)
    .filter((code) => issuesWith(code, choices.voiceId).every(isOfVoice));
  const voices = catalog.voices
    .map(({ id }) => ({ id, languages: languages.filter((code) => issuesWith(code, id).length === 0) }))
    .filter((voice) => voice.languages.length > 0);
  return { language: choices.agent_language, voiceId: choices.voiceId, languages, voices };
};
