// Rows of a text file, one chunk of it at a time.
import { createReadStream } from 'node:fs';
import { CsvError, type Parser, parse } from 'csv-parse';
import { decoderOf } from './charset/decoder.js';
import { encodingOf, mixedEncodings } from './charset/text-encoding.js';
import { refuse } from './sheet/file-refusal.js';
import type { Pause, RowSink } from './sheet/sheet-row.js';
import { type Dialect, dialectOf } from './text-format.js';

const chunkBytes = 64 * 1024;
/** More than the longest row that could be read; a longer row is a quote without an end. */
const maxRecordLength = 2 * 1024 * 1024;
/** Longer unfinished rows are left to the parser, which has the limit. */
const maxPlainRow = 64 * 1024;

/** Rows as the parser takes them out of text without quotes. Of the last one no end may be in sight. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (!text.includes('\r')) return lines;
  return lines.flatMap((line, index) =>
    // A line break of two characters is one; any other carriage return is one by itself.
    (index < lines.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line).split('\r'),
  );
};

/** The end of the last row that is over by now, before `end`. A carriage return there may be half of a line break. */
const endOfRows = (text: string, end: number): number =>
  Math.max(text.lastIndexOf('\n', end - 1), end < 2 ? -1 : text.lastIndexOf('\r', end - 2)) + 1;

/**
 * Takes text apart. Until the first quote, a text has only line breaks and delimiters. The language finds these several
 * times as fast as a parser. From the first quote on, the parser has the rest of the file.
 */
export class CsvText {
  readonly #dialect: Dialect;
  readonly #sink: RowSink;
  #rowNumber = 0;
  #isFirst = true;
  /** The last row so far: it has no quote, and its end has not come yet. */
  #rest = '';
  #parser: Parser | undefined;
  /** The failure of the sink, kept apart from the errors of the parser itself. */
  #failure: { readonly reason: unknown } | undefined;

  constructor(dialect: Dialect, sink: RowSink) {
    this.#dialect = dialect;
    this.#sink = sink;
  }

  /**
   * Takes a chunk. When this resolves, all rows that are over by then have gone to the sink.
   * @throws FileRefused, and the errors of the sink
   */
  async write(text: string): Promise<void> {
    if (this.#parser !== undefined) return this.#parse(text);
    const whole = this.#rest + text;
    const quote = whole.indexOf('"');
    const end = quote < 0 ? whole.length : quote;
    const plain = end === 0 ? 0 : endOfRows(whole, end);
    if (plain > 0) this.#plain(linesOf(whole.slice(0, plain)).slice(0, -1));
    const rest = whole.slice(plain);
    if (quote < 0 && rest.length <= maxPlainRow) {
      this.#rest = rest;
      return;
    }
    this.#rest = '';
    this.#parser = this.#start();
    await this.#parse(rest);
  }

  /** Call this after the last chunk. */
  async end(): Promise<void> {
    if (this.#parser === undefined) {
      const lines = linesOf(this.#rest);
      this.#plain(lines.at(-1) === '' ? lines.slice(0, -1) : lines);
    } else await this.#finish(this.#parser);
  }

  destroy(): void {
    this.#parser?.destroy();
  }

  #plain(lines: readonly string[]): void {
    const { delimiter, hasHint } = this.#dialect;
    for (const line of lines) {
      const isHint = this.#isFirst && hasHint;
      this.#isFirst = false;
      if (isHint) continue;
      this.#rowNumber += 1;
      this.#sink({ rowNumber: this.#rowNumber, cells: line.split(delimiter) });
    }
  }

  #start(): Parser {
    return parse({
      delimiter: this.#dialect.delimiter,
      from_line: this.#isFirst && this.#dialect.hasHint ? 2 : 1,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      // `a, "b, c"` is two cells: a person who writes a space after the comma still means the quotes.
      trim: true,
      skip_empty_lines: false,
      max_record_size: maxRecordLength,
      on_record: (cells: string[]) => {
        this.#rowNumber += 1;
        if (this.#failure !== undefined) return null;
        try {
          this.#sink({ rowNumber: this.#rowNumber, cells });
        } catch (reason) {
          this.#failure = { reason };
        }
        return null;
      },
    }).on('error', () => undefined);
  }

  async #parse(text: string): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#parser?.write(text, (error) => (error ? reject(this.#asRefusal(error)) : resolve()));
    });
    await written;
    if (this.#failure !== undefined) throw this.#failure.reason;
  }

  async #finish(parser: Parser): Promise<void> {
    const finished = new Promise<void>((resolve, reject) => {
      parser.once('end', resolve).once('error', (error) => reject(this.#asRefusal(error)));
      // Rows are not handed on through the stream, but its end is.
      parser.resume();
      parser.end();
    });
    await finished;
    if (this.#failure !== undefined) throw this.#failure.reason;
  }

  #asRefusal(error: unknown): unknown {
    return error instanceof CsvError
      ? refuse('FILE_INVALID', `near row ${this.#rowNumber}: a quote is not closed, or a row is far too long`)
      : error;
  }
}

/**
 * A telephone number in single bytes, read as UTF-16: other text was put after a text in UTF-16. The characters whose bytes
 * are both digits are rare ones, and never stand together.
 */
const digitsReadAsUtf16 =
  /[\u3030-\u3039\u3130-\u3139\u3230-\u3239\u3330-\u3339\u3430-\u3439\u3530-\u3539\u3630-\u3639\u3730-\u3739\u3830-\u3839\u3930-\u3939]{4}/;

const countLines = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/**
 * Text of the file without its byte order mark.
 * @throws FileRefused for bytes that the encoding does not have
 */
async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  let line = 1;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw mixedEncodings(line);
    }
  };
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes: Uint8Array = chunk; // without an encoding a file's stream gives bytes
    const text = decode(bytes);
    const mixed = encoding.startsWith('utf-16') ? text.search(digitsReadAsUtf16) : -1;
    if (mixed >= 0) throw mixedEncodings(line + countLines(text.slice(0, mixed)));
    if (encoding !== 'utf-8') line += countLines(text);
    // The database keeps no zero characters.
    yield text.replaceAll('\0', '');
  }
  yield decode();
}

export interface TextFile {
  readonly path: string;
  /** Its first bytes. */
  readonly start: Uint8Array;
  readonly isHeader: (cells: readonly string[]) => boolean;
}

/**
 * Hands every row to `sink`; `pause` is awaited after each chunk.
 * @throws FileRefused
 */
export const readCsv = async (file: TextFile, sink: RowSink, pause: Pause): Promise<void> => {
  const encoding = await encodingOf(file.path, file.start);
  let rows: CsvText | undefined;
  try {
    for await (const text of textOf(file.path, encoding)) {
      rows ??= new CsvText(dialectOf(text, file.isHeader), sink);
      await rows.write(text);
      await pause();
    }
    await rows?.end();
  } finally {
    rows?.destroy();
  }
  await pause();
};
