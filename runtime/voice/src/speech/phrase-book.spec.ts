import { expect, it } from '@jest/globals';
import { PhraseBook } from './phrase-book.js';
import { piecesOf } from './pieces.js';

const bookOf = (...texts: readonly string[]): PhraseBook => {
  const book = new PhraseBook();
  for (const text of texts) book.add({ text, isShared: true });
  return book;
};

async function* deltas(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

it('lets a text be spoken in its sentences, with the values between them', async () => {
  const book = bookOf('Our documents say:', 'Is that right?', 'Thank you, I have it. Is there more?');
  const pieces: string[] = [];
  const text = deltas(
    'Thank you, I have it. Is there more?',
    ' Our documents say: A refund takes five days, or six.',
    ' Is that right?',
  );
  for await (const piece of piecesOf(text, (rest) => book.prefixOf(rest))) pieces.push(piece);
  expect(pieces).toEqual([
    'Thank you, I have it.',
    'Is there more?',
    'Our documents say:',
    'A refund takes five days, or six.',
    'Is that right?',
  ]);
});

it('does not find a sentence in the beginning of a longer word', () => {
  expect(bookOf('Good day').prefixOf('Good daylight')).toBeUndefined();
});

it('keeps a sentence private that a call has with a value in it, wherever else it stands', () => {
  const book = bookOf('Hello Ada.');
  book.add({ text: 'Hello Ada.', isShared: false });
  book.add({ text: 'Hello Ada.', isShared: true });
  expect(book.isShared('Hello Ada.')).toBe(false);
  expect(book.isShared('Hello Bob.')).toBeUndefined();
});
