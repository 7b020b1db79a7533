// A request as one binary message: mark, MAC, length of the head, head, payload. The head is a line of JSON and the payload is
// sent as it is. Replicas of releases before answer it with UNAUTHENTICATED, and are sent a signed request instead.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Caller } from '@parlance/contracts';
import { z } from 'zod';

/** No JSON text begins like this, and the nonce of a sealed payload does so once in 2^64. */
const mark = Buffer.from([0x00, ...Buffer.from('PRLRPC'), 0x02]);
const macBytes = 32;
const macAt = mark.length;
/** The MAC covers everything from here. */
const coveredFrom = macAt + macBytes;
const headAt = coveredFrom + 4;

const Head = z.object({
  /** The process that sent it. */
  issuer: z.string(),
  /** Epoch milliseconds. */
  sentAt: z.number(),
  /** Epoch milliseconds after which the sender stops waiting for the answer. */
  deadline: z.number(),
  requestId: z.string(),
  commandId: z.string().optional(),
  caller: Caller,
  /** The data key of a confidential request, sealed for the service. */
  sealedKey: z.string().optional(),
  trace: z.record(z.string(), z.string()).optional(),
});
export type EnvelopeHead = z.infer<typeof Head>;

/** The part of a message beside its data that the MAC covers, too. */
export interface EnvelopePlace {
  readonly subject: string;
  /** The subject of the answer; another one for every request. */
  readonly reply: string;
}

// Neither subject may contain white space.
const macOf = (key: KeyObject, { subject, reply }: EnvelopePlace, covered: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${subject} ${reply}\n`).update(covered).digest();

/** @param payload JSON text, or the bytes of a sealed one */
export const encodeEnvelope = (
  key: KeyObject,
  place: EnvelopePlace,
  head: EnvelopeHead,
  payload: string | Uint8Array,
): Buffer => {
  const headText = JSON.stringify(head);
  const headBytes = Buffer.byteLength(headText);
  const payloadAt = headAt + headBytes;
  const bytes = Buffer.allocUnsafe(payloadAt + Buffer.byteLength(payload));
  mark.copy(bytes);
  bytes.writeUInt32BE(headBytes, coveredFrom);
  bytes.write(headText, headAt);
  if (typeof payload === 'string') bytes.write(payload, payloadAt);
  else bytes.set(payload, payloadAt);
  macOf(key, place, bytes.subarray(coveredFrom)).copy(bytes, macAt);
  return bytes;
};

/** An envelope whose sender is not verified yet. */
export interface Envelope {
  readonly head: EnvelopeHead;
  readonly payload: Buffer;
  isFrom(key: KeyObject, place: EnvelopePlace): boolean;
}

export const isEnvelope = (data: Uint8Array): boolean =>
  data.length >= headAt && mark.equals(data.subarray(0, mark.length));

const headIn = (json: string): EnvelopeHead | undefined => {
  try {
    return Head.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
};

/** Undefined for bytes that no release of the platform sends. */
export const decodeEnvelope = (data: Uint8Array): Envelope | undefined => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const payloadAt = headAt + bytes.readUInt32BE(coveredFrom);
  const head = payloadAt > bytes.length ? undefined : headIn(bytes.toString('utf8', headAt, payloadAt));
  if (head === undefined) return undefined;
  return {
    head,
    payload: bytes.subarray(payloadAt),
    isFrom: (key, place) =>
      timingSafeEqual(macOf(key, place, bytes.subarray(coveredFrom)), bytes.subarray(macAt, coveredFrom)),
  };
};
