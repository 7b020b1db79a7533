import { expect, it } from '@jest/globals';
import { spokenUntil } from './spoken.js';

const pieces = [
  { text: 'Our documents say:', ms: 1_000 },
  { text: 'A refund takes five days.', ms: 2_500 },
];

it.each([
  [0, ''],
  [500, 'Our documents'],
  [1_000, 'Our documents say:'],
  [2_000, 'Our documents say: A refund'],
  [3_500, 'Our documents say: A refund takes five days.'],
  [9_000, 'Our documents say: A refund takes five days.'],
])('after %i ms of playback, the words "%s" were heard', (playedMs, heard) => {
  expect(spokenUntil(pieces, playedMs)).toBe(heard);
});

it('counts no piece of which there is no audio', () => {
  expect(spokenUntil([{ text: 'Hello.', ms: 0 }], 500)).toBe('');
});
