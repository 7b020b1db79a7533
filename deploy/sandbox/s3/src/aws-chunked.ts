// Takes the `aws-chunked` framing off a body and checks the signatures in it: `size[;chunk-signature=...]`, content,
// ..., a chunk of size 0, trailers. Content is handed on as it comes and is good only once the end is reached.
import { createHash } from 'node:crypto';
import { sameSecret } from '@parlance/sandbox-kit';
import { S3Error } from './s3-error.js';
import type { Signer } from './signature.js';

/** How chunks prove that they belong to a request: each signs the one before it, the first the request. */
export interface ChunkSignatures {
  readonly signer: Signer;
  /** The signature of the request. */
  readonly seed: string;
}

const longestLine = 8192;
const incomplete = (): S3Error =>
  new S3Error(
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  );
const malformed = (): S3Error =>
  new S3Error(
    'MalformedTrailerError',
    'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  );

/** Reads lines and counted bytes from pieces of any size. */
class Reader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** A line without its end; undefined when nothing is left. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end >= 0) {
        const text = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return text;
      }
      if (this.#rest.length > longestLine) throw incomplete();
      const { done, value } = await this.#source.next();
      if (done) {
        if (this.#rest.length > 0) throw incomplete();
        return undefined;
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    for (let wanted = count; wanted > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#source.next();
        if (done) throw incomplete();
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, wanted);
      this.#rest = this.#rest.subarray(piece.length);
      wanted -= piece.length;
      yield piece;
    }
  }
}

export class AwsChunkedBody {
  /** By lower-case name; complete when the content has been read. */
  readonly trailers = new Map<string, string>();
  readonly #reader: Reader;
  readonly #signer: Signer | undefined;
  #previous: string;

  constructor(source: AsyncIterable<Buffer>, signatures?: ChunkSignatures) {
    this.#reader = new Reader(source);
    this.#signer = signatures?.signer;
    this.#previous = signatures?.seed ?? '';
  }

  /** @throws S3Error IncompleteBody, MalformedTrailerError, SignatureDoesNotMatch */
  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const header = /^([0-9a-f]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(
        (await this.#reader.line()) ?? '',
      );
      if (!header) throw incomplete();
      const size = Number.parseInt(header[1] ?? '', 16);
      const hash = createHash('sha256');
      for await (const piece of this.#reader.take(size)) {
        if (this.#signer) hash.update(piece);
        yield piece;
      }
      if (size > 0 && (await this.#reader.line()) !== '') throw incomplete();
      this.#verify(header[2], (signer) => signer.chunk(this.#previous, hash.digest('hex')));
      if (size === 0) break;
    }
    await this.#readTrailers();
  }

  async #readTrailers(): Promise<void> {
    for (let line = await this.#reader.line(); line !== undefined; line = await this.#reader.line()) {
      // An empty line is the end; some clients send another before the signature of the trailers.
      if (line === '') continue;
      const [name = '', value] = line.split(/:(.*)/s);
      if (value === undefined) throw malformed();
      this.trailers.set(name.toLowerCase(), value.trim());
    }
    const signature = this.trailers.get('x-amz-trailer-signature');
    this.trailers.delete('x-amz-trailer-signature');
    if (this.trailers.size === 0) return;
    const signed = [...this.trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    this.#verify(signature, (signer) => signer.trailer(this.#previous, signed));
  }

  #verify(given: string | undefined, expect: (signer: Signer) => string): void {
    if (!this.#signer) return;
    this.#previous = expect(this.#signer);
    if (!sameSecret(given ?? '', this.#previous))
      throw new S3Error(
        'SignatureDoesNotMatch',
        'The chunk signature we calculated does not match the signature you provided.',
      );
  }
}
