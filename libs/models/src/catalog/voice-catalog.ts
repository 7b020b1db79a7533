// The voice catalog as the interface shows it. Part of the program: a new offer is a release, and the version says so.
import { type ModelOption, timeZones, type VoiceCatalog } from '@parlance/contracts';
import { languages } from './languages.js';
import { catalogModels } from './models.js';
import type { ModelKind } from './vendors.js';
import { voices } from './voices.js';

/** The first values of a new configuration. */
export const defaults = {
  agent_language: 'en',
  sttModel: 'deepgram/nova-3',
  llmModel: 'openai/gpt-4.1-mini',
  ttsModel: 'cartesia/sonic-3',
  voiceId: 'cartesia/f786b574-daa5-4673-aa0c-cbe3e8534c02',
  timezone: 'UTC',
} as const;

const optionsOf = (kind: ModelKind): ModelOption[] =>
  catalogModels.filter((model) => model.kind === kind).map(({ option }) => option);

const ttsModels = optionsOf('tts');
const canSpeak = (id: string): boolean => ttsModels.some((model) => model.id === id && model.available);

export const voiceCatalog: VoiceCatalog = {
  version: '2026-11-01',
  currency: 'USD',
  languages: [...languages],
  sttModels: optionsOf('stt'),
  llmModels: optionsOf('llm'),
  ttsModels,
  voices: voices.map((voice) => ({ ...voice, available: voice.ttsModels.some(canSpeak) })),
  defaults,
  timezones: [...timeZones],
};
