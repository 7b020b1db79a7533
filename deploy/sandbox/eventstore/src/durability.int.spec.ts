// The promise of an acknowledgement: the server process is killed under load, and every acknowledged event is there,
// once, after it comes back. Stand-in only: it has to be killed. EVENTSTORE_KILLS sets how often (default 4).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, counted } from './conformance/support.js';

const KILLS = Number(process.env.EVENTSTORE_KILLS ?? 4);
const WRITERS = 16;
const STREAMS = 5;
const packageDir = join(dirname(fileURLToPath(import.meta.url)), '..');

let dataDir: string;
let server: { process: ChildProcess; client: EventStoreDBClient };

/** The process is killed as it would be run: from its built entry, which is built here if it is not up to date. */
beforeAll(async () => {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-b', packageDir]);
  dataDir = await mkdtemp(join(tmpdir(), 'eventstore-durability-'));
}, 60_000);
afterAll(async () => {
  await kill('SIGTERM');
  await rm(dataDir, { recursive: true });
});

async function start(): Promise<void> {
  const args = [join(packageDir, 'dist/main.js'), '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  server = { process: child, client: EventStoreDBClient.connectionString(String(url)) };
}

async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const exited = once(server.process, 'exit');
  server.process.kill(signal);
  await exited;
  await server.client.dispose();
}

describe('kill -9 under load', () => {
  it(
    `${KILLS} times: every acknowledged event is there, none twice, and no append is there in part`,
    async () => {
      const acknowledged = new Set<string>();
      const sent = new Map<string, string[]>();
      await start();
      for (let round = 1; round <= KILLS; round += 1) {
        await writeUntilKilled(300 + round * 37, acknowledged, sent);
        await start();
        const stored = (await collect(server.client.readAll())).map(({ event }) => event?.id ?? '');
        const distinct = new Set(stored);
        expect(stored).toHaveLength(distinct.size);
        expect([...acknowledged].filter((id) => !distinct.has(id))).toEqual([]);
        for (const append of sent.values()) {
          expect([0, append.length]).toContain(append.filter((id) => distinct.has(id)).length);
        }
      }
      expect(acknowledged.size).toBeGreaterThan(KILLS * 300);
    },
    KILLS * 20_000,
  );
});

/** Writers append one or three events at a time; the server is killed once so many more are acknowledged. */
async function writeUntilKilled(
  more: number,
  acknowledged: Set<string>,
  sent: Map<string, string[]>,
): Promise<void> {
  const enough = acknowledged.size + more;
  let killed: Promise<void> | undefined;
  const writer = async (number: number): Promise<void> => {
    for (let n = 0; killed === undefined; n += 1) {
      const events = Array.from({ length: n % 3 === 0 ? 3 : 1 }, () => counted(n));
      const ids = events.map(({ id }) => id);
      sent.set(ids.join(), ids);
      try {
        await server.client.appendToStream(`stream-${(number + n) % STREAMS}`, events);
      } catch (error) {
        // The server was killed while it had this append: it may be there or not.
        if (killed === undefined) throw error;
        return;
      }
      for (const id of ids) acknowledged.add(id);
      if (acknowledged.size >= enough) killed ??= kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  await killed;
}
