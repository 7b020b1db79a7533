// The providers of a configuration's models, in the order in which they are tried: the model itself, its fall-backs, and the local
// speech service.
import type { RuntimeConfig } from '@parlance/contracts';
import { type Endpoint, endpointsFor, type ModelsFile, voiceNameOf } from '@parlance/models';
import type { Environment, SpeechServer } from '../../settings.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';
import { openAiRecognizer, openAiSynthesizer } from './openai.js';
import { pluginRecognizer, pluginSynthesizer } from './plugins.js';

export interface ProviderOptions {
  readonly config: Pick<RuntimeConfig['config'], 'sttModel' | 'ttsModel'>;
  readonly voiceId: string;
  readonly language: string;
  readonly environment: Environment;
  readonly file: ModelsFile;
  readonly speech: SpeechServer | undefined;
}

/** Servers of the OpenAI protocol have this voice, or one that goes by its name. */
const fallbackVoice = 'alloy';

const local = ({ url, key }: SpeechServer, model: string) => ({
  id: `local/${model}`,
  baseUrl: url,
  model,
  apiKey: key,
});

const openAiModel = (endpoint: Extract<Endpoint, { via: 'openai' }>) => ({
  id: endpoint.id,
  baseUrl: endpoint.baseUrl,
  model: endpoint.model,
  apiKey: endpoint.apiKey?.reveal(),
});

const vendorOf = (id: string): string => id.split('/')[0] ?? id;
const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

export const recognizersFor = (options: ProviderOptions): readonly Recognizer[] => {
  const { config, language, environment, file, speech } = options;
  const configured = endpointsFor('stt', config.sttModel, environment, file).endpoints.map((endpoint) =>
    endpoint.via === 'openai'
      ? openAiRecognizer(openAiModel(endpoint))
      : pluginRecognizer(endpoint, language),
  );
  const last = speech && openAiRecognizer(local(speech, speech.sttModel));
  return [...configured, last].filter(isDefined);
};

export const synthesizersFor = (options: ProviderOptions): readonly Synthesizer[] => {
  const { config, voiceId, language, environment, file, speech } = options;
  const configured = endpointsFor('tts', config.ttsModel, environment, file).endpoints.map((endpoint) => {
    // The voice belongs to the vendor of the first model; another vendor does not know it.
    const isVoiceOfVendor = vendorOf(endpoint.id) === vendorOf(voiceId);
    if (endpoint.via === 'openai')
      return openAiSynthesizer(openAiModel(endpoint), isVoiceOfVendor ? voiceNameOf(voiceId) : fallbackVoice);
    return isVoiceOfVendor ? pluginSynthesizer(endpoint, voiceNameOf(voiceId), language) : undefined;
  });
  const last = speech && openAiSynthesizer(local(speech, speech.ttsModel), speech.voice);
  return [...configured, last].filter(isDefined);
};
