// The promise of an acknowledgement: the process is killed under load again and again, and every acknowledged object is
// there, whole. S3_KILL_SEED repeats a run; a failure tells its seed.
import { createHash, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientAt, keysIn, put } from '../conformance/support.js';
import { contentFiles, type ServerProcess, startServer } from './server-process.js';

/** PARLANCE_TEST_KILLS=20 for the storm in full. */
const kills = Number(process.env.PARLANCE_TEST_KILLS ?? 4);
const writers = 8;
const keysPerWriter = 3;
const largest = 200_000;
const Bucket = 'durable';
const seed = Number(process.env.S3_KILL_SEED ?? randomInt(2 ** 31));

let dataDir: string;
let server: ServerProcess | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
});
afterAll(async () => {
  await server?.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** A number below `limit` that follows from the seed and a text. */
const drawn = (text: string, limit: number): number =>
  createHash('sha256').update(`${seed} ${text}`).digest().readUInt32BE() % limit;

/** The content of a key's nth version, which names its key and version and ends with its hash. */
const contentOf = (key: string, n: number): Buffer => {
  const filler = createHash('sha512').update(`${key} ${n}`).digest('hex');
  const text = `${key} ${n} `.padEnd(drawn(`${key} ${n}`, largest), filler);
  return Buffer.from(`${text} ${createHash('sha256').update(text).digest('hex')}`);
};

/** The possible states of one key: its last acknowledged version, or the one that was under way. Undefined is deleted. */
interface Fate {
  acknowledged: number | undefined;
  pending?: { readonly version: number | undefined };
}
const fates = new Map<string, Fate>(
  Array.from({ length: writers * keysPerWriter }, (_, n) => [`key-${n}`, { acknowledged: undefined }]),
);
let version = 0;
let acknowledgements = 0;

/** Kills the server at the nth thing that happens: a piece that is sent, or an acknowledgement. */
class Fuse {
  dead: Promise<void> | undefined;
  #left: number;
  readonly #process: ServerProcess;

  constructor(left: number, process: ServerProcess) {
    this.#left = left;
    this.#process = process;
  }

  burn(): void {
    this.#left -= 1;
    if (this.#left <= 0) this.dead ??= this.#process.kill('SIGKILL');
  }
}

async function* inPieces(content: Buffer, fuse: Fuse): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += 16_384) {
    yield content.subarray(start, start + 16_384);
    fuse.burn();
  }
}

/** Replaces a key's object, or deletes it every seventh time. */
const change = async (client: S3Client, key: string, fate: Fate, fuse: Fuse): Promise<void> => {
  version += 1;
  const next = version % 7 === 0 ? undefined : version;
  fate.pending = { version: next };
  if (next === undefined) await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
  else {
    const content = contentOf(key, next);
    await put(client, Bucket, key, Readable.from(inPieces(content, fuse)), { ContentLength: content.length });
  }
  fate.acknowledged = next;
  delete fate.pending;
  acknowledgements += 1;
  fuse.burn();
};

/** Writers change keys of their own until the server is dead. */
const writeUntilKilled = async (client: S3Client, fuse: Fuse): Promise<void> => {
  const all = [...fates];
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const [key, fate] = all[writer * keysPerWriter + (n % keysPerWriter)] ?? [];
      if (key === undefined || fate === undefined) throw new Error('a writer without keys');
      try {
        await change(client, key, fate, fuse);
      } catch (error) {
        if (fuse.dead === undefined) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await fuse.dead;
};

/** The number of the version under a key. @throws Error when its content is not whole */
const versionOf = async (client: S3Client, key: string): Promise<number> => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
  const content = Buffer.from((await Body?.transformToByteArray()) ?? []);
  const [of, n] = content.subarray(0, 100).toString().split(' ');
  if (of !== key || !content.equals(contentOf(key, Number(n)))) throw new Error(`${key} is not whole`);
  return Number(n);
};

const verify = async (client: S3Client): Promise<void> => {
  const found = await keysIn(client, Bucket);
  expect(contentFiles(dataDir)).toHaveLength(found.length);
  for (const [key, fate] of fates) {
    const version = found.includes(key) ? await versionOf(client, key) : undefined;
    const allowed = [fate.acknowledged, ...(fate.pending ? [fate.pending.version] : [])];
    expect({ key, version, allowed: allowed.includes(version) || allowed }).toMatchObject({ allowed: true });
    fate.acknowledged = version;
    delete fate.pending;
  }
};

const round = async (number: number, port: string | undefined): Promise<string> => {
  server = await startServer(dataDir, ...(port === undefined ? [] : ['--port', port]));
  const client = clientAt(server.account);
  if (number === 0) await client.send(new CreateBucketCommand({ Bucket }));
  await verify(client);
  // Kills come early and late in turn: after 1 to 100 things, after 101 to 200, and so on up to 400.
  const after = 1 + 100 * (number % 4) + drawn(`kill ${number}`, 100);
  if (number < kills) await writeUntilKilled(client, new Fuse(after, server));
  client.destroy();
  return new URL(server.account.url).port;
};

describe('kill -9 under load', () => {
  it(`${kills} times: every acknowledged object is there and whole, and nothing else is left`, async () => {
    try {
      let port: string | undefined;
      for (let number = 0; number <= kills; number += 1) port = await round(number, port);
      expect(acknowledgements).toBeGreaterThan(kills);
    } catch (error) {
      throw new Error(`S3_KILL_SEED=${seed}`, { cause: error });
    }
  }, 240_000);
});
