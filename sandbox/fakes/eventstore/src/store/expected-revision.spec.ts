import { describe, expect, it } from '@jest/globals';
import {
  decideAppend,
  EXPECT_ANY,
  EXPECT_NO_STREAM,
  EXPECT_STREAM_EXISTS,
  type StreamFacts,
} from './expected-revision.js';

const id = (n: number) => Buffer.alloc(16, n);

/** A stream whose event at revision n has id(n). */
function streamAt(last: number, more: Partial<StreamFacts> = {}): StreamFacts {
  return {
    last,
    tombstoned: false,
    softDeleted: false,
    hasMetadata: () => false,
    revisionOf: (wanted) => {
      const revision = wanted.readUInt8(0);
      return revision <= last ? revision : undefined;
    },
    holds: (revision, wanted) => revision <= last && wanted.equals(id(revision)),
    ...more,
  };
}

const kind = (facts: StreamFacts, expected: number, ...ids: Buffer[]) =>
  decideAppend(facts, expected, ids).kind;

describe('deciding an append', () => {
  it('accepts new events at the expected revision only', () => {
    expect(kind(streamAt(3), 3, id(9))).toBe('append');
    expect(kind(streamAt(3), 2, id(9))).toBe('wrong-revision');
    expect(kind(streamAt(3), 4, id(9))).toBe('wrong-revision');
    expect(kind(streamAt(-1), EXPECT_NO_STREAM, id(9))).toBe('append');
    expect(kind(streamAt(0), EXPECT_NO_STREAM, id(9))).toBe('wrong-revision');
  });

  it('recognises a repetition at its own place only', () => {
    expect(decideAppend(streamAt(3), 0, [id(1), id(2)])).toEqual({ kind: 'already-there', last: 2 });
    expect(kind(streamAt(3), 1, id(1))).toBe('wrong-revision');
    expect(kind(streamAt(3), 1, id(2), id(9))).toBe('wrong-revision');
    expect(kind(streamAt(3), 2, id(3), id(4))).toBe('wrong-revision');
  });

  it('with any, recognises a repetition wherever it is, but not half of one', () => {
    expect(decideAppend(streamAt(3), EXPECT_ANY, [id(1), id(2)])).toEqual({ kind: 'already-there', last: 2 });
    expect(kind(streamAt(3), EXPECT_ANY, id(9))).toBe('append');
    expect(kind(streamAt(3), EXPECT_ANY, id(2), id(9))).toBe('wrong-revision');
  });

  it('takes a stream that has only metadata as existing', () => {
    expect(kind(streamAt(-1), EXPECT_STREAM_EXISTS, id(9))).toBe('wrong-revision');
    expect(kind(streamAt(-1, { hasMetadata: () => true }), EXPECT_STREAM_EXISTS, id(9))).toBe('append');
    expect(kind(streamAt(3), EXPECT_STREAM_EXISTS, id(9))).toBe('append');
  });

  it('lets a soft-deleted stream begin again, and a tombstoned one never', () => {
    const softDeleted = streamAt(3, { softDeleted: true });
    expect(kind(softDeleted, EXPECT_NO_STREAM, id(9))).toBe('append');
    expect(kind(softDeleted, EXPECT_ANY, id(9))).toBe('append');
    expect(kind(softDeleted, 3, id(9))).toBe('append');
    expect(kind(softDeleted, EXPECT_STREAM_EXISTS, id(9))).toBe('deleted');
    for (const expected of [EXPECT_ANY, EXPECT_NO_STREAM, EXPECT_STREAM_EXISTS, 3]) {
      expect(kind(streamAt(3, { tombstoned: true }), expected, id(9))).toBe('deleted');
    }
  });
});
