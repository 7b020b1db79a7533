// Finds speech in a stream of samples. Speech is sound that is neither a key nor a beep, until it has been quiet for a moment.
// Its words are not understood here.
import { kindOf } from '@parlance/fake-kit/tones';

/** Times count from the first sample, in milliseconds. */
export interface Speech {
  readonly kind: 'speech';
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpeechListener {
  /** Takes the next samples and returns the speech that ended with them. */
  hear(samples: Int16Array): Speech[];
  /** Ends the speech that is still going on, because nothing more will be heard. */
  end(): Speech[];
}

const blockMs = 25;
/** Root of the mean square of a block. A quiet room stays below. */
const quietest = 400;
/** Shorter sounds are a cough or a door. */
const shortestMs = 300;
const pauseMs = 700;

const isLoud = (block: Int16Array): boolean => {
  const power = block.reduce((sum, sample) => sum + sample * sample, 0);
  return power >= quietest * quietest * block.length;
};

export const createSpeechListener = (sampleRate: number): SpeechListener => {
  const block = new Int16Array(Math.round((blockMs * sampleRate) / 1_000));
  let filled = 0;
  let clockMs = 0;
  let current: { readonly startMs: number; endMs: number; soundMs: number } | undefined;

  const close = (): Speech[] => {
    const ended = current;
    current = undefined;
    if (ended === undefined || ended.soundMs < shortestMs) return [];
    return [{ kind: 'speech', startMs: ended.startMs, endMs: ended.endMs }];
  };
  const take = (): Speech[] => {
    const startMs = clockMs;
    clockMs += blockMs;
    if (isLoud(block) && kindOf(block, sampleRate) === 'other') {
      current ??= { startMs, endMs: clockMs, soundMs: 0 };
      current.endMs = clockMs;
      current.soundMs += blockMs;
      return [];
    }
    return current !== undefined && clockMs - current.endMs >= pauseMs ? close() : [];
  };

  return {
    hear: (samples) => {
      const heard: Speech[] = [];
      for (const sample of samples) {
        block[filled] = sample;
        filled += 1;
        if (filled < block.length) continue;
        filled = 0;
        heard.push(...take());
      }
      return heard;
    },
    end: close,
  };
};
