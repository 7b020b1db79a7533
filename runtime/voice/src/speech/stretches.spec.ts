import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Audio } from './audio.js';
import { Stretches } from './stretches.js';

const rate = 1_000;
const windowMs = 32;

describe('stretches of voice', () => {
  let examined: { readonly stretch: Audio; readonly turn: Audio; readonly signal: AbortSignal }[];
  let stretches: Stretches;
  beforeEach(() => {
    examined = [];
    stretches = new Stretches({
      examine: (stretch, turn, signal) => {
        examined.push({ stretch, turn, signal });
        return { words: Promise.resolve(`words ${examined.length}`), finished: Promise.resolve(undefined) };
      },
      earlyMs: 160,
      leastVoiceMs: 180,
      prefixMs: 300,
      longestMs: 60_000,
      turnMs: 8_000,
      pauseMs: 2_000,
    });
  });

  /** Windows of this level. */
  const hear = (windows: number, level: number, { voiceMs = 0, silent = false } = {}): void => {
    for (let index = 0; index < windows; index += 1)
      stretches.add(
        { samples: new Int16Array(windowMs).fill(level), rate },
        { voiceMs, silenceMs: silent ? (index + 1) * windowMs : 0 },
      );
  };
  const speak = (level: number, windows = 20): void => {
    hear(2, level);
    stretches.begin();
    hear(windows, level, { voiceMs: 700 });
  };
  const silence = (windows: number): void => hear(windows, 0, { voiceMs: 700, silent: true });
  const levels = ({ samples }: Audio): number[] => [...new Set(samples)];

  it('are examined once, before their end is certain', async () => {
    speak(5);
    silence(4);
    expect(examined).toHaveLength(0);
    silence(5);
    expect(examined).toHaveLength(1);
    silence(3);
    expect(await stretches.end(700).words).toBe('words 1');
    expect(examined).toHaveLength(1);
  });

  it('are examined again, as a whole, when the voice goes on', async () => {
    speak(5);
    silence(6);
    hear(10, 6, { voiceMs: 1_000 });
    expect(examined[0]?.signal.aborted).toBe(true);
    silence(8);
    expect(await stretches.end(1_000).words).toBe('words 2');
    expect(levels(examined[1]?.stretch as Audio)).toEqual([5, 0, 6]);
    expect(examined[1]?.signal.aborted).toBe(false);
  });

  it('begin with the audio before the voice was noticed', () => {
    hear(20, 1);
    hear(2, 5);
    stretches.begin();
    hear(20, 5, { voiceMs: 700 });
    stretches.end(700);
    expect(levels(examined[0]?.stretch as Audio)).toEqual([1, 5]);
    expect(examined[0]?.stretch.samples.length).toBeGreaterThanOrEqual(300 + 20 * windowMs);
  });

  it('have no words when they are as short as a click', async () => {
    hear(2, 5);
    stretches.begin();
    hear(3, 5, { voiceMs: 100 });
    hear(8, 0, { voiceMs: 100, silent: true });
    expect(await stretches.end(100).words).toBe('');
    expect(examined).toHaveLength(0);
  });

  it('belong to one turn when the pause between them is short', () => {
    speak(5);
    silence(8);
    stretches.end(700);
    hear(20, 0);
    speak(7);
    stretches.end(700);
    expect(levels(examined[1]?.turn as Audio)).toEqual([5, 0, 7]);
    hear(100, 0);
    speak(9);
    stretches.end(700);
    expect(levels(examined[2]?.turn as Audio)).toEqual([0, 9]);
  });
});
