import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { answer, toReply } from './answer.js';
import { decodeReply, encodeReply, type Outcome, parseData } from './reply.js';

const overTheWire = (outcome: Outcome) => decodeReply(new TextEncoder().encode(encodeReply(outcome)));

describe('a reply on the wire', () => {
  it('gives back the data, whatever is in it', () => {
    const data = { lines: 'one\ntwo\r\n', deep: [{ ünïcode: '☎' }], error: 'a word of the data' };
    const reply = overTheWire({ data });
    expect(reply).not.toHaveProperty('error');
    expect('json' in reply && parseData(reply.json)).toEqual(data);
  });

  it('carries a cursor, a sentence and the note that it repeats beside the data', () => {
    const reply = overTheWire(
      toReply(answer([1], { nextCursor: 'c', message: 'Two\nlines', repeated: true })),
    );
    expect(reply).toMatchObject({ nextCursor: 'c', message: 'Two\nlines', repeated: true });
    expect('json' in reply && parseData(reply.json)).toEqual([1]);
  });

  it('tells no data from null', () => {
    const none = overTheWire({ data: undefined });
    const empty = overTheWire({ data: null });
    expect('json' in none && parseData(none.json)).toBeUndefined();
    expect('json' in empty && parseData(empty.json)).toBeNull();
  });

  it('carries an error and nothing else', () => {
    const error = new AppError('NOT_FOUND').toWire();
    expect(overTheWire({ error })).toEqual({ error });
  });

  it('refuses bytes that are no reply', () => {
    expect(() => decodeReply(new TextEncoder().encode('{"data":1}'))).toThrow(SyntaxError);
    expect(() => decodeReply(new Uint8Array())).toThrow(SyntaxError);
  });
});
