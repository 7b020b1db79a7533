import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type Postgres, startPostgres } from '@parlance/engines';
import { AppError } from '@parlance/errors';
import { startMongo } from '@parlance/fake-mongodb';
import { eventually } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, whenReachable } from './index.js';
import { connectMongo, mongoGuard } from './mongo.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Passes bytes on to a server, until one connection has sent `after` bytes: then it listens no more, or hangs up. */
const tires = async (options: {
  readonly after: number;
  readonly port: number;
  readonly hangsUp: boolean;
}): Promise<{ readonly port: number; rest(): void; stop(): void }> => {
  let isTired = true;
  const sockets = new Set<{ destroy(): unknown }>();
  const proxy = createServer((client) => {
    const server = connect(options.port, '127.0.0.1');
    let heard = 0;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      if (!isTired || heard < options.after) server.write(chunk);
      else if (options.hangsUp) client.end();
      else client.pause();
    });
    server.on('data', (chunk: Buffer) => client.write(chunk));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo; // of a server that listens on TCP
  return {
    port,
    rest: () => {
      isTired = false;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
};

interface Failure {
  readonly error: unknown;
  readonly afterMs: number;
}

describe('Postgres killed under load', () => {
  const lines: string[] = [];
  let postgres: Postgres;
  let db: Database;

  beforeAll(async () => {
    const dataDir = join(directory, 'postgres');
    postgres = await startPostgres({ dataDir, logFile: `${dataDir}.log`, password: 'kill-9-test' });
    const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
    db = createDatabase({ url: new Secret(postgres.adminUrl), applicationName: 'test', max: 4, logger });
    await db.query('create table acked (id int primary key)');
  });
  afterAll(async () => {
    await db.end();
    await postgres.stop();
  });

  it('answers 503 soon and nothing else, loses nothing it confirmed, and comes back by itself', async () => {
    const acked: number[] = [];
    const failures: Failure[] = [];
    let next = 0;
    let stop = false;
    const write = async (): Promise<void> => {
      next += 1;
      const id = next;
      const startedAt = Date.now();
      try {
        await db.transaction((tx) => tx.query('insert into acked (id) values ($1)', [id]));
        acked.push(id);
      } catch (error) {
        failures.push({ error, afterMs: Date.now() - startedAt });
        await new Promise((resolve) => setTimeout(resolve, 5)); // a client that is told to wait does so
      }
    };
    const worker = async (): Promise<void> => {
      while (!stop) await write();
    };
    const workers = Array.from({ length: 8 }, worker);
    for (let crash = 0; crash < 3; crash += 1) {
      const target = acked.length + 50;
      await eventually(() => expect(acked.length).toBeGreaterThan(target), { timeoutMs: 60_000 });
      const failedBefore = failures.length;
      postgres.crash();
      await eventually(() => expect(failures.length).toBeGreaterThan(failedBefore), { timeoutMs: 60_000 });
    }
    const target = acked.length + 50;
    await eventually(() => expect(acked.length).toBeGreaterThan(target), { timeoutMs: 60_000 });
    stop = true;
    await Promise.all(workers);
    const codes = failures.map(({ error }) =>
      error instanceof AppError ? `${error.code} ${error.retryAfterSeconds}` : String(error),
    );
    expect(new Set(codes)).toEqual(new Set(['SERVICE_UNAVAILABLE 1']));
    expect(Math.max(...failures.map(({ afterMs }) => afterMs))).toBeLessThan(20_000);
    const { rows } = await db.query<{ id: number }>('select id from acked');
    const stored = new Set(rows.map(({ id }) => id));
    expect(acked.filter((id) => !stored.has(id))).toEqual([]);
    // once per outage at most: idle connections of one pool fail together
    expect(lines.filter((line) => line.includes('lost connections')).length).toBeLessThanOrEqual(3);
  });
});

describe('Postgres killed in the middle of its start', () => {
  it('comes back although its lock file is empty', async () => {
    const dataDir = join(directory, 'postgres-half-started');
    const options = { dataDir, logFile: `${dataDir}.log`, password: 'kill-9-test' };
    const lock = join(dataDir, 'postmaster.pid');
    const first = await startPostgres(options);
    await first.stop();
    writeFileSync(lock, '');
    const second = await startPostgres(options);
    const db = createDatabase({ url: new Secret(second.adminUrl), applicationName: 'test', max: 1 });
    await db.ping();
    await db.end();
    await second.stop();
  });
});

describe('the first work on a Postgres that cannot be reached', () => {
  let postgres: Postgres;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    const dataDir = join(directory, 'postgres-late');
    postgres = await startPostgres({ dataDir, logFile: `${dataDir}.log`, password: 'late-test' });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => postgres.stop());

  const startWork = (change: (url: URL) => void, limitMs?: number) => {
    const url = new URL(postgres.adminUrl);
    change(url);
    const options = { applicationName: 'test', max: 1, connectTimeoutMs: 250 };
    const db = createDatabase({ url: new Secret(url.href), ...options });
    ends.push(() => db.end());
    const lines: string[] = [];
    const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
    const work = whenReachable(() => db.ping(), limitMs === undefined ? { logger } : { logger, limitMs });
    work.catch(() => undefined); // the test looks at it later
    return { work, triesAgain: () => lines.some((line) => line.includes('postgres unreachable, retrying')) };
  };

  it('is tried again until a server that was silent at first answers', async () => {
    const port = Number(new URL(postgres.adminUrl).port);
    const silent = await tires({ after: 0, port, hangsUp: false });
    ends.push(() => silent.stop());
    const { work, triesAgain } = startWork((url) => {
      url.port = String(silent.port);
    });
    await eventually(() => expect(triesAgain()).toBe(true));
    silent.rest();
    await work;
  });

  it('fails at once when the server refuses the password or has no such database', async () => {
    const wrong = [
      (url: URL) => {
        url.password = 'wrong';
      },
      (url: URL) => {
        url.pathname = '/nowhere';
      },
    ];
    for (const change of wrong) {
      const { work, triesAgain } = startWork(change);
      await expect(work).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(triesAgain()).toBe(false);
    }
  });

  it('fails when the server stays away for the whole time', async () => {
    const { work, triesAgain } = startWork((url) => {
      url.port = '1';
    }, 500);
    await expect(work).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(triesAgain()).toBe(true);
  });
});

describe('MongoDB that is away', () => {
  it('when it is asked for the first time is found as soon as it is there', async () => {
    const dataDir = join(directory, 'mongodb-late');
    const early = await startMongo({ dataDir });
    const { port } = new URL(early.url);
    await early.stop();
    const mongo = connectMongo({ url: new Secret(early.url), appName: 'test', database: 'parlance' });
    await expect(mongo.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(mongo.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const server = await startMongo({ dataDir, port: Number(port) });
    await eventually(() => mongo.ping());
    await mongo.close();
    await server.stop();
  });

  it('gives 503 soon, and works again by itself when it is back', async () => {
    const dataDir = join(directory, 'mongodb');
    let server = await startMongo({ dataDir });
    const { port } = new URL(server.url);
    const mongo = connectMongo({ url: new Secret(server.url), appName: 'test', database: 'parlance' });
    const calls = mongo.db.collection<{ _id: string; text: string }>('calls');
    await mongoGuard(() => calls.insertOne({ _id: 'a', text: 'x' }));
    const duplicate = mongoGuard(() => calls.insertOne({ _id: 'a', text: 'y' }));
    await expect(duplicate).rejects.toMatchObject({ code: 11000 });
    await server.stop();
    const startedAt = Date.now();
    await expect(mongo.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    await expect(mongoGuard(() => calls.findOne({ _id: 'a' }))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(Date.now() - startedAt).toBeLessThan(40_000);
    server = await startMongo({ dataDir, port: Number(port) });
    await eventually(() => mongo.ping(), { timeoutMs: 60_000 });
    await expect(mongoGuard(() => calls.findOne({ _id: 'a' }))).resolves.toMatchObject({ text: 'x' });
    await calls.insertOne({ _id: 'b', text: 'z' });
    const half = calls.find().batchSize(1);
    await mongoGuard(() => half.next());
    await server.stop();
    server = await startMongo({ dataDir, port: Number(port) });
    await eventually(() => mongo.ping(), { timeoutMs: 60_000 });
    // A cursor that was half read before the restart is gone with it; a new read helps.
    await expect(mongoGuard(() => half.next())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await mongo.close();
    await expect(mongo.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.stop();
  });

  it.each([
    ['goes silent', false],
    ['hangs up', true],
  ])(
    'and %s in the middle of a large command does not keep it for ever',
    async (_, hangsUp) => {
      const server = await startMongo({ dataDir: join(directory, `mongodb-half-${hangsUp}`) });
      const between = await tires({ after: 64 * 1024, port: Number(new URL(server.url).port), hangsUp });
      const url = new URL(server.url);
      url.port = String(between.port);
      const mongo = connectMongo({
        url: new Secret(url.href),
        appName: 'test',
        database: 'parlance',
        maxPoolSize: 2,
      });
      const calls = mongo.db.collection<{ _id: number; text: string }>('calls');
      const large = (_id: number) => ({ _id, text: 'x'.repeat(8_000_000) });
      const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
      // More than the pool holds: none keeps its place.
      const tries = [1, 2, 3].map((id) => mongoGuard(() => calls.insertOne(large(id))));
      for (const one of await Promise.allSettled(tries)) {
        expect(one).toMatchObject({ status: 'rejected', reason: unavailable });
      }
      between.rest();
      await eventually(() => mongoGuard(() => calls.insertOne(large(4))), { timeoutMs: 60_000 });
      await mongo.close();
      between.stop();
      await server.stop();
    },
    120_000,
  );
});
