// The voice catalog with the models and voices of the operator and of an organization.
import { createHash } from 'node:crypto';
import type { ModelOption, OrganizationModel, Voice, VoiceCatalog } from '@parlance/contracts';
import { catalogModels } from '../catalog/models.js';
import { costMicrosPerMinute, type ModelPrices } from '../catalog/prices.js';
import { splitId } from '../catalog/vendors.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import type { CustomModel, ModelsFile } from './models-file.js';

/** How the catalog names the vendor of a model that is not its own. */
const provider = 'Custom';

type Entry = CustomModel | OrganizationModel;

const optionOf = (entry: Entry): ModelOption => ({
  id: entry.id,
  name: entry.name,
  provider,
  languages: entry.languages,
  // The protocol takes recordings of whole utterances, and streams the rest.
  streaming: entry.kind !== 'stt',
  costMicrosPerMinute: costMicrosPerMinute(entry.prices ?? undefined),
  typicalLatencyMs: entry.typicalLatencyMs ?? null,
  available: true,
  unavailableReason: null,
});

const voicesOf = (entry: Entry): Voice[] =>
  'voices' in entry
    ? entry.voices.map((voice) => ({
        id: `${entry.id}/${voice.id}`,
        name: voice.name,
        provider,
        gender: null,
        languages: voice.languages,
        accent: null,
        ttsModels: [entry.id],
        previewUrl: null,
        available: true,
      }))
    : [];

/** In the order in which they are tried: the model's own, then the operator's. */
const withFallbacks = (option: ModelOption, fallbacks: readonly string[]): ModelOption => {
  const ids = [...new Set(fallbacks)].filter((id) => id !== option.id);
  return ids.length === 0 ? option : { ...option, fallbacks: ids };
};

/**
 * The catalog that agents choose from.
 * @param own the models of the agents' organization; one with the id of an operator's model stands in its place
 */
export const catalogWith = (file: ModelsFile, own: readonly OrganizationModel[] = []): VoiceCatalog => {
  const ownIds = new Set(own.map(({ id }) => id));
  const models: readonly Entry[] = [...file.models.filter(({ id }) => !ownIds.has(id)), ...own];
  if (models.length === 0 && Object.values(file.fallbacks).every((ids) => ids.length === 0))
    return voiceCatalog;
  const optionsOf = (kind: Entry['kind'], ofProgram: readonly ModelOption[]): ModelOption[] => {
    const entries = models.filter((entry) => entry.kind === kind);
    return [...ofProgram, ...entries.map(optionOf)].map((option) => {
      const entry = entries.find(({ id }) => id === option.id);
      return withFallbacks(option, [...(entry?.fallbacks ?? []), ...file.fallbacks[kind]]);
    });
  };
  const sttModels = optionsOf('stt', voiceCatalog.sttModels);
  const llmModels = optionsOf('llm', voiceCatalog.llmModels);
  const ttsModels = optionsOf('tts', voiceCatalog.ttsModels);
  const voices = [...voiceCatalog.voices, ...models.flatMap(voicesOf)];
  // Readers that keep a catalog compare its version.
  const digest = createHash('sha256')
    .update(JSON.stringify([sttModels, llmModels, ttsModels, voices]))
    .digest('hex')
    .slice(0, 12);
  return {
    ...voiceCatalog,
    version: `${voiceCatalog.version}+${digest}`,
    sttModels,
    llmModels,
    ttsModels,
    voices,
  };
};

/** How the voice runtime names the models of `SPEECH_URL`. */
const localVendor = 'local';
const free: ModelPrices = { perMinute: 0, perMillionCharacters: 0 };

/** Undefined for a model without a published price, or one that does not exist. The operator's own speech service costs nothing by use. */
export const pricesOf = (modelId: string, { models }: ModelsFile): ModelPrices | undefined =>
  (splitId(modelId).vendor === localVendor ? free : undefined) ??
  models.find(({ id }) => id === modelId)?.prices ??
  catalogModels.find(({ option }) => option.id === modelId)?.prices;

/** The vendor's or the server's own name of a voice of the catalog. */
export const voiceNameOf = (voiceId: string): string => {
  const { vendor, name } = splitId(voiceId);
  return vendor === 'custom' ? splitId(name).name : name;
};
