// A file for the microphone: keys of a telephone, or a voice.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pressed } from '@parlance/fake-kit/tones';

const headerBytes = 44;
const bytesPerSample = 2;

const waveOf = (samples: Int16Array, sampleRate: number): Buffer => {
  const file = Buffer.alloc(headerBytes + samples.length * bytesPerSample);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(8 * bytesPerSample, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * bytesPerSample, 40);
  for (const [index, sample] of samples.entries())
    file.writeInt16LE(sample, headerBytes + index * bytesPerSample);
  return file;
};

/** Silence before and after the sound. Chromium plays the file again at its end. */
export interface Silence {
  readonly beforeMs: number;
  readonly afterMs: number;
}

const write = (
  file: string,
  { samples, sampleRate }: { readonly samples: Int16Array; readonly sampleRate: number },
  { beforeMs, afterMs }: Silence,
): void => {
  const silent = (ms: number): number[] => new Array<number>(Math.round((ms * sampleRate) / 1_000)).fill(0);
  const all = Int16Array.from([...silent(beforeMs), ...samples, ...silent(afterMs)]);
  writeFileSync(file, waveOf(all, sampleRate));
};

/** Writes a WAVE file in which the keys are pressed once. @param keys of a telephone, such as `1207` */
export const writeKeys = (file: string, keys: string, silence: Silence): void =>
  write(file, pressed(keys), silence);

/** Writes a WAVE file in which a synthetic voice says the text once. Needs espeak-ng. */
export const writeVoice = (file: string, text: string, silence: Silence): void => {
  const { stdout } = spawnSync('espeak-ng', ['--stdin', '--stdout'], { input: text });
  const voice = new Uint8Array(stdout.subarray(headerBytes));
  const samples = new Int16Array(voice.buffer, 0, Math.floor(voice.length / bytesPerSample));
  write(file, { samples, sampleRate: stdout.readUInt32LE(24) }, silence);
};
