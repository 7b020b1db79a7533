// The providers of a configuration's models, in the order in which they are tried: the model itself, its fall-backs, and the local
// speech service.
import { Secret } from '@parlance/config';
import type { RuntimeConfig } from '@parlance/contracts';
import {
  endpointsFor,
  type ModelGuards,
  type ModelsFile,
  mayBeOfOrganization,
  type OrganizationModels,
  voiceNameOf,
} from '@parlance/models';
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
  /** The models of the agent's organization. */
  readonly organization: OrganizationModels | undefined;
  readonly egress: ModelGuards;
  readonly speech: SpeechServer | undefined;
}

/** Servers of the OpenAI protocol have this voice, or one that goes by its name. */
const fallbackVoice = 'alloy';

const local = ({ url, key }: SpeechServer, model: string) => ({
  id: `local/${model}`,
  baseUrl: url,
  model,
  apiKey: key === undefined ? undefined : new Secret(key),
});

/** The operator's own address. */
const ofOperator = { organizationId: undefined };

const vendorOf = (id: string): string => id.split('/')[0] ?? id;
/** A voice belongs to a vendor, or to one custom model; others do not know it. */
const knowsVoice = (modelId: string, voiceId: string): boolean =>
  vendorOf(modelId) === vendorOf(voiceId) &&
  (!mayBeOfOrganization(modelId) || voiceId.startsWith(`${modelId}/`));
const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

export const recognizersFor = (options: ProviderOptions): readonly Recognizer[] => {
  const { config, language, environment, file, organization, egress, speech } = options;
  const { endpoints } = endpointsFor('stt', config.sttModel, environment, file, organization);
  const configured = endpoints.map((endpoint) =>
    endpoint.via === 'openai'
      ? openAiRecognizer(endpoint, egress.of(endpoint))
      : pluginRecognizer(endpoint, language),
  );
  const last = speech && openAiRecognizer(local(speech, speech.sttModel), egress.of(ofOperator));
  return [...configured, last].filter(isDefined);
};

export const synthesizersFor = (options: ProviderOptions): readonly Synthesizer[] => {
  const { config, voiceId, language, environment, file, organization, egress, speech } = options;
  const { endpoints } = endpointsFor('tts', config.ttsModel, environment, file, organization);
  const configured = endpoints.map((endpoint) => {
    const isVoiceOfEndpoint = knowsVoice(endpoint.id, voiceId);
    if (endpoint.via === 'openai') {
      const voice = isVoiceOfEndpoint ? voiceNameOf(voiceId) : fallbackVoice;
      return openAiSynthesizer(endpoint, voice, egress.of(endpoint));
    }
    return isVoiceOfEndpoint ? pluginSynthesizer(endpoint, voiceNameOf(voiceId), language) : undefined;
  });
  const last =
    speech && openAiSynthesizer(local(speech, speech.ttsModel), speech.voice, egress.of(ofOperator));
  return [...configured, last].filter(isDefined);
};
