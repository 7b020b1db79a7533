// Files with one JSON value a line, written and read at the pace of the other side.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

export interface LineWriter {
  write(value: unknown): Promise<void>;
  /** Resolves when everything is in the file. */
  end(): Promise<void>;
}

/** Mode 600: a backup is as secret as its contents. */
export const writeLines = (file: string): LineWriter => {
  const stream = createWriteStream(file, { mode: 0o600 });
  return {
    write: async (value) => {
      if (!stream.write(`${JSON.stringify(value)}\n`)) await once(stream, 'drain');
    },
    end: async () => {
      stream.end();
      await finished(stream);
    },
  };
};

export async function* readLines(file: string): AsyncGenerator<unknown, void, void> {
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    yield JSON.parse(line);
}
