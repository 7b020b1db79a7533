// The voice of the agent: a speech synthesizer where one is installed, else a murmur of about the same length.
import { spawn } from 'node:child_process';
import { sines } from '@parlance/fake-kit/tones';
import { findSynthesizer } from './synthesizer.js';

export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

/** Speaks a text in a language such as `de-AT`. */
export type Voice = (text: string, language: string) => Promise<Sound>;

const murmurRate = 16_000;
/** People say about fifteen characters a second. */
const msPerCharacter = 65;
const murmurStepMs = 130;

/** Soft tones that rise and fall; without a synthesizer they show that the agent's audio reaches the telephone. */
export const murmur = (text: string): Sound => {
  const steps = Math.max(1, Math.round((text.length * msPerCharacter) / murmurStepMs));
  const parts = Array.from({ length: steps }, (_, step) =>
    sines([180 + 40 * Math.sin(step)], murmurStepMs, murmurRate),
  );
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(
      part.map((sample) => sample / 3),
      at,
    );
    at += part.length;
  }
  return { samples, sampleRate: murmurRate };
};

const bytesPerSample = 2;

/** Samples of a WAVE file of 16 bits and one channel. The length in the header is not used: a stream does not know it. */
export const samplesOfWave = (file: Buffer): Sound => {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('the synthesizer answered something that is no WAVE file');
  const sampleRate = file.readUInt32LE(24);
  let at = 12;
  while (at + 8 <= file.length && file.toString('latin1', at, at + 4) !== 'data')
    at += 8 + file.readUInt32LE(at + 4);
  const data = file.subarray(at + 8);
  const samples = new Int16Array(Math.floor(data.length / bytesPerSample));
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = data.readInt16LE(index * bytesPerSample);
  return { samples, sampleRate };
};

/** The text goes through standard input: on a command line every user of the machine could read it. */
const synthesize = (program: string, text: string, language: string): Promise<Sound> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, ['-v', language.slice(0, 2).toLowerCase(), '--stdin', '--stdout'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.stdin.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`${program} ended with ${code}`));
      else resolve(samplesOfWave(Buffer.concat(parts)));
    });
    child.stdin.end(text);
  });

/** The voice of this machine. */
export const findVoice = (): Voice => {
  const program = findSynthesizer();
  if (program === undefined) return async (text) => murmur(text);
  // A language without a voice is murmured; the call goes on.
  return (text, language) => synthesize(program, text, language).catch(() => murmur(text));
};
