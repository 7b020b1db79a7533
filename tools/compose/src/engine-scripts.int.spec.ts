// The entry points with which engines of docker-compose.yml read their passwords, run by a real shell. In the place of each engine
// stands a program that prints what it was given.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeSecrets } from '@parlance/provision';
import { parseCompose } from './compose-file.js';
import { interpolate, variablesIn } from './testing/interpolate.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const base = ['docker-compose.yml'];
const production = [...base, 'deploy/compose/compose.production.yml'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-engines-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['nats-server', 'livekit-server', 'livekit-sip', 'versitygw', 'redis-server']) {
    writeFileSync(join(folder, 'bin', name), '#!/bin/sh\necho "ARGS=$*"\nenv\n[ "$1" != - ] || cat\n');
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  writeSecrets(join(folder, 'secrets'), {
    REDIS_PASSWORD: 'a&b$HOME*0123456789',
    ROOT_SECRET: '0f'.repeat(32),
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const secretsOf = (engine: string): Readonly<Record<string, string>> =>
  variablesIn(readFileSync(join(folder, 'secrets', engine, 'env'), 'utf8'));
const unquoted = (text = ''): string => text.replace(/^'(.*)'$/, '$1').replaceAll(`'\\''`, "'");

/** What an engine is given when its container starts. */
const start = (files: readonly string[], name: string, engine: string): string => {
  const service = parseCompose(...files.map(read)).file?.services[name];
  const command = typeof service?.command === 'string' ? [] : (service?.command ?? []);
  const [shell = '', ...args] = [...(service?.entrypoint ?? []), ...command].map((word) =>
    interpolate(word, {})
      .replaceAll('/run/parlance', join(folder, 'secrets', engine))
      .replaceAll('/data/', join(folder, 'data/'))
      .replace('exec /livekit-server', 'exec livekit-server'),
  );
  const given = Object.entries(service?.environment ?? {}).map(([variable, value]) => [
    variable,
    interpolate(String(value ?? ''), {}),
  ]);
  const PATH = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter);
  return execFileSync(shell, args, { env: { ...Object.fromEntries(given), PATH }, encoding: 'utf8' });
};

it('NATS gets each password in quotes', () => {
  const output = start(base, 'nats-1', 'nats');
  expect(output).toContain('ARGS=-c /etc/nats/nats.conf\n');
  const { GATEWAY_NATS_PASSWORD } = secretsOf('nats');
  expect(output).toContain(`\nGATEWAY_NATS_PASSWORD=${unquoted(GATEWAY_NATS_PASSWORD)}\n`);
});

it.each([
  ['nats-1', ['nats-2', 'nats-3']],
  ['nats-2', ['nats-1', 'nats-3']],
  ['nats-3', ['nats-1', 'nats-2']],
])('%s of a cluster knows its peers and the password of routes', (name, peers) => {
  const password = unquoted(secretsOf('nats').NATS_ROUTE_PASSWORD);
  const routes = peers.map((peer) => `nats://route:${password}@${peer}:6222`).join(',');
  expect(start(production, name, 'nats')).toContain(`ARGS=-c /etc/nats/cluster.conf --routes ${routes}\n`);
});

it('LiveKit gets its key with the secret, and the password of Redis', () => {
  const { LIVEKIT_API_SECRET, REDIS_PASSWORD } = secretsOf('livekit');
  const output = start(base, 'livekit', 'livekit');
  expect(output).toContain(`\nLIVEKIT_KEYS=parlance: ${unquoted(LIVEKIT_API_SECRET)}\n`);
  expect(output).toContain(`\nREDIS_PASSWORD=${unquoted(REDIS_PASSWORD)}\n`);
});

it('a bridge to telephones gets the password of Redis as it is, in its configuration', () => {
  const output = start(base, 'sip', 'livekit');
  expect(output).toContain(`password: '${unquoted(secretsOf('livekit').REDIS_PASSWORD)}'`);
  expect(output).toContain(`\nLIVEKIT_API_SECRET=${unquoted(secretsOf('livekit').LIVEKIT_API_SECRET)}\n`);
});

it('the object storage gets the access key', () => {
  const output = start(base, 's3', 's3');
  expect(output).toContain('\nROOT_ACCESS_KEY_ID=parlance\n');
  expect(output).toContain(`\nROOT_SECRET_ACCESS_KEY=${unquoted(secretsOf('s3').ROOT_SECRET_ACCESS_KEY)}\n`);
});

it('Redis gets its password on standard input', () => {
  const output = start(base, 'redis', 'redis');
  expect(output).toContain('ARGS=-\n');
  expect(output).toContain(`requirepass ${unquoted(secretsOf('redis').REDIS_PASSWORD)}\n`);
});
