// What each container of docker-compose.yml gets, without Docker: its environment as Compose resolves it, and the files that the
// image's own command `secrets` writes.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callerPublicKeysOf, loadProcessEnv, StartRefusal, writtenKey } from '@parlance/config';
import { passwordVariableOf, serviceUsers, userOfProcess } from '@parlance/messaging';
import { writeSecrets } from '@parlance/provision';
import { type ComposeFile, parseCompose } from './compose-file.js';
import { processes } from './processes.js';
import { interpolate, variablesIn } from './testing/interpolate.js';

type Variables = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const parse = (...paths: readonly string[]): ComposeFile => {
  const { file, problems } = parseCompose(...paths.map(read));
  if (file === undefined) throw new Error(problems.join('; '));
  return file;
};
const single = parse('docker-compose.yml');
const cluster = parse('docker-compose.yml', 'deploy/compose/compose.production.yml');
const earlier = variablesIn(read('tools/compose/src/testing/fixtures/before-root-secret.env'));

const folders: string[] = [];
let volumes = '';
beforeEach(() => {
  volumes = mkdtempSync(join(tmpdir(), 'parlance-volumes-'));
  folders.push(volumes);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const inVolume = (path: string): string => readFileSync(join(volumes, path), 'utf8');

/** The environment of a container; the volume with the root secret is a folder here. */
const environmentOf = (compose: ComposeFile, name: string, dotEnv: Variables): Variables => {
  const given = Object.entries(compose.services[name]?.environment ?? {}).map(
    ([variable, value]) => [variable, interpolate(String(value ?? ''), dotEnv)] as const,
  );
  const environment = Object.fromEntries(given);
  const file = environment.ROOT_SECRET_FILE?.replace('/run/parlance', join(volumes, 'platform'));
  return { ...environment, ...(file === undefined ? {} : { ROOT_SECRET_FILE: file }) };
};

const start = (compose: ComposeFile, dotEnv: Variables): ReadonlyMap<string, Variables> => {
  writeSecrets(volumes, environmentOf(compose, 'secrets', dotEnv));
  return new Map(
    processes.map(({ name, env }) => {
      const parsed = loadProcessEnv(env, environmentOf(compose, name, dotEnv));
      const written = Object.entries(parsed).flatMap(([variable, value]) => {
        const text = writtenKey(value);
        return text === undefined ? [] : [[variable, text] as const];
      });
      return [name, Object.fromEntries(written)];
    }),
  );
};

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('expected a refusal');
};

const without = (variables: Variables, ...names: readonly string[]): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));

const passwordIn = (url = ''): string => new URL(url.split(',')[0] ?? '').password;

/** What engines take from their files has to be what processes sign in with. */
const expectAgreement = (environments: ReadonlyMap<string, Variables>): void => {
  const provision = environments.get('provision') ?? {};
  const nats = variablesIn(inVolume('nats/env'));
  for (const [name, environment] of environments) {
    if (name !== 'provision')
      expect(passwordIn(environment.POSTGRES_URL)).toBe(
        provision[`${name.toUpperCase().replaceAll('-', '_')}_DATABASE_PASSWORD`],
      );
    if (environment.NATS_URL !== undefined)
      expect(nats[passwordVariableOf(userOfProcess(name))]).toBe(`'"${passwordIn(environment.NATS_URL)}"'`);
    if (environment.CALLER_PRIVATE_KEY !== undefined)
      expect(environment.CALLER_PUBLIC_KEYS?.split(',')).toContain(
        callerPublicKeysOf({ [name]: environment.CALLER_PRIVATE_KEY }),
      );
    if (environment.LIVEKIT_API_SECRET !== undefined)
      expect(inVolume('livekit/env')).toContain(`LIVEKIT_API_SECRET='${environment.LIVEKIT_API_SECRET}'`);
    if (environment.OBJECT_STORAGE_SECRET_ACCESS_KEY !== undefined)
      expect(variablesIn(inVolume('s3/env'))).toEqual({
        ROOT_ACCESS_KEY_ID: `'${environment.OBJECT_STORAGE_ACCESS_KEY_ID}'`,
        ROOT_SECRET_ACCESS_KEY: `'${environment.OBJECT_STORAGE_SECRET_ACCESS_KEY}'`,
      });
  }
  expect(passwordIn(provision.POSTGRES_ADMIN_URL)).toBe(inVolume('postgres/password'));
  expect(passwordIn(environments.get('calls-logs')?.MONGODB_URL)).toBe(inVolume('mongodb/password'));
};

