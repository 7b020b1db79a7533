import { describe, expect, it } from '@jest/globals';
import { answer, toReply } from './answer.js';

describe('what a handler returns', () => {
  it('is the data itself, even when it looks like an answer', () => {
    expect(toReply({ data: 1, message: 'part of the data' })).toEqual({
      data: { data: 1, message: 'part of the data' },
    });
  });

  it('may carry a cursor, a sentence and the note that it repeats, which survive the wire', () => {
    const reply = toReply(answer([1], { nextCursor: 'c', message: 'Two', repeated: true }));
    expect(JSON.parse(JSON.stringify(reply))).toEqual({
      data: [1],
      nextCursor: 'c',
      message: 'Two',
      repeated: true,
    });
  });
});
