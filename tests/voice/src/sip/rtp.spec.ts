import { describe, expect, it } from '@jest/globals';
import { keyPayloads, readPacket, telephoneEvent, writePacket } from './rtp.js';

describe('RTP', () => {
  it('reads what it writes', () => {
    const packet = {
      payloadType: telephoneEvent,
      isFirst: true,
      sequence: 65_535,
      timestamp: 4_294_967_295,
      source: 7,
      payload: Buffer.from([1, 2, 3]),
    };
    expect(readPacket(writePacket(packet))).toEqual(packet);
  });

  it('skips contributors and an extension of the header', () => {
    const plain = writePacket({
      payloadType: 0,
      isFirst: false,
      sequence: 1,
      timestamp: 160,
      source: 7,
      payload: Buffer.from([9]),
    });
    const extended = Buffer.concat([
      Buffer.from([0x91]),
      plain.subarray(1, 12),
      Buffer.from([0, 0, 0, 5, 0xbe, 0xde, 0, 1, 1, 1, 1, 1]),
      plain.subarray(12),
    ]);
    expect(readPacket(extended)?.payload).toEqual(Buffer.from([9]));
  });

  it('reads no packet from RTCP or from anything else', () => {
    expect(readPacket(Buffer.from([0x80, 200, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0]))).toBeUndefined();
    expect(readPacket(Buffer.from('\r\n\r\n'))).toBeUndefined();
  });

  it('sends a key as an event that grows, and its end three times', () => {
    const payloads = keyPayloads('#').map((payload) => [...payload]);
    expect(payloads).toHaveLength(8);
    expect(payloads[0]).toEqual([11, 10, 0, 160]);
    expect(payloads[4]).toEqual([11, 10, 3, 32]);
    expect(payloads.slice(5)).toEqual(Array.from({ length: 3 }, () => [11, 138, 3, 32]));
    expect(() => keyPayloads('x')).toThrow('no key x');
  });
});