describe('docker compose up without a .env', () => {
  it.each([
    ['one NATS server', single],
    ['three NATS servers', cluster],
  ])('gives every process and every engine matching credentials, with %s', (_, compose) => {
    const environments = start(compose, {});
    expect(environments.size).toBe(11);
    expectAgreement(environments);
    const keks = new Set(
      [...environments.values()].flatMap(({ KEK, KEK_ID }) => (KEK ? [`${KEK_ID} ${KEK}`] : [])),
    );
    expect(keks.size).toBe(1);
  });

  it('makes another root secret in every installation, keeps it, and lets nobody else read it', () => {
    const first = start(single, {});
    const secret = inVolume('platform/root-secret');
    expect(start(single, {})).toEqual(first);
    expect(inVolume('platform/root-secret')).toBe(secret);
    expect(statSync(join(volumes, 'platform/root-secret')).mode & 0o777).toBe(0o600);
    volumes = mkdtempSync(join(tmpdir(), 'parlance-volumes-'));
    folders.push(volumes);
    start(single, {});
    expect(inVolume('platform/root-secret')).not.toBe(secret);
  });

  it('derives everything from one root secret when two runs make one at once', () => {
    let isFirst = true;
    const overtaken = {
      get NATS_SERVERS() {
        if (isFirst) {
          isFirst = false;
          writeSecrets(volumes, {});
        }
        return '1';
      },
    };
    writeSecrets(volumes, overtaken);
    const [secret, password] = [inVolume('platform/root-secret'), inVolume('redis/env')];
    writeSecrets(volumes, {});
    expect([inVolume('platform/root-secret'), inVolume('redis/env')]).toEqual([secret, password]);
  });

  it('takes a root secret of .env, and refuses another one later in one sentence', () => {
    const ROOT_SECRET = '0f'.repeat(32);
    start(single, { ROOT_SECRET });
    expect(inVolume('platform/root-secret')).toBe(ROOT_SECRET);
    const changed = ROOT_SECRET.replace('0f', '1f');
    const refusal = refusalOf(() => start(single, { ROOT_SECRET: changed }));
    expect(refusal).toMatch(
      /^ROOT_SECRET is not the root secret that this installation was started with: restore/,
    );
    expect(refusal).not.toContain(changed);
    expect(inVolume('platform/root-secret')).toBe(ROOT_SECRET);
  });

  it('refuses a root secret that was damaged on its volume by one character, and one of another length', () => {
    start(single, {});
    const secret = inVolume('platform/root-secret');
    const last = secret.endsWith('0') ? '1' : '0';
    writeFileSync(join(volumes, 'platform/root-secret'), secret.slice(0, -1) + last);
    expect(refusalOf(() => start(single, {}))).toContain('restore that one from your backup');
    writeFileSync(join(volumes, 'platform/root-secret'), secret.slice(1));
    expect(refusalOf(() => start(single, {}))).toContain('ROOT_SECRET_FILE does not hold a root secret');
  });

  it('uses a value that is set later, at the process and at the engine', () => {
    const before = start(single, {});
    const WIDGETS_NATS_PASSWORD = 'chosenbytheoperator';
    const after = start(single, { WIDGETS_NATS_PASSWORD });
    expect(passwordIn(after.get('widgets')?.NATS_URL)).toBe(WIDGETS_NATS_PASSWORD);
    expect(after.get('gateway')).toEqual(before.get('gateway'));
    expectAgreement(after);
  });
});

describe('a .env of before the root secret', () => {
  const upgrade = (dotEnv: Variables) => start(cluster, dotEnv);

  it('keeps every credential that it sets', () => {
    const environments = upgrade(earlier);
    expectAgreement(environments);
    const used = new Set<string>();
    for (const [name, environment] of environments)
      for (const [variable, value] of Object.entries(environment)) {
        const prefix = name.toUpperCase().replaceAll('-', '_');
        const set = variable === 'CALLER_PRIVATE_KEY' ? `${prefix}_CALLER_PRIVATE_KEY` : variable;
        if (earlier[set] === undefined) continue;
        expect([variable, value]).toEqual([variable, earlier[set]]);
        used.add(set);
      }
    expect([...used]).toEqual(expect.arrayContaining(['KEK', 'KEK_ID', 'AUTH_SECRET', 'CALLER_PUBLIC_KEYS']));
    const nats = inVolume('nats/env');
    for (const { name } of serviceUsers) expect(nats).toContain(earlier[passwordVariableOf(name)]);
    expect(nats).toContain(earlier.NATS_CLUSTER_PASSWORD);
    expect(inVolume('postgres/password')).toBe(earlier.POSTGRES_ADMIN_PASSWORD);
    expect(inVolume('mongodb/root-password')).toBe(earlier.MONGODB_ROOT_PASSWORD);
    expect(inVolume('mongodb/replica-key')).toBe(earlier.MONGODB_REPLICA_KEY);
    expect(inVolume('redis/env')).toContain(earlier.REDIS_PASSWORD);
  });

  it('makes no process depend on the root secret', () => {
    for (const environment of upgrade(earlier).values()) expect(environment.ROOT_SECRET).toBeUndefined();
  });

  it('that has lost values is refused with their names, before anything is written', () => {
    const refusal = refusalOf(() => upgrade(without(earlier, 'KEK', 'QUOTE_KEY')));
    expect(refusal).toMatch(/^\.env sets \d+ credentials and not KEK, QUOTE_KEY: restore what is missing/);
    expect(existsSync(join(volumes, 'platform'))).toBe(false);
  });

  it('is not started with one NATS server, whose volume is empty, unless that is wanted', () => {
    expect(refusalOf(() => start(single, earlier))).toContain(
      'COMPOSE_FILE=docker-compose.yml:deploy/compose/compose.production.yml',
    );
    expectAgreement(start(single, without(earlier, 'NATS_CLUSTER_PASSWORD')));
  });
});
