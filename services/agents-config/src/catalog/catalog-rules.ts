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
