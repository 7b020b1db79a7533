// Speech without a vendor: Debian's espeak-ng speaks, and its pocketsphinx with the English model hears. Another part of
// LiveKit's agents (an `stt.STT`, a `tts.TTS`) takes their place by being named here.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { type AudioBuffer, mergeFrames, stt } from '@livekit/agents';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';

const heardRate = 16_000;
const frameMs = 20;
const waveHeaderBytes = 44;
const bytesPerSample = 2;

/** The output of a program that got these bytes. @throws Error when it is not there, or fails */
const outputOf = (program: string, args: readonly string[], input?: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.stdin.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`${program} ended with ${code}`));
    });
    child.stdin.end(input);
  });

const samplesOf = (bytes: Buffer): Int16Array => {
  const samples = new Int16Array(Math.floor(bytes.length / bytesPerSample));
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = bytes.readInt16LE(index * bytesPerSample);
  return samples;
};

/** The spoken text, in frames of 20 ms. The text goes through standard input: a command line is public on a machine. */
export const speak = async (text: string, language: string): Promise<ReadableStream<AudioFrame>> => {
  const voice = language.slice(0, 2).toLowerCase();
  const wave = await outputOf('espeak-ng', ['-v', voice, '--stdin', '--stdout'], text);
  const rate = wave.readUInt32LE(24);
  const samples = samplesOf(wave.subarray(waveHeaderBytes));
  const size = (rate * frameMs) / 1_000;
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      const part = samples.slice(at, at + size);
      at += size;
      if (part.length > 0) controller.enqueue(new AudioFrame(part, rate, 1, part.length));
      else controller.close();
    },
  });
};

const waveOf = (samples: Int16Array): Buffer => {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const header = Buffer.alloc(waveHeaderBytes);
  header.write('RIFF');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(heardRate, 24);
  header.writeUInt32LE(heardRate * bytesPerSample, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
};

const resampled = ({ data, sampleRate, channels, samplesPerChannel }: AudioFrame): Int16Array => {
  if (sampleRate === heardRate) return data;
  const resampler = new AudioResampler(sampleRate, heardRate, channels);
  const frames = [
    ...resampler.push(new AudioFrame(data, sampleRate, channels, samplesPerChannel)),
    ...resampler.flush(),
  ];
  resampler.close();
  return mergeFrames(frames).data;
};

/** Hears one sentence at a time: the framework finds its beginning and end. English only. */
export class PocketSphinx extends stt.STT {
  label = 'pocketsphinx';

  constructor() {
    super({ streaming: false, interimResults: false });
  }

  override async _recognize(buffer: AudioBuffer): Promise<stt.SpeechEvent> {
    const directory = await mkdtemp(join(tmpdir(), 'heard-'));
    try {
      const file = join(directory, 'heard.wav');
      await writeFile(file, waveOf(resampled(mergeFrames(buffer))));
      const words = await outputOf('pocketsphinx_continuous', ['-infile', file, '-logfn', '/dev/null']);
      const text = words.toString('utf8').replaceAll(/\s+/g, ' ').trim();
      const heard = { text, language: 'en' as never, startTime: 0, endTime: 0, confidence: 0 };
      return { type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [heard] };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  override stream(): stt.SpeechStream {
    throw new Error('pocketsphinx hears whole sentences; the framework streams for it');
  }
}
