// The providers that a configuration names, in the order in which they are tried.
import type { RuntimeConfig } from '@parlance/contracts';
import type { SpeechServer } from '../../settings.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';
import { openAiRecognizer, openAiSynthesizer } from './openai.js';

type Configuration = RuntimeConfig['config'];

const local = ({ url, key }: SpeechServer, model: string) => ({
  id: `local/${model}`,
  baseUrl: url,
  model,
  apiKey: key,
});

export const recognizersFor = (
  _config: Configuration,
  speech: SpeechServer | undefined,
): readonly Recognizer[] => (speech === undefined ? [] : [openAiRecognizer(local(speech, speech.sttModel))]);

export const synthesizersFor = (
  _config: Configuration,
  speech: SpeechServer | undefined,
): readonly Synthesizer[] =>
  speech === undefined ? [] : [openAiSynthesizer(local(speech, speech.ttsModel), speech.voice)];
