// The voice catalog as the interface shows it. Part of the program: a new offer is a release, and the version says so.
import { timeZones, type VoiceCatalog } from '@parlance/contracts';
import { languages } from './languages.js';
import { llmModels, sttModels, ttsModels } from './models.js';
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

export const voiceCatalog: VoiceCatalog = {
  version: '2026-11-01',
  currency: 'USD',
  languages: [...languages],
  sttModels: [...sttModels],
  llmModels: [...llmModels],
  ttsModels: [...ttsModels],
  voices: [...voices],
  defaults,
  timezones: [...timeZones],
};
