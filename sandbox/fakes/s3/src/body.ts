// A request's content: taken out of its framing, and held against everything that the client said about it (length,
// hash, checksums). It is good only when reading it has ended without an error.
import { createHash } from 'node:crypto';
import { AwsChunkedBody } from './aws-chunked.js';
import { Checksums, isChecksumHeader, requireChecksum } from './checksums.js';
import { notImplemented, S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';

/** The largest content that S3 takes in one PUT. */
const largestBytes = 5 * 1024 ** 3;

export interface BodyFacts {
  readonly size: number;
  /** Hexadecimal. */
  readonly md5: string;
  /** Base64, by header: those that the client sent. */
  readonly checksums: Readonly<Record<string, string>>;
}

interface Framing {
  readonly chunked: boolean;
  /** The required hash of the whole content, when it is known beforehand. */
  readonly sha256?: string;
}

const framingOf = (payloadHash: string): Framing => {
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return { chunked: false, sha256: payloadHash };
  switch (payloadHash) {
    case 'UNSIGNED-PAYLOAD':
      return { chunked: false };
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { chunked: true };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      throw notImplemented('Signing every chunk of a body');
    default:
      throw new S3Error(
        'InvalidArgument',
        'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 value.',
      );
  }
};

const lengthOf = (request: S3Request, chunked: boolean): number => {
  const given = request.header(chunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (given === undefined || !/^\d+$/.test(given))
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (Number(given) > largestBytes)
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      ProposedSize: given,
      MaxSizeAllowed: String(largestBytes),
    });
  return Number(given);
};

/** Which checksums will follow the content. @throws S3Error NotImplemented for any other trailer */
const trailersOf = (request: S3Request): string[] => {
  const names = (request.header('x-amz-trailer') ?? '').toLowerCase().split(/[\s,]+/);
  const unknown = names.find((name) => name !== '' && !isChecksumHeader(name));
  if (unknown !== undefined) throw notImplemented(`The trailer ${unknown}`);
  return names.filter(isChecksumHeader);
};

const md5Of = (request: S3Request): string | undefined => {
  const given = request.header('content-md5');
  if (given === undefined) return undefined;
  const bytes = Buffer.from(given, 'base64');
  if (bytes.length !== 16) throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.');
  return bytes.toString('hex');
};

export class Body {
  readonly #framing: Framing;
  readonly #length: number;
  readonly #md5: string | undefined;
  readonly #claimed: Map<string, string>;
  readonly #trailers: readonly string[];
  readonly #chunked: AwsChunkedBody | undefined;
  readonly #raw: AsyncIterable<Buffer>;
  #facts: BodyFacts | undefined;

  /** @throws S3Error for headers that make no sense, before anything is read */
  constructor(request: S3Request, payloadHash: string) {
    this.#framing = framingOf(payloadHash);
    this.#length = lengthOf(request, this.#framing.chunked);
    this.#md5 = md5Of(request);
    const headers = request.amzHeaderNames().filter(isChecksumHeader);
    this.#claimed = new Map(
      headers.flatMap((name) => [[name, request.header(name)] as const].filter(isGiven)),
    );
    for (const [name, value] of this.#claimed) requireChecksum(name, value);
    this.#trailers = this.#framing.chunked ? trailersOf(request) : [];
    // Breaking off must not destroy the request: its connection still has to carry the error.
    this.#raw = request.message.iterator({ destroyOnReturn: false });
    this.#chunked = this.#framing.chunked ? new AwsChunkedBody(this.#raw) : undefined;
  }

  /** The facts about the content, once it has been read. */
  get facts(): BodyFacts {
    if (!this.#facts) throw new Error('the body has not been read');
    return this.#facts;
  }

  /** The content as it comes. @throws S3Error at the end when it differs from the client's claims */
  async *content(): AsyncGenerator<Buffer> {
    const md5 = createHash('md5');
    const sha256 = createHash('sha256');
    const checksums = new Checksums([...this.#claimed.keys(), ...this.#trailers]);
    let size = 0;
    for await (const piece of this.#chunked?.content() ?? this.#raw) {
      size += piece.length;
      if (size > this.#length) break;
      md5.update(piece);
      if (this.#framing.sha256 !== undefined) sha256.update(piece);
      checksums.update(piece);
      yield piece;
    }
    this.#requireLength(size);
    this.#requireHashes(this.#framing.sha256 && sha256.digest('hex'));
    const facts = { size, md5: md5.digest('hex'), checksums: await checksums.verified(this.#allClaimed()) };
    this.#requireMd5(facts.md5);
    this.#facts = facts;
  }

  /** A small body as text. @throws S3Error EntityTooLarge above `limit` bytes */
  async text(limit: number): Promise<string> {
    if (this.#length > limit) throw new S3Error('EntityTooLarge', 'The request body is too large');
    const pieces: Buffer[] = [];
    for await (const piece of this.content()) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  #allClaimed(): ReadonlyMap<string, string> {
    const fromTrailers = this.#trailers.map((name) => {
      const value = this.#chunked?.trailers.get(name);
      if (value === undefined)
        throw new S3Error(
          'MalformedTrailerError',
          `The request announced a trailer ${name} and did not send it.`,
        );
      return [name, value] as const;
    });
    return new Map([...this.#claimed, ...fromTrailers]);
  }

  #requireLength(size: number): void {
    if (size !== this.#length)
      throw new S3Error(
        'IncompleteBody',
        'You did not provide the number of bytes specified by the Content-Length HTTP header',
      );
  }

  #requireHashes(sha256: string | undefined): void {
    if (sha256 !== this.#framing.sha256)
      throw new S3Error(
        'XAmzContentSHA256Mismatch',
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
  }

  #requireMd5(md5: string): void {
    if (this.#md5 !== undefined && md5 !== this.#md5)
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
}

const isGiven = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined;
