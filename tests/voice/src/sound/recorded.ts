// Recorded voices: sentences by a server of the OpenAI protocol.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchAgain } from '../setting/speech.js';
import { callerRate, hum } from './audio.js';

export interface VoiceServer {
  readonly url: string;
  readonly key: string;
  readonly voice: string;
}

const serverRate = 24_000;
/** Another way of recording takes another number, so that recordings of before are made again. */
const recipe = 2;

const halfTaps = 24;

/** A low-pass (windowed sinc): what the lower rate cannot carry would be heard as another sound. */
const lowPassed = (samples: Int16Array, cutoff: number): Int16Array => {
  const taps = Float64Array.from({ length: 2 * halfTaps + 1 }, (_, index) => {
    const at = index - halfTaps;
    const sinc = at === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * at) / (Math.PI * at);
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * at) / halfTaps));
  });
  return samples.map((_, index) => {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1)
      sum += (taps[tap] ?? 0) * (samples[index + tap - halfTaps] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
};

/** Linear interpolation: good enough for a voice. */
export const resampled = (original: Int16Array, from: number, to: number): Int16Array => {
  const samples = to < from ? lowPassed(original, (0.45 * to) / from) : original;
  const out = new Int16Array(Math.floor((samples.length * to) / from));
  for (let index = 0; index < out.length; index += 1) {
    const at = (index * from) / to;
    const [low, high] = [samples[Math.floor(at)] ?? 0, samples[Math.floor(at) + 1] ?? 0];
    out[index] = low + (high - low) * (at % 1);
  }
  return out;
};

const frameMs = 10;
/** A fraction of the loudest frame: 30 dB below it. */
const voiced = 0.03;
/** A click or the end of a breath is shorter. */
const leastVoiceFrames = 4;

/** Without what surrounds the voice at both ends, breaths included: the end of the samples is the end of the voice. */
export const trimmed = (samples: Int16Array, rate: number): Int16Array => {
  const length = Math.round((rate * frameMs) / 1_000);
  const levels = Array.from({ length: Math.floor(samples.length / length) }, (_, frame) =>
    Math.hypot(...samples.subarray(frame * length, (frame + 1) * length)),
  );
  const least = voiced * levels.reduce((most, level) => Math.max(most, level), 0);
  const isVoice = (_: number, frame: number): boolean =>
    frame + leastVoiceFrames <= levels.length &&
    levels.slice(frame, frame + leastVoiceFrames).every((level) => level > least);
  const first = levels.findIndex(isVoice);
  return first < 0
    ? samples.slice(0, 0)
    : samples.slice(first * length, (levels.findLastIndex(isVoice) + leastVoiceFrames) * length);
};

const waveHeaderBytes = 44;

/** By espeak-ng, which speaks languages that the server does not. */
const recordedByEspeak = (voice: string, text: string, rate: number): Int16Array => {
  const { stdout, status } = spawnSync('espeak-ng', ['-v', voice, '-s', '150', '--stdin', '--stdout'], {
    input: text,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`espeak-ng has not spoken with the voice ${voice}`);
  return trimmed(
    resampled(samplesIn(new Uint8Array(stdout.subarray(waveHeaderBytes))), stdout.readUInt32LE(24), rate),
    rate,
  );
};

/** Voices of callers by name, such as `nova`, `espeak:de`, or `hum:120` with its pitch in hertz. Recordings are kept in a folder for the next run. */
export class Voices {
  readonly #server: Omit<VoiceServer, 'voice'>;
  readonly #folder: string;
  readonly #recent = new Map<string, Int16Array>();

  constructor(server: Omit<VoiceServer, 'voice'>, folder: string) {
    this.#server = server;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async say(text: string, voice: string, rate: number): Promise<Int16Array> {
    const name = createHash('sha256')
      .update(JSON.stringify([recipe, text, voice, rate]))
      .digest('hex');
    const known = this.#recent.get(name);
    if (known !== undefined) return known;
    const file = join(this.#folder, `${name}.pcm`);
    const [engine, engineVoice = ''] = voice.split(':');
    let samples: Int16Array;
    if (existsSync(file)) samples = samplesIn(new Uint8Array(readFileSync(file)));
    else {
      samples =
        engine === 'hum'
          ? hum(Number(engineVoice), rate)
          : engine === 'espeak'
            ? recordedByEspeak(engineVoice, text, rate)
            : await recordedByServer({ ...this.#server, voice }, text, rate);
      writeFileSync(file, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    }
    this.#recent.set(name, samples);
    return samples;
  }
}

export const samplesIn = (bytes: Uint8Array): Int16Array => {
  const even = bytes.slice(0, bytes.length - (bytes.length % 2));
  return new Int16Array(even.buffer, 0, even.length / 2);
};

export const recordedByServer = async (
  { url, key, voice }: VoiceServer,
  text: string,
  rate = callerRate,
): Promise<Int16Array> => {
  const response = await fetchAgain(`${url}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', voice, input: text, response_format: 'pcm' }),
  });
  if (!response.ok) throw new Error(`no speech: ${response.status} ${await response.text()}`);
  return trimmed(resampled(samplesIn(new Uint8Array(await response.arrayBuffer())), serverRate, rate), rate);
};
