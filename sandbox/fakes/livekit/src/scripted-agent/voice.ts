// The voice of the agent: a murmur of about the length of the text. It shows that the agent's audio reaches the telephone.
import { sines } from '@parlance/fake-kit/tones';

export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export type Voice = (text: string) => Promise<Sound>;

const murmurRate = 16_000;
/** People say about fifteen characters a second. */
const msPerCharacter = 65;
const murmurStepMs = 130;

export const murmur: Voice = async (text) => {
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
