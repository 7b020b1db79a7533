// Reads the body of an answer within its limits: one for the bytes as they come, one for the bytes after decompression.
// Bytes beyond a limit are never held.
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressFailure } from './failures.js';

export interface BodyLimits {
  /** Bytes at most, before and after decompression. */
  readonly maxBytes: number;
  /** The treatment of a larger body: the request fails, or the beginning is kept. */
  readonly whenLarger: 'fail' | 'cut';
}

export interface BoundedBody {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

class Full extends Error {
  override readonly name = 'Full';
}

/** Lets so many bytes through and then ends everything. */
const limited = (maxBytes: number): Transform => {
  let passed = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.length;
      if (passed > maxBytes) done(new Full());
      else done(null, chunk);
    },
  });
};

/** @throws EgressFailure for an encoding that is not known, and for several in a row */
const decoding = (encoding: string, maxBytes: number): readonly Transform[] => {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return [];
  const decoder = decoders.get(name);
  if (decoder === undefined) throw new EgressFailure('bad_response');
  return [limited(maxBytes), decoder()];
};

/** @throws EgressFailure `too_large`, `bad_response`; the error that breaks the stream */
export const readBody = async (
  body: Readable,
  encoding: string,
  { maxBytes, whenLarger }: BodyLimits,
): Promise<BoundedBody> => {
  const chunks: Buffer[] = [];
  let kept = 0;
  const collect = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const rest = maxBytes - kept;
      chunks.push(chunk.subarray(0, rest));
      kept += Math.min(chunk.length, rest);
      done(chunk.length > rest ? new Full() : null);
    },
  });
  let isCut = false;
  // A body that is given up emits one more error, which no code waits for.
  body.on('error', () => undefined);
  try {
    await pipeline([body, ...decoding(encoding, maxBytes), collect]);
  } catch (error) {
    body.destroy();
    if (!(error instanceof Full)) throw error;
    if (whenLarger === 'fail') throw new EgressFailure('too_large');
    isCut = true;
  }
  return { bytes: Buffer.concat(chunks), isCut };
};
