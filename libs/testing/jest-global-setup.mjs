// Before the integration tests: one real PostgreSQL for the run, and nats-server at hand for every file that wants one.
// The run starts the PostgreSQL itself, or uses the one at CONFORMANCE_POSTGRES_URL.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer, startPostgres } from '@parlance/sandbox-engines';

const startOwnPostgres = (directory) =>
  startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
    durable: false,
  });

export default async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-test-run-'));
  const cache = join(process.cwd(), 'node_modules', '.cache', 'parlance');
  findNatsServer(cache);
  const given = process.env.CONFORMANCE_POSTGRES_URL;
  const postgres = given
    ? { adminUrl: given, stop: async () => undefined }
    : await startOwnPostgres(directory);
  process.env.PARLANCE_TEST_CACHE = cache;
  process.env.PARLANCE_TEST_POSTGRES_ADMIN_URL = postgres.adminUrl;
  globalThis.__parlanceTestRun = {
    stop: async () => {
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
