// Takes the `aws-chunked` framing off a body: `size`, content, ..., a chunk of size 0, trailers. Content is handed on as
// it comes and is good only once the end is reached.
import { S3Error } from './s3-error.js';

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

  constructor(source: AsyncIterable<Buffer>) {
    this.#reader = new Reader(source);
  }

  /** @throws S3Error IncompleteBody, MalformedTrailerError */
  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const header = (await this.#reader.line()) ?? '';
      if (!/^[0-9a-f]{1,10}$/i.test(header)) throw incomplete();
      const size = Number.parseInt(header, 16);
      if (size === 0) break;
      yield* this.#reader.take(size);
      if ((await this.#reader.line()) !== '') throw incomplete();
    }
    await this.#readTrailers();
  }

  /** Up to an empty line, behind which there is nothing. */
  async #readTrailers(): Promise<void> {
    for (let line = await this.#reader.line(); line !== ''; line = await this.#reader.line()) {
      if (line === undefined) throw incomplete();
      const [name = '', value] = line.split(/:(.*)/s);
      if (value === undefined) throw malformed();
      this.trailers.set(name.toLowerCase(), value.trim());
    }
    if ((await this.#reader.line()) !== undefined) throw malformed();
  }
}
