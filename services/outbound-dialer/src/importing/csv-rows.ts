// Rows of a text file, one chunk of it at a time.
import { createReadStream } from 'node:fs';
import { CsvError, type Parser, parse } from 'csv-parse';
import { type Pause, type RowSink, refuse } from './import-types.js';
import { type Dialect, dialectOf, type Encoding, encodingOf } from './text-format.js';

const chunkBytes = 64 * 1024;
/** More than the longest row that could be read; what is longer is a quote that nobody closed. */
const maxRecordLength = 2 * 1024 * 1024;

/** Of the sink: kept apart from what the parser itself finds wrong. */
interface Failure {
  reason?: unknown;
}

const parserFor = ({ delimiter, hasHint }: Dialect, sink: RowSink, failure: Failure): Parser => {
  let rowNumber = 0;
  return parse({
    delimiter,
    from_line: hasHint ? 2 : 1,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: maxRecordLength,
    on_record: (cells: string[]) => {
      rowNumber += 1;
      if (failure.reason !== undefined) return null;
      try {
        sink({ rowNumber, cells });
      } catch (error) {
        failure.reason = error;
      }
      return null;
    },
  });
};

const asRefusal = (error: unknown): unknown =>
  error instanceof CsvError
    ? refuse(
        'FILE_INVALID',
        `near row ${error.records ?? '?'}: a quote is not closed, or a row is far too long`,
      )
    : error;

/** Writes a chunk; all its rows have gone to the sink when it resolves. */
const write = (parser: Parser, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(text, (error) => (error ? reject(error) : resolve()));
  });

const finish = (parser: Parser): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.once('end', resolve).once('error', reject);
    // Rows are not handed on through the stream, but its end is.
    parser.resume();
    parser.end();
  });

/** Text of the file without its byte order mark. */
async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes: Uint8Array = chunk; // without an encoding a file's stream gives bytes
    // The database keeps no zero characters.
    yield decoder.decode(bytes, { stream: true }).replaceAll('\0', '');
  }
  yield decoder.decode();
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
  const failure: Failure = {};
  let parser: Parser | undefined;
  try {
    for await (const text of textOf(file.path, encoding)) {
      parser ??= parserFor(dialectOf(text, file.isHeader), sink, failure).on('error', () => undefined);
      await write(parser, text);
      if (failure.reason !== undefined) throw failure.reason;
      await pause();
    }
    if (parser !== undefined) await finish(parser);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    parser?.destroy();
  }
  if (failure.reason !== undefined) throw failure.reason;
  await pause();
};
