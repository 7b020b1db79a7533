// Vendors with a protocol of their own, through the framework's plugins for them.
import type { stt, tts } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import { AudioFrame } from '@livekit/rtc-node';
import type { PluginEndpoint } from '@parlance/models';
import type { Audio } from '../../speech/audio.js';
import { recognizerPackages, synthesizerPackages } from '../../speech/plugin-packages.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';

/** The next provider is tried instead. */
const once = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 10_000 };

type Recognizers = Readonly<
  Record<(typeof recognizerPackages)[number], (endpoint: PluginEndpoint, language: string) => stt.STT>
>;

const recognizers: Recognizers = {
  '@livekit/agents-plugin-deepgram': ({ model, apiKey }, language) =>
    new deepgram.STT({ model, apiKey: apiKey.reveal(), language }),
};

type Synthesizers = Readonly<
  Record<
    (typeof synthesizerPackages)[number],
    (endpoint: PluginEndpoint, voice: string, language: string) => tts.TTS
  >
>;

const synthesizers: Synthesizers = {
  '@livekit/agents-plugin-cartesia': ({ model, apiKey }, voice, language) =>
    new cartesia.TTS({
      model,
      voice,
      language: language.split('-', 1)[0] ?? language,
      apiKey: apiKey.reveal(),
    }),
  // A voice of Deepgram is a model.
  '@livekit/agents-plugin-deepgram': ({ apiKey }, voice) =>
    new deepgram.TTS({ model: voice, apiKey: apiKey.reveal() }),
  '@livekit/agents-plugin-elevenlabs': ({ model, apiKey }, voiceId) =>
    new elevenlabs.TTS({ model, voiceId, apiKey: apiKey.reveal() }),
};

const isIn = <P extends string>(packages: readonly P[], name: string): name is P =>
  (packages as readonly string[]).includes(name);

const vendorOf = ({ id }: PluginEndpoint): string => id.split('/')[0] ?? id;

/** Undefined: no plugin of the vendor is installed. */
export const pluginRecognizer = (endpoint: PluginEndpoint, language: string): Recognizer | undefined => {
  if (!isIn(recognizerPackages, endpoint.package)) return undefined;
  const plugin = recognizers[endpoint.package](endpoint, language);
  plugin.on('error', () => undefined);
  return {
    provider: vendorOf(endpoint),
    model: endpoint.id,
    recognize: async ({ samples, rate }, _language, signal) => {
      const event = await plugin.recognize([new AudioFrame(samples, rate, 1, samples.length)], signal);
      return event.alternatives?.[0]?.text ?? '';
    },
  };
};

/** Undefined: no plugin of the vendor is installed. */
export const pluginSynthesizer = (
  endpoint: PluginEndpoint,
  voice: string,
  language: string,
): Synthesizer | undefined => {
  if (!isIn(synthesizerPackages, endpoint.package)) return undefined;
  const plugin = synthesizers[endpoint.package](endpoint, voice, language);
  // Without a listener, an error ends the process.
  plugin.on('error', () => undefined);
  return {
    provider: vendorOf(endpoint),
    model: endpoint.id,
    variant: voice,
    async *synthesize(text, _language, signal): AsyncGenerator<Audio> {
      for await (const { frame } of plugin.synthesize(text, once, signal))
        yield { samples: frame.data, rate: frame.sampleRate };
    },
  };
};
