// Finds the sounds in the stream of samples that a telephone sends: keys, grouped as they were pressed, and beeps.
import { type Kind, kindOf } from './tones.js';

export type Heard =
  | { readonly kind: 'keys'; readonly keys: string; readonly startMs: number; readonly endMs: number }
  | { readonly kind: 'beep'; readonly startMs: number; readonly endMs: number };

export interface ToneListener {
  /** Takes the next samples and returns everything that ended with them. */
  hear(samples: Int16Array): Heard[];
  /** Ends the group of keys that is still open, because nothing more will be heard. */
  end(): Heard[];
  /** The keys of all groups that have ended so far. */
  keysSoFar(): string;
}

const blockMs = 25;
/** Shorter keys are noise. */
const shortestKeyMs = 75;
/** A lost packet leaves a gap in a key. After a longer gap the key has ended. */
const gapMs = 50;
/** After so much silence the next key belongs to another group. */
const groupGapMs = 300;
/** The tone after the greeting of a voicemail lasts at least this long. */
const shortestBeepMs = 250;

const nameOf = (kind: Kind): string => (typeof kind === 'object' ? kind.key : kind);

interface Span {
  readonly name: string;
  readonly startMs: number;
  endMs: number;
}

/** Times count from the first sample and do not depend on the clock. */
export const createToneListener = (sampleRate: number): ToneListener => {
  const block = new Int16Array(Math.round((blockMs * sampleRate) / 1_000));
  let filled = 0;
  let clockMs = 0;
  let current: Span | undefined;
  let keys: Span | undefined;
  let keysSoFar = '';

  const closeGroup = (): Heard[] => {
    if (keys === undefined) return [];
    const { name, startMs, endMs } = keys;
    keys = undefined;
    return [{ kind: 'keys', keys: name, startMs, endMs }];
  };

  /** The sound that has ended becomes a key of the group, a beep, or nothing. */
  const closeSound = (): Heard[] => {
    const ended = current;
    current = undefined;
    if (ended === undefined) return [];
    const { name, startMs, endMs } = ended;
    const lasted = endMs - startMs;
    if (name === 'tone')
      return lasted >= shortestBeepMs ? [...closeGroup(), { kind: 'beep', startMs, endMs }] : [];
    if (lasted < shortestKeyMs) return [];
    keysSoFar += name;
    keys = { name: (keys?.name ?? '') + name, startMs: keys?.startMs ?? startMs, endMs };
    return [];
  };

  const take = (name: string): Heard[] => {
    const [startMs, endMs] = [clockMs, clockMs + blockMs];
    clockMs = endMs;
    if (current?.name === name) {
      current.endMs = endMs;
      return [];
    }
    // A block without a sound may be a lost packet. A block at the edge of a key holds only half of the key.
    if (current !== undefined && name === 'other' && endMs - current.endMs <= gapMs) return [];
    const heard = closeSound();
    if (name !== 'other') {
      if (keys !== undefined && startMs - keys.endMs > groupGapMs) heard.push(...closeGroup());
      current = { name, startMs, endMs };
    } else if (keys !== undefined && endMs - keys.endMs > groupGapMs) heard.push(...closeGroup());
    return heard;
  };

  return {
    hear: (samples) => {
      const heard: Heard[] = [];
      for (const sample of samples) {
        block[filled] = sample;
        filled += 1;
        if (filled < block.length) continue;
        filled = 0;
        heard.push(...take(nameOf(kindOf(block, sampleRate))));
      }
      return heard;
    },
    end: () => [...closeSound(), ...closeGroup()],
    keysSoFar: () => keysSoFar,
  };
};
