// Content is streamed: an object of 200 MiB goes through the process without staying in it.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientAt, put } from '../conformance/support.js';
import { controlToken, type ServerProcess, startServer } from './server-process.js';

const MiB = 1024 * 1024;
const objectMiB = 200;
const boundMiB = 64;
const Bucket = 'large';
const block = randomBytes(MiB);

let dataDir: string;
let server: ServerProcess;
let client: S3Client;
let controlUrl: string;

/** A port that is free now. */
const freePort = async (): Promise<number> => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** The memory of the process right now, in MiB. */
const residentMiB = (): number => {
  const { pid } = server;
  const kiB =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kiB) / 1024;
};

/** The most that it has, looked at after every few MiB that pass. */
class Watermark {
  highest = residentMiB();
  #passed = 0;

  passed(bytes: number): void {
    const before = this.#passed;
    this.#passed += bytes;
    if (Math.floor(this.#passed / (8 * MiB)) > Math.floor(before / (8 * MiB)))
      this.highest = Math.max(this.highest, residentMiB());
  }
}

async function* blocks(count: number, mark: Watermark): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n += 1) {
    yield block;
    mark.passed(MiB);
  }
}

const upload = async (Key: string, mib: number): Promise<number> => {
  const mark = new Watermark();
  await put(client, Bucket, Key, Readable.from(blocks(mib, mark)), { ContentLength: mib * MiB });
  return mark.highest;
};

const download = async (Key: string): Promise<{ readonly sha256: string; readonly highest: number }> => {
  const mark = new Watermark();
  const hash = createHash('sha256');
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  const body = Body as Readable; // which it is in Node
  for await (const piece of body) {
    hash.update(piece);
    mark.passed(piece.length);
  }
  return { sha256: hash.digest('hex'), highest: mark.highest };
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
  const port = await freePort();
  controlUrl = `http://127.0.0.1:${port}`;
  server = await startServer(dataDir, '--bucket', Bucket, '--control-port', String(port));
  client = clientAt(server.account);
});
afterAll(async () => {
  client.destroy();
  await server.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

describe('memory', () => {
  it(`grows by less than ${boundMiB} MiB while ${objectMiB} MiB are put, got, and got in vain`, async () => {
    await upload('warm', 16);
    await download('warm');
    const before = residentMiB();

    const whilePutting = await upload('large', objectMiB);
    const { sha256, highest: whileGetting } = await download('large');
    const expected = createHash('sha256');
    for (let n = 0; n < objectMiB; n += 1) expected.update(block);
    expect(sha256).toBe(expected.digest('hex'));

    // The work is done and thrown away, as fast as the disk gives it.
    await fetch(`${controlUrl}/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ engine: 's3', target: 'get', mode: '5xx-after', times: 1 }),
    });
    await expect(download('large')).rejects.toMatchObject({ name: 'InternalError' });

    const growth = Math.max(whilePutting, whileGetting, residentMiB()) - before;
    expect(growth).toBeLessThan(boundMiB);
  }, 240_000);
});
