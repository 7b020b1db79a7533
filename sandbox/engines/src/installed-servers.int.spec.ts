// Servers that may be installed are started as they ask for it, on loopback, and are gone when they are stopped. A machine
// may have none of them, so programs with their names stand in for the binaries: they check their options.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startEventStored } from './eventstored.js';
import { startFerretDb } from './ferretdb.js';
import { reachable } from './ports.js';
import { startS3Server } from './s3-server.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-installed-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Listens at the address when the condition holds; both are code that sees `env`, and `of` for an option's value. */
const program = (name: string, told: { readonly address: string; readonly if: string }): string => {
  const path = join(directory, name);
  const code = `#!${process.execPath}
const { env, argv } = process;
const of = (option) => argv[argv.indexOf(option) + 1];
const isThere = (path) => require('node:fs').existsSync(path);
if (!(${told.if})) process.exit(2);
const [host, port] = (${told.address}).split(':');
require('node:http').createServer((_, response) => response.writeHead(204).end()).listen(Number(port), host);
`;
  writeFileSync(path, code);
  chmodSync(path, 0o755);
  return path;
};
const place = () => ({ dataDir: join(directory, 'data'), logFile: join(directory, 'server.log') });
const keys = { accessKeyId: 'key', secretAccessKey: 'long-secret' };
const onCommandLine = `argv.some((text) => text.includes('long-secret'))`;

type Server = [name: string, start: () => Promise<{ url: string; stop(): Promise<void> }>];
const servers: Server[] = [
  [
    'versitygw',
    () => {
      const path = program('versitygw', {
        address: `of('--port')`,
        if: `env.ROOT_SECRET_ACCESS_KEY === 'long-secret' && !${onCommandLine} && isThere(of('posix'))`,
      });
      return startS3Server({ ...place(), ...keys, binary: { program: 'versitygw', path } });
    },
  ],
  [
    'minio',
    () => {
      const path = program('minio', {
        address: `of('--address')`,
        if: `env.MINIO_ROOT_PASSWORD === 'long-secret' && !${onCommandLine} && env.MINIO_BROWSER === 'off'`,
      });
      return startS3Server({ ...place(), ...keys, binary: { program: 'minio', path } });
    },
  ],
  [
    'ferretdb on files',
    () =>
      startFerretDb({
        ...place(),
        binary: program('ferretdb', {
          address: 'env.FERRETDB_LISTEN_ADDR',
          if: `env.FERRETDB_HANDLER === 'sqlite' && env.FERRETDB_TELEMETRY === 'disable'`,
        }),
      }),
  ],
  [
    'ferretdb on PostgreSQL',
    () =>
      startFerretDb({
        ...place(),
        postgresUrl: 'postgres://user:long-secret@127.0.0.1:1/documents',
        binary: program('ferretdb', {
          address: 'env.FERRETDB_LISTEN_ADDR',
          if: `env.FERRETDB_POSTGRESQL_URL.includes('long-secret') && !${onCommandLine}`,
        }),
      }),
  ],
  ...(
    [
      ['eventstored', 'EVENTSTORE'],
      ['kurrentd', 'KURRENTDB'],
    ] as const
  ).map(
    ([name, prefix]): Server => [
      name,
      async () => {
        const binary = program(name, {
          address: `env.${prefix}_NODE_IP + ':' + env.${prefix}_NODE_PORT`,
          if: `env.${prefix}_INSECURE === 'true' && env.${prefix}_REPLICATION_IP === '127.0.0.1'`,
        });
        const { connectionString, stop } = await startEventStored({ ...place(), binary });
        return { url: connectionString, stop };
      },
    ],
  ),
];

it.each(servers)(
  '%s listens on loopback when it is ready, and is gone when it is stopped',
  async (_, start) => {
    const { url, stop } = await start();
    const { hostname, port } = new URL(url);
    expect(hostname).toBe('127.0.0.1');
    await reachable(Number(port));
    await stop();
    await expect(reachable(Number(port))).rejects.toThrow();
  },
);
