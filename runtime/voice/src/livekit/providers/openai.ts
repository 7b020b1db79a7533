// Recognition and speech at any server of the OpenAI protocol.
import { OpenAI, toFile } from 'openai';
import { type Audio, samplesOf, waveFile } from '../../speech/audio.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';

export interface OpenAiModel {
  /** The model's id in the catalog. */
  readonly id: string;
  /** Address up to `/v1`. */
  readonly baseUrl: string;
  /** The vendor's own name of the model. */
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** `pcm` of the protocol: 16 bits, mono, at this rate. */
const pcmRate = 24_000;

const clientOf = ({ baseUrl, apiKey }: OpenAiModel): OpenAI =>
  // A server without a key gets one that it ignores: the client insists on some. Fall-back replaces its retries.
  new OpenAI({ baseURL: baseUrl, apiKey: apiKey ?? 'none', maxRetries: 0 });

const hostOf = ({ baseUrl }: OpenAiModel): string => new URL(baseUrl).host;

export const openAiRecognizer = (endpoint: OpenAiModel): Recognizer => {
  const client = clientOf(endpoint);
  return {
    provider: hostOf(endpoint),
    model: endpoint.id,
    recognize: async (audio: Audio, language: string, signal: AbortSignal): Promise<string> => {
      const file = await toFile(waveFile(audio), 'audio.wav', { type: 'audio/wav' });
      const request = { file, model: endpoint.model, language: language.slice(0, 2).toLowerCase() };
      const { text } = await client.audio.transcriptions.create(
        { ...request, response_format: 'json' },
        { signal },
      );
      if (typeof text !== 'string') throw new Error('the transcription has no text');
      return text;
    },
  };
};

export const openAiSynthesizer = (endpoint: OpenAiModel, voice: string): Synthesizer => {
  const client = clientOf(endpoint);
  return {
    provider: hostOf(endpoint),
    model: endpoint.id,
    async *synthesize(text: string, language: string, signal: AbortSignal): AsyncGenerator<Audio> {
      const request = { model: endpoint.model, voice, input: text, response_format: 'pcm' as const };
      // `language` is not of the protocol; a server that does not know it ignores it.
      const body: typeof request & { readonly language: string } = { ...request, language };
      const response = await client.audio.speech.create(body, { signal });
      const type = response.headers.get('content-type') ?? '';
      if (/json|html|text/.test(type)) throw new Error(`the speech is ${type}`);
      if (response.body === null) throw new Error('the speech has no body');
      for await (const samples of samplesOf(response.body)) yield { samples, rate: pcmRate };
    },
  };
};
