// Counts the input on one stream of a server. Each stream has a bucket of bytes and one of lines. Both fill up again
// with time, so that a long answer passes and a flood does not.
import { Transform } from 'node:stream';
import { EgressFailure } from '@parlance/egress';

export interface StreamLimits {
  readonly bytes: number;
  readonly bytesPerSecond: number;
  readonly lines: number;
  readonly linesPerSecond: number;
}

/** The answer to a call. Many calls run at the same time, and no more of a result is handed on. */
export const callLimits: StreamLimits = {
  ...{ bytes: 1_572_864, bytesPerSecond: 0 },
  ...{ lines: 20_000, linesPerSecond: 0 },
};
/** The answers to a handshake and to a question for tools; few of them run at the same time. */
export const listLimits: StreamLimits = { ...callLimits, bytes: 8_388_608 };
/** A stream that stays open and brings notifications, and the answers of a server that speaks SSE. */
export const standingLimits: StreamLimits = {
  ...{ bytes: 4_194_304, bytesPerSecond: 262_144 },
  ...{ lines: 20_000, linesPerSecond: 500 },
};

const lineFeed = 0x0a;

const linesIn = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
};

class Bucket {
  #level = 0;
  #at = performance.now();

  constructor(
    readonly size: number,
    readonly perSecond: number,
  ) {}

  /** False when the bucket runs over. */
  add(amount: number): boolean {
    const now = performance.now();
    this.#level = Math.max(0, this.#level - ((now - this.#at) / 1_000) * this.perSecond) + amount;
    this.#at = now;
    return this.#level <= this.size;
  }
}

/** Fails with EgressFailure `too_large` beyond the limits. */
export const meter = (
  limits: StreamLimits,
  onChunk: (chunk: Buffer) => void = () => undefined,
): Transform => {
  const bytes = new Bucket(limits.bytes, limits.bytesPerSecond);
  const lines = new Bucket(limits.lines, limits.linesPerSecond);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const fits = bytes.add(chunk.length) && lines.add(linesIn(chunk));
      if (!fits) return done(new EgressFailure('too_large'));
      onChunk(chunk);
      done(null, chunk);
    },
  });
};
