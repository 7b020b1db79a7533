// Recognition and speech at any server of the OpenAI protocol.
import type { Egress } from '@parlance/egress';
import { type SpeechEndpoint, speak, speechRate, transcribe } from '@parlance/models/speech';
import { type Audio, samplesOf, waveFile } from '../../speech/audio.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';

export interface OpenAiModel extends SpeechEndpoint {
  /** The model's id in the catalog. */
  readonly id: string;
}

/** The way out to the server. */
type WayOut = Pick<Egress, 'open'>;

const hostOf = ({ baseUrl }: OpenAiModel): string => new URL(baseUrl).host;

export const openAiRecognizer = (endpoint: OpenAiModel, egress: WayOut): Recognizer => ({
  provider: hostOf(endpoint),
  model: endpoint.id,
  recognize: (audio: Audio, language: string, signal: AbortSignal): Promise<string> =>
    transcribe(endpoint, { file: waveFile(audio), language }, { egress, signal }),
});

export const openAiSynthesizer = (endpoint: OpenAiModel, voice: string, egress: WayOut): Synthesizer => ({
  provider: hostOf(endpoint),
  model: endpoint.id,
  async *synthesize(text: string, language: string, signal: AbortSignal): AsyncGenerator<Audio> {
    const chunks = speak(endpoint, { text, voice, language }, { egress, signal });
    for await (const samples of samplesOf(chunks)) yield { samples, rate: speechRate };
  },
});
