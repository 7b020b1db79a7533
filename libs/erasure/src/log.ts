// Where the log of a service is kept: in the object storage, or in a folder where there is none. Each write makes a new file, so
// that nothing that was written is ever changed.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ObjectStorage } from '@parlance/object-storage';
import { type Erasure, fromLines, type ReadLines, toLines } from './entry.js';

/** The files of a log by their names, which begin with the time of their writing. */
interface Files {
  write(name: string, content: string): Promise<void>;
  /** In the order of their names, from this one on. */
  list(from: string): AsyncIterable<string>;
  read(name: string): Promise<string | undefined>;
}

export interface LoggedErasures extends ReadLines {
  /** Names the file. */
  readonly name: string;
}

export interface ErasureLog {
  /** False where neither an object storage nor a folder is configured: nothing is logged. */
  readonly isKept: boolean;
  /**
   * Resolves when the entries are stored, with the names of their files.
   * @throws AppError STORAGE_UNAVAILABLE; the same entries can be written again
   */
  write(erasures: readonly Erasure[]): Promise<readonly string[]>;
  /** The names of the files that were written since then, the oldest first. @throws AppError STORAGE_UNAVAILABLE */
  names(since: Date): AsyncIterable<string>;
  /** @throws AppError STORAGE_UNAVAILABLE */
  read(name: string): Promise<LoggedErasures>;
}

export interface ErasureLogOptions {
  readonly service: string;
  readonly storage: ObjectStorage | undefined;
  /** Used where there is no object storage. */
  readonly directory?: string | undefined;
}

/** Beside the folders of the organizations, whose removal deletes theirs. */
export const logPrefix = 'erasures/';
const entriesPerFile = 1_000;
const suffix = '.jsonl';

const inStorage = (storage: ObjectStorage, prefix: string): Files => ({
  write: (name, content) => storage.put(`${prefix}${name}`, content),
  async *list(from) {
    for await (const { key } of storage.list(prefix, { after: `${prefix}${from}` }))
      yield key.slice(prefix.length);
  },
  read: async (name) => {
    const body = await storage.open(`${prefix}${name}`);
    return body && text(body);
  },
});

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const inFolder = (folder: string): Files => ({
  write: async (name, content) => {
    await mkdir(folder, { recursive: true });
    const unfinished = join(folder, `.${name}`);
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, join(folder, name));
  },
  async *list(from) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    yield* names.filter((name) => name.endsWith(suffix) && !name.startsWith('.') && name > from).sort();
  },
  read: (name) => readFile(join(folder, name), 'utf8'),
});

const filesOf = ({ service, storage, directory }: ErasureLogOptions): Files | undefined => {
  if (storage !== undefined) return inStorage(storage, `${logPrefix}${service}/`);
  return directory === undefined ? undefined : inFolder(join(directory, service));
};

const kept = (files: Files): ErasureLog => ({
  isKept: true,
  write: async (erasures) => {
    const names: string[] = [];
    for (let from = 0; from < erasures.length; from += entriesPerFile) {
      const name = `${new Date().toISOString()}-${randomUUID()}${suffix}`;
      await files.write(name, toLines(erasures.slice(from, from + entriesPerFile)));
      names.push(name);
    }
    return names;
  },
  names: (since) => files.list(since.toISOString()),
  read: async (name) => ({ name, ...fromLines((await files.read(name)) ?? '') }),
});

const absent: ErasureLog = {
  isKept: false,
  write: async () => [],
  async *names() {},
  read: async (name) => ({ name, erasures: [], isComplete: false }),
};

export const openErasureLog = (options: ErasureLogOptions): ErasureLog => {
  const files = filesOf(options);
  return files === undefined ? absent : kept(files);
};
