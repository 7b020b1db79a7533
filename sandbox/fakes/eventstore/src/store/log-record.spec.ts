import { describe, expect, it } from '@jest/globals';
import { CorruptRecordError, decodeFrame, encodeFrame, type FrameContent } from './log-record.js';

const content: FrameContent = {
  stream: 'call-ü',
  type: 'CallEnded',
  id: Buffer.alloc(16, 7),
  revision: 2 ** 40,
  createdMs: 1_800_000_000_000,
  message: Buffer.from('message'),
  tombstone: false,
  endsAppend: true,
};

describe('a log record', () => {
  it('comes back as it was encoded', () => {
    const frame = encodeFrame(content);
    const { stream, type, id, revision, createdMs, message, tombstone, endsAppend, position, next } =
      decodeFrame(frame, 100);
    expect({ stream, type, id, revision, createdMs, message, tombstone, endsAppend }).toEqual(content);
    expect([position, next]).toEqual([100, 100 + frame.length]);
  });

  it('is refused when any byte of it has changed or its end is missing', () => {
    const frame = encodeFrame(content);
    for (let at = 0; at < frame.length; at += 1) {
      const damaged = Buffer.from(frame);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      expect(() => decodeFrame(damaged, 0)).toThrow(CorruptRecordError);
      expect(() => decodeFrame(frame.subarray(0, at), 0)).toThrow(CorruptRecordError);
    }
    expect(() => decodeFrame(Buffer.alloc(200), 0)).toThrow(CorruptRecordError);
  });
});
