// The voice catalog with the operator's own models and voices.
import { createHash } from 'node:crypto';
import type { ModelOption, Voice, VoiceCatalog } from '@parlance/contracts';
import { catalogModels } from '../catalog/models.js';
import { costMicrosPerMinute, type ModelPrices } from '../catalog/prices.js';
import { splitId } from '../catalog/vendors.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import type { CustomModel, ModelsFile } from './models-file.js';

/** How the catalog names the vendor of an operator's model. */
const provider = 'Custom';

const optionOf = (entry: CustomModel): ModelOption => ({
  id: entry.id,
  name: entry.name,
  provider,
  languages: entry.languages,
  // The protocol takes recordings of whole utterances, and streams the rest.
  streaming: entry.kind !== 'stt',
  costMicrosPerMinute: costMicrosPerMinute(entry.prices),
  typicalLatencyMs: entry.typicalLatencyMs ?? null,
  available: true,
  unavailableReason: null,
});

const voicesOf = (entry: CustomModel): Voice[] =>
  entry.kind === 'tts'
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

/** The catalog that agents of this installation choose from. */
export const catalogWith = ({ models }: ModelsFile): VoiceCatalog => {
  if (models.length === 0) return voiceCatalog;
  const optionsOf = (kind: CustomModel['kind']): ModelOption[] =>
    models.filter((entry) => entry.kind === kind).map(optionOf);
  // Readers that keep a catalog compare its version.
  const digest = createHash('sha256').update(JSON.stringify(models)).digest('hex').slice(0, 12);
  return {
    ...voiceCatalog,
    version: `${voiceCatalog.version}+${digest}`,
    sttModels: [...voiceCatalog.sttModels, ...optionsOf('stt')],
    llmModels: [...voiceCatalog.llmModels, ...optionsOf('llm')],
    ttsModels: [...voiceCatalog.ttsModels, ...optionsOf('tts')],
    voices: [...voiceCatalog.voices, ...models.flatMap(voicesOf)],
  };
};

/** Undefined for a model without a published price, or one that does not exist. */
export const pricesOf = (modelId: string, { models }: ModelsFile): ModelPrices | undefined =>
  models.find(({ id }) => id === modelId)?.prices ??
  catalogModels.find(({ option }) => option.id === modelId)?.prices;

/** The vendor's or the server's own name of a voice of the catalog. */
export const voiceNameOf = (voiceId: string): string => {
  const { vendor, name } = splitId(voiceId);
  return vendor === 'custom' ? splitId(name).name : name;
};
