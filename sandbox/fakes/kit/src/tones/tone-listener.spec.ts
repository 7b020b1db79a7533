// The words of a telephone in these tests are tones. They have to be understood as they arrive from a real one: loud or
// quiet, with noise, with lost packets, beside speech.
import { expect, it } from '@jest/globals';
import { createToneListener, type Heard } from './tone-listener.js';
import { frequenciesOf, kindOf, sines } from './tones.js';

const rate = 8_000;
const silence = (ms: number): Int16Array => new Int16Array((ms * rate) / 1_000);
const key = (name: string, ms = 200): Int16Array => sines(frequenciesOf(name) ?? [], ms, rate);
const spoken = (digits: string): Int16Array[] => [...digits].flatMap((digit) => [key(digit), silence(100)]);
const joined = (parts: readonly Int16Array[]): Int16Array =>
  Int16Array.from(parts.flatMap((part) => [...part]));

/** Deterministic noise, of the strength of a bad line. */
const noisy = (samples: Int16Array, strength: number): Int16Array => {
  let seed = 1;
  return samples.map((sample) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return sample + ((seed / 2_147_483_647) * 2 - 1) * strength;
  });
};

/** Frames of 10 ms, as the media server sends them. */
const listen = (samples: Int16Array): Heard[] => {
  const listener = createToneListener(rate);
  const heard: Heard[] = [];
  for (let at = 0; at < samples.length; at += 80) heard.push(...listener.hear(samples.subarray(at, at + 80)));
  return [...heard, ...listener.end()];
};
const keysOf = (heard: readonly Heard[]): string[] =>
  heard.flatMap((part) => (part.kind === 'keys' ? [part.keys] : []));

it('tells every key of a telephone from every other', () => {
  const names = [...'0123456789*#ABCD'];
  expect(names.map((name) => kindOf(key(name, 25), rate))).toEqual(names.map((name) => ({ key: name })));
});

it('hears four digits as one group, and the same digits half a second later as another', () => {
  const heard = listen(joined([silence(1_000), ...spoken('1200'), silence(400), ...spoken('1200')]));
  expect(keysOf(heard)).toEqual(['1200', '1200']);
  expect(heard[0]?.startMs).toBeGreaterThanOrEqual(975);
  expect(heard[0]?.endMs).toBeLessThanOrEqual(2_125);
});

it.each([
  ['quiet', (samples: Int16Array) => samples.map((sample) => sample / 16)],
  ['noisy', (samples: Int16Array) => noisy(samples, 2_500)],
])('understands a %s line', (_, line) => {
  expect(keysOf(listen(line(joined([...spoken('90417'), silence(600)]))))).toEqual(['90417']);
});

it('does not hear a digit twice when a packet in its middle is lost', () => {
  const torn = joined([key('5', 90), silence(20), key('5', 90), silence(600)]);
  expect(keysOf(listen(torn))).toEqual(['5']);
});

it('hears the tone after a greeting as a beep, and neither a short tone nor noise as one', () => {
  const beep = sines([1_000], 500, rate);
  const heard = listen(
    joined([noisy(silence(800), 8_000), beep, silence(300), sines([600], 100, rate), silence(300)]),
  );
  expect(heard.map(({ kind }) => kind)).toEqual(['beep']);
  expect(heard[0]?.startMs).toBeGreaterThanOrEqual(775);
});
