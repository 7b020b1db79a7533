import { expect, it } from '@jest/globals';
import { pressed, sines } from '@parlance/fake-kit/tones';
import { createSpeechListener, type Speech } from './speech-listener.js';

const rate = 16_000;
const silence = (ms: number): Int16Array => new Int16Array((ms * rate) / 1_000);
/** Many frequencies at once, as a voice has. */
const voice = (ms: number): Int16Array => sines([140, 290, 430, 710, 1_130, 1_720, 2_450], ms, rate);

const heardIn = (...parts: readonly Int16Array[]): Speech[] => {
  const listener = createSpeechListener(rate);
  return [...parts.flatMap((part) => listener.hear(part)), ...listener.end()];
};

it('hears a sentence once, with its beginning and end, although the speaker takes a breath', () => {
  const heard = heardIn(silence(500), voice(900), silence(300), voice(600), silence(1_000));
  expect(heard).toEqual([{ kind: 'speech', startMs: 500, endMs: 2_300 }]);
});

it('hears two sentences when the speaker has paused', () => {
  expect(heardIn(voice(500), silence(900), voice(500))).toHaveLength(2);
});

it('takes neither keys nor a beep nor a knock for speech', () => {
  const { samples } = pressed('1207');
  expect(heardIn(samples, silence(900), sines([1_000], 800, rate), silence(900), voice(100))).toEqual([]);
});
