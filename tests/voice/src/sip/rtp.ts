// RTP (RFC 3550) with PCMU, and keys as telephone events (RFC 4733).

export const frameMs = 20;
/** Of PCMU: 8000 samples a second. */
export const frameSamples = 160;
export const pcmu = 0;
export const telephoneEvent = 101;

const version = 0x80;
const marker = 0x80;
const headerBytes = 12;

export interface Packet {
  readonly payloadType: number;
  readonly isFirst: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly source: number;
  readonly payload: Uint8Array;
}

export const writePacket = (packet: Packet): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(version, 0);
  header.writeUInt8((packet.isFirst ? marker : 0) | packet.payloadType, 1);
  header.writeUInt16BE(packet.sequence & 0xffff, 2);
  header.writeUInt32BE(packet.timestamp >>> 0, 4);
  header.writeUInt32BE(packet.source >>> 0, 8);
  return Buffer.concat([header, packet.payload]);
};

/** Undefined for a datagram that is no RTP, such as RTCP or the probe of a firewall. */
export const readPacket = (datagram: Buffer): Packet | undefined => {
  if (datagram.length < headerBytes || (datagram.readUInt8(0) & 0xc0) !== version) return undefined;
  const second = datagram.readUInt8(1);
  // RTCP on the same port (RFC 5761).
  if (second >= 192 && second <= 223) return undefined;
  const contributors = datagram.readUInt8(0) & 0x0f;
  const extension =
    (datagram.readUInt8(0) & 0x10) === 0
      ? 0
      : 4 + 4 * datagram.readUInt16BE(headerBytes + 4 * contributors + 2);
  return {
    payloadType: second & 0x7f,
    isFirst: (second & marker) !== 0,
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    source: datagram.readUInt32BE(8),
    payload: datagram.subarray(headerBytes + 4 * contributors + extension),
  };
};

const keys = '0123456789*#ABCD';
const volume = 10;
const endBit = 0x80;
/** The key is down for 100 ms; its end is sent three times, because packets get lost. */
const framesDown = 5;
const framesOfEnd = 3;

/** The payloads of one key. All packets of an event have the timestamp of its first. */
export const keyPayloads = (key: string): readonly Uint8Array[] => {
  const event = keys.indexOf(key);
  if (event < 0 || key.length !== 1) throw new Error(`a telephone has no key ${key}`);
  return Array.from({ length: framesDown + framesOfEnd }, (_, frame) => {
    const duration = Math.min(frame + 1, framesDown) * frameSamples;
    return Uint8Array.of(event, (frame >= framesDown ? endBit : 0) | volume, duration >> 8, duration & 0xff);
  });
};
