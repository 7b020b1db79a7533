import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { TextStream } from '../turns/text-stream.js';
import { piecesOf } from './pieces.js';

const all = async (...deltas: readonly string[]): Promise<string[]> => {
  const stream = new TextStream();
  for (const delta of deltas) stream.push(delta);
  stream.close();
  const pieces: string[] = [];
  for await (const piece of piecesOf(stream)) pieces.push(piece);
  return pieces;
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('ends the first piece at a comma, and later ones at the end of a sentence', async () => {
  expect(await all('Yes, of course you can, ', 'on Monday, at nine. ', 'Or, if you like, later.')).toEqual([
    'Yes, of course you can,',
    'on Monday, at nine.',
    'Or, if you like, later.',
  ]);
});

it('does not take abbreviations and decimals for the end of a sentence', async () => {
  expect(await all('Ask Dr. Meier at 9 a.m. about it. It costs 3.50 euros.')).toEqual([
    'Ask Dr. Meier at 9 a.m. about it.',
    'It costs 3.50 euros.',
  ]);
});

it('cuts a text without punctuation between two words', async () => {
  const text = 'word '.repeat(100).trim();
  const pieces = await all(text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join(' ')).toBe(text);
});

it('gives out a finished sentence while the text stands still, so that a tool has its filler', async () => {
  const stream = new TextStream();
  const pieces = piecesOf(stream);
  stream.push('One moment please.');
  const first = pieces.next();
  await jest.advanceTimersByTimeAsync(200);
  expect(await first).toEqual({ done: false, value: 'One moment please.' });
  stream.push('It was sent.');
  stream.close();
  expect(await pieces.next()).toEqual({ done: false, value: 'It was sent.' });
});
