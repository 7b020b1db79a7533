// Recorded voices: sentences by a server of the OpenAI protocol.
import { callerRate } from './caller.js';

export interface VoiceServer {
  readonly url: string;
  readonly key: string;
  readonly voice: string;
}

const serverRate = 24_000;
const audible = 300;

/** Linear interpolation: good enough for a voice. */
export const resampled = (samples: Int16Array, from: number, to: number): Int16Array => {
  const out = new Int16Array(Math.floor((samples.length * to) / from));
  for (let index = 0; index < out.length; index += 1) {
    const at = (index * from) / to;
    const [low, high] = [samples[Math.floor(at)] ?? 0, samples[Math.floor(at) + 1] ?? 0];
    out[index] = low + (high - low) * (at % 1);
  }
  return out;
};

/** Without the silence at both ends: the end of the samples is the end of the voice. */
export const trimmed = (samples: Int16Array): Int16Array => {
  const isLoud = (sample: number): boolean => Math.abs(sample) > audible;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
};

export const samplesIn = (bytes: Uint8Array): Int16Array => {
  const even = bytes.slice(0, bytes.length - (bytes.length % 2));
  return new Int16Array(even.buffer, 0, even.length / 2);
};

export const recordedByServer = async (
  { url, key, voice }: VoiceServer,
  text: string,
): Promise<Int16Array> => {
  const response = await fetch(`${url}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', voice, input: text, response_format: 'pcm' }),
  });
  if (!response.ok) throw new Error(`no speech: ${response.status} ${await response.text()}`);
  return trimmed(resampled(samplesIn(new Uint8Array(await response.arrayBuffer())), serverRate, callerRate));
};
