// The voice catalog as the interface shows it, and the rules by which its members fit together.
import { type AgentConfiguration, timeZones, type VoiceCatalog } from '@parlance/contracts';
import type { Issue } from '@parlance/errors';
import {
  catalogVersion,
  defaults,
  languages,
  llmModels,
  sttModels,
  ttsModels,
  voices,
} from './catalog-data.js';

type ModelOption = VoiceCatalog['sttModels'][number];

const words = (text: string): string[] => text.split(' ');

const model = ([
  id,
  name,
  provider,
  spoken,
  costMicrosPerMinute,
  typicalLatencyMs,
]: (typeof sttModels)[number]): ModelOption => ({
  id,
  name,
  provider,
  languages: words(spoken),
  streaming: true,
  costMicrosPerMinute,
  typicalLatencyMs,
  available: true,
  unavailableReason: null,
});

export const voiceCatalog: VoiceCatalog = {
  version: catalogVersion,
  currency: 'USD',
  languages: languages.map(([code, name]) => ({ code, name })),
  sttModels: sttModels.map(model),
  llmModels: llmModels.map(model),
  ttsModels: ttsModels.map(model),
  voices: voices.map(([id, name, provider, gender, spoken, accent, models]) => ({
    id,
    name,
    provider,
    gender,
    languages: words(spoken),
    accent,
    ttsModels: words(models),
    previewUrl: null,
    available: true,
  })),
  defaults,
  timezones: [...timeZones],
};

const speaks = (spoken: readonly string[], language: string): boolean =>
  spoken.includes('*') || spoken.includes(language);

type Chosen = Pick<AgentConfiguration, 'agent_language' | 'sttModel' | 'llmModel' | 'ttsModel' | 'voiceId'>;

const issue = (path: string, message: string): Issue => ({ path: `body.${path}`, code: 'custom', message });

const modelIssues = (chosen: Chosen): Issue[] => {
  const lists = {
    sttModel: voiceCatalog.sttModels,
    llmModel: voiceCatalog.llmModels,
    ttsModel: voiceCatalog.ttsModels,
  };
  return (['sttModel', 'llmModel', 'ttsModel'] as const).flatMap((kind) => {
    const found = lists[kind].find(({ id }) => id === chosen[kind]);
    if (!found) return [issue(kind, 'is not in the voice catalog')];
    return speaks(found.languages, chosen.agent_language)
      ? []
      : [issue(kind, 'does not know the language of the agent')];
  });
};

const voiceIssues = (chosen: Chosen): Issue[] => {
  const voice = voiceCatalog.voices.find(({ id }) => id === chosen.voiceId);
  if (!voice) return [issue('voiceId', 'is not in the voice catalog')];
  const issues: Issue[] = [];
  if (!voice.ttsModels.includes(chosen.ttsModel))
    issues.push(issue('voiceId', 'does not belong to the text-to-speech model'));
  if (!speaks(voice.languages, chosen.agent_language))
    issues.push(issue('voiceId', 'does not speak the language of the agent'));
  return issues;
};

/** What keeps these choices from working together; empty when they do. */
export const catalogIssues = (chosen: Chosen): Issue[] =>
  voiceCatalog.languages.some(({ code }) => code === chosen.agent_language)
    ? [...modelIssues(chosen), ...voiceIssues(chosen)]
    : [issue('agent_language', 'is not in the voice catalog')];
