// Recognition and speech at any server of the OpenAI protocol.
import type { Egress } from '@parlance/egress';
import { type SpeechEndpoint, speak, speechRate, transcribe } from '@parlance/models/speech';
import { type Audio, samplesOf, waveFile } from '../../speech/audio.js';
import type { Recognizer, Synthesizer } from '../../speech/providers.js';

export interface OpenAiModel extends SpeechEndpoint {
  /** The model's id in the catalog. */
  readonly id: string;
  /** Whose model it is; undefined for the operator's. */
  readonly organizationId?: string | undefined;
}

/** The way out to the server. */
type WayOut = Pick<Egress, 'open'>;

const hostOf = ({ baseUrl }: OpenAiModel): string => new URL(baseUrl).host;

export const openAiRecognizer = (endpoint: OpenAiModel, egress: WayOut): Recognizer => ({
  provider: hostOf(endpoint),
  model: endpoint.id,
  recognize: (audio, language, signal, hint): Promise<string> =>
    transcribe(endpoint, { file: waveFile(audio), language, hint }, { egress, signal }),
});

export const openAiSynthesizer = (endpoint: OpenAiModel, voice: string, egress: WayOut): Synthesizer => ({
  provider: hostOf(endpoint),
  model: endpoint.id,
  // Two organizations may have different voices behind one name.
  variant: [endpoint.organizationId ?? '', endpoint.baseUrl, endpoint.model, voice].join(' '),
  async *synthesize(text, language, signal, urgency): AsyncGenerator<Audio> {
    const speech = { text, voice, language, isBackground: urgency === 'ahead' };
    const chunks = speak(endpoint, speech, { egress, signal });
    for await (const samples of samplesOf(chunks)) yield { samples, rate: speechRate };
  },
});
