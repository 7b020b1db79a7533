// Log lines of one request, out of files that may be large. A file is read line by line, and parsed only where the id
// occurs.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UsageError } from './failures.js';

export interface LogLine {
  /** ISO 8601; empty where the line does not say. */
  readonly time: string;
  readonly service: string;
  readonly level: string;
  readonly message: string;
  /** Everything else that the line says. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const parsed = (line: string): Record<string, unknown> | undefined => {
  try {
    // A parser can only make an object of a line that begins with a brace.
    return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const inEveryLine = new Set([
  'time',
  'service',
  'level',
  'msg',
  'requestId',
  'organizationId',
  'actor',
  'traceId',
  'spanId',
]);

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The line, if it is one of this request; `docker compose logs` puts a name in front of it. */
export const lineOf = (line: string, requestId: string): LogLine | undefined => {
  if (!line.includes(requestId)) return undefined;
  const fields = parsed(line.slice(Math.max(0, line.indexOf('{'))));
  if (fields === undefined) return { time: '', service: '', level: '', message: line, fields: {} };
  const rest = Object.entries(fields).filter(([name]) => !inEveryLine.has(name));
  return {
    time: word(fields.time),
    service: word(fields.service),
    level: word(fields.level),
    message: word(fields.msg),
    fields: Object.fromEntries(rest),
  };
};

const filesIn = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file or folder "${path}".`);
  if (!found.isDirectory()) return [path];
  return (await readdir(path)).filter((name) => name.endsWith('.log')).map((name) => join(path, name));
};

async function* linesIn(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/**
 * Lines of this request in these files and folders; `-` is `input`.
 * @throws UsageError for a path that is not there
 */
export const requestLines = async (
  paths: readonly string[],
  requestId: string,
  input: NodeJS.ReadableStream,
): Promise<readonly LogLine[]> => {
  const found: LogLine[] = [];
  const collect = async (lines: AsyncIterable<string>): Promise<void> => {
    for await (const line of lines) {
      const own = lineOf(line, requestId);
      if (own !== undefined) found.push(own);
    }
  };
  for (const path of paths) {
    if (path === '-') await collect(linesIn(input));
    else for (const file of await filesIn(path)) await collect(linesIn(createReadStream(file)));
  }
  return found;
};
