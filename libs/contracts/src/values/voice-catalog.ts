// The choices of a configuration: languages, models, voices, time zones.
import { z } from 'zod';
import { micros } from './text.js';

export const ModelOption = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    languages: z
      .array(z.string())
      .meta({ description: 'BCP 47 codes, or only "*" for every language in the catalog' }),
    streaming: z.boolean(),
    costMicrosPerMinute: micros.nullable(),
    typicalLatencyMs: z.int().nullable(),
    available: z.boolean(),
    unavailableReason: z.string().nullable(),
    fallbacks: z
      .array(z.string())
      .optional()
      .meta({ description: 'ids of the models that take over when it fails, in order' }),
  })
  .meta({ id: 'ModelOption', description: 'A model that an agent can use.' });
export type ModelOption = z.infer<typeof ModelOption>;

export const Voice = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    gender: z.enum(['female', 'male', 'neutral']).nullable(),
    languages: z.array(z.string()),
    accent: z.string().nullable(),
    ttsModels: z.array(z.string()).meta({ description: 'text-to-speech models that offer this voice' }),
    previewUrl: z.string().nullable(),
    available: z.boolean(),
  })
  .meta({ id: 'Voice', description: 'A voice that an agent can have.' });
export type Voice = z.infer<typeof Voice>;

export const VoiceCatalog = z
  .object({
    version: z.string(),
    currency: z.string(),
    languages: z.array(z.object({ code: z.string(), name: z.string() })),
    sttModels: z.array(ModelOption),
    llmModels: z.array(ModelOption),
    ttsModels: z.array(ModelOption),
    voices: z.array(Voice),
    defaults: z.object({
      agent_language: z.string(),
      sttModel: z.string(),
      llmModel: z.string(),
      ttsModel: z.string(),
      voiceId: z.string(),
      timezone: z.string(),
    }),
    timezones: z.array(z.string()),
  })
  .meta({ id: 'VoiceCatalog', description: 'Languages, models and voices that agents can use.' });
export type VoiceCatalog = z.infer<typeof VoiceCatalog>;
