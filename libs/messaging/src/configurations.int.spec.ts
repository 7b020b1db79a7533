// The configurations that are committed, as nats-server reads them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findNatsServer } from '@parlance/engines';
import { passwordVariableOf, userNames } from './index.js';

const root = new URL('../../../', import.meta.url);
/** As docker-compose.yml and the manifests write passwords: in quotes, because some would be read as numbers. */
const quoted = '"123e4"';
const passwords = Object.fromEntries(userNames.map((user) => [passwordVariableOf(user), quoted]));
const variables = { ...passwords, NATS_SERVER_NAME: 'nats-1', NATS_CLUSTER_PASSWORD: quoted };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-nats-conf-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @returns the exit status and the messages of nats-server, which reads the file and ends */
const read = (path: string, env: Readonly<Record<string, string>>) => {
  const file = join(directory, basename(path));
  // 2.9 does not know `sync_interval`, the interval at which JetStream writes to the disk.
  for (const name of [path, join(dirname(path), 'nats.conf')])
    writeFileSync(
      join(directory, basename(name)),
      readFileSync(new URL(name, root), 'utf8').replace(/^ *sync_interval.*$/m, ''),
    );
  const server = findNatsServer(process.env.PARLANCE_TEST_CACHE ?? '');
  const { status, stderr } = spawnSync(server, ['-t', '-c', file], { env, encoding: 'utf8' });
  return { status, stderr };
};

const files = [
  'deploy/compose/nats/nats.conf',
  'deploy/compose/nats/cluster.conf',
  'deploy/helm/parlance/files/nats.conf',
];

it.each(files)('%s is read by nats-server with the passwords of all users', (path) => {
  expect(read(path, variables)).toMatchObject({ status: 0 });
});

it.each(files)('%s is refused without the password of one user', (path) => {
  const missing = 'KNOWLEDGE_NATS_PASSWORD';
  const others = Object.fromEntries(Object.entries(variables).filter(([name]) => name !== missing));
  const { status, stderr } = read(path, others);
  expect(status).not.toBe(0);
  expect(stderr).toContain(missing);
});
