import { describe, expect, it } from '@jest/globals';
import { scrub } from './scrub.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string => `%${Buffer.from(text).toString('hex').match(/../g)?.join('%')}`;

/** Pieces that a pattern begins to read and gives up on, or that are decoded again and again. */
const pieces = [
  ...['%', '%4', '%41', 'eyJ', 'eyJ.', 'eyJaaaaaaaa.', 'a-', 'a://', 'a://b:', '/a', '\\u', '\\u0041', '\\'],
  ...['token ', 'token=" ', 'token="', 'token=\\"\\\\"', 'secret', 'password\\', 'Bearer ', 'Basic  ', 'sk-'],
  ...['-----BEGIN ', '-----BEGIN A-----', '-----END A', '+1 ', '%2B1 ', 'parl_', 'deadbeef', 'a:b=c '],
  base64('hello world, this is: some=text /a/b/c/d/e/f/g/h '),
  base64(base64('the quick brown fox jumps over the lazy dog').repeat(20)),
  base64('%41%42 \\u0041\\u0042'.repeat(20)),
  percent(base64('the quick brown fox jumps over the lazy dog')),
];

/**
 * Time of the processor in microseconds: other processes of the machine add none. The least of several, because the
 * collection of garbage only ever adds some.
 */
const leastWork = (text: string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < 4; time += 1) scrub(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
};

describe('the work', () => {
  // Eight times the text takes eight times the work; where a search reads to the end and gives up, sixty-four times.
  // The bound lies far from both, so that a busy machine does not decide.
  it.each(pieces)('grows as the text does: %j', (piece) => {
    const ofSize = (size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    expect(leastWork(ofSize(8_000)) / leastWork(ofSize(1_000))).toBeLessThan(28);
  });

  it('ends where a text is cut', () => {
    expect(scrub('ab '.repeat(100_000)).length).toBeLessThan(8_200);
  });
});

describe('text inside encoded text', () => {
  it('is read up to a bound, and redacted unread beyond it', () => {
    const harmless = base64(base64('the quick brown fox jumps over the lazy dog').repeat(10));
    expect(scrub(harmless)).toBe(harmless);
    const endless = base64(base64('the quick brown fox jumps over the lazy dog').repeat(100));
    expect(scrub(endless)).toBe('[redacted]');
  });
});

describe('a token', () => {
  const token = `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`;

  it.each([
    ['after what only begins like one', `eyJ.eyJx.${token}`, 'eyJ.eyJx.[redacted]'],
    ['inside a longer word', `x${token}`, 'x[redacted]'],
    ['in the middle of a run with dots', `a.b.${token} and more`, 'a.b.[redacted] and more'],
  ])('is found %s', (_, text, scrubbed) => {
    expect(scrub(text)).toBe(scrubbed);
  });
});
