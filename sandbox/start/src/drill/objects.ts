// The files of the object storage in a backup. Each object has a file of its own, and a line with its key, its size and a
// digest.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStorage } from '@parlance/object-storage';
import { z } from 'zod';
import { readLines, writeLines } from './lines.js';

const Stored = z.object({ key: z.string(), file: z.string(), bytes: z.number(), sha256: z.string() });
type Stored = z.infer<typeof Stored>;

export interface ObjectCount {
  readonly objects: number;
  readonly bytes: number;
}

const objectsFile = (folder: string): string => join(folder, 'objects.jsonl');
const pathOf = (folder: string, file: string): string => join(folder, 'objects', file);

/** Measures what passes through. */
const measure = () => {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, taken: () => ({ bytes, sha256: hash.digest('hex') }) };
};

const digestOfObject = async (storage: ObjectStorage, key: string) => {
  const content = await storage.open(key);
  if (content === undefined) return undefined;
  const { through, taken } = measure();
  await pipeline(content, through, async (source) => {
    for await (const _ of source);
  });
  return taken();
};

/** An object that is deleted while the backup runs is left out; the records that refer to it are asked afterwards. */
export const saveObjects = async (
  storage: ObjectStorage,
  folder: string,
  onProgress: (count: number) => void,
): Promise<ObjectCount> => {
  mkdirSync(join(folder, 'objects'), { recursive: true, mode: 0o700 });
  const lines = writeLines(objectsFile(folder));
  let [objects, bytes] = [0, 0];
  try {
    for await (const { key } of storage.list('')) {
      const content = await storage.open(key);
      if (content === undefined) continue;
      const file = String(objects);
      const { through, taken } = measure();
      await pipeline(content, through, createWriteStream(pathOf(folder, file), { mode: 0o600 }));
      const stored: Stored = { key, file, ...taken() };
      await lines.write(stored);
      objects += 1;
      bytes += stored.bytes;
      onProgress(objects);
    }
  } finally {
    await lines.end();
  }
  return { objects, bytes };
};

async function* objectsIn(folder: string): AsyncGenerator<Stored, void, void> {
  for await (const line of readLines(objectsFile(folder))) yield Stored.parse(line);
}

export const keysIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  for await (const { key } of objectsIn(folder)) keys.add(key);
  return keys;
};

const contentType = 'application/octet-stream';
const putSeconds = 900;

/** With its length at the head of the request, which S3 demands. @returns the status of the answer */
const send = async (url: string, path: string, bytes: number): Promise<number> => {
  const headers = { 'content-type': contentType, 'content-length': bytes };
  const sent = request(url, { method: 'PUT', headers });
  const answered = once(sent, 'response');
  await Promise.all([pipeline(createReadStream(path), sent), answered]);
  const [response]: IncomingMessage[] = await answered;
  response?.resume();
  return response?.statusCode ?? 0;
};

const put = async (storage: ObjectStorage, folder: string, { key, file, bytes }: Stored): Promise<void> => {
  const url = await storage.presignPut(key, { contentType, bytes, expiresInSeconds: putSeconds });
  const path = pathOf(folder, file);
  const { size } = await stat(path);
  if (size !== bytes) throw new Error(`its file has ${size} bytes, and not ${bytes}`);
  const status = await send(url, path, bytes);
  if (status !== 200) throw new Error(`the storage answered ${status}`);
};

const problemOf = async (
  storage: ObjectStorage,
  { key, bytes, sha256 }: Stored,
): Promise<string | undefined> => {
  const found = await digestOfObject(storage, key);
  if (found === undefined) return `${key}: the object is missing`;
  return found.bytes === bytes && found.sha256 === sha256
    ? undefined
    : `${key}: the object came back with another content`;
};

/** Puts every object into the empty storage, and reads it back. */
export const restoreObjects = async (
  folder: string,
  storage: ObjectStorage,
): Promise<ObjectCount & { readonly problems: readonly string[] }> => {
  const problems: string[] = [];
  for await (const stored of objectsIn(folder))
    await put(storage, folder, stored).catch((error: unknown) =>
      problems.push(`${stored.key}: cannot be restored, ${error instanceof Error ? error.message : error}`),
    );
  let [objects, bytes] = [0, 0];
  for await (const stored of objectsIn(folder)) {
    const problem = await problemOf(storage, stored);
    if (problem !== undefined && !problems.some((known) => known.startsWith(`${stored.key}: `)))
      problems.push(problem);
    objects += problem === undefined ? 1 : 0;
    bytes += problem === undefined ? stored.bytes : 0;
  }
  return { objects, bytes, problems };
};
