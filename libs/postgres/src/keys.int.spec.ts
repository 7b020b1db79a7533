// Copies of a process that have different keys would refuse each other's work at random. The first copy leaves fingerprints, and every
// other copy is held to them.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  acceptKeysEnv,
  baseEnv,
  callerPublicKeysOf,
  cryptoEnv,
  cursorEnv,
  fingerprintsOf,
  loadEnv,
  newCallerPrivateKey,
  newRootSecret,
  StartRefusal,
} from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { z } from 'zod';
import {
  agreeOnKeys,
  createDatabase,
  type Database,
  migrate,
  refuseOtherRootSecret,
  storedFingerprints,
} from './index.js';

const empty = mkdtempSync(join(tmpdir(), 'parlance-keys-'));

let engines: TestEngines;
let db: Database;
const open: Database[] = [];

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.end()));
  await engines.stop();
  rmSync(empty, { recursive: true });
});

let services = 0;
beforeEach(async () => {
  services += 1;
  const { url } = await engines.databaseFor(`keys-${services}`);
  db = createDatabase({ url, applicationName: 'test', max: 8 });
  open.push(db);
  await migrate(db, { directory: pathToFileURL(`${empty}/`), framework: true });
});

const key = () => randomBytes(32).toString('base64');
const start = (variables: Readonly<Record<string, string>>, accepted: readonly string[] = []) =>
  agreeOnKeys(db, { ...variables, ACCEPT_NEW_KEYS: accepted });
const acceptanceOf = (variables: Readonly<Record<string, string>>): readonly string[] =>
  fingerprintsOf(variables).map(({ acceptedAs }) => acceptedAs);

describe('a copy', () => {
  it('with the keys of the copies before starts, and no key is in the database', async () => {
    const keys = { AUTH_SECRET: key(), CURSOR_KEY: key() };
    await start(keys);
    await start(keys);
    const { rows } = await db.query('select * from key_fingerprints');
    expect(rows).toHaveLength(2);
    for (const value of Object.values(keys)) expect(JSON.stringify(rows)).not.toContain(value);
  });

  it('with another key is refused, with every such key in one line, and changes nothing', async () => {
    const keys = { AUTH_SECRET: key(), CURSOR_KEY: key(), QUOTE_KEY: key() };
    await start(keys);
    const before = await storedFingerprints(db);
    const other = { ...keys, AUTH_SECRET: key(), QUOTE_KEY: key(), MCP_CONFIRMATION_KEY: key() };
    const refusal = await start(other).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefusal);
    expect(String(refusal)).toMatch(/AUTH_SECRET is not the key.*; QUOTE_KEY is not the key/);
    expect(String(refusal)).not.toMatch(/CURSOR_KEY|MCP_CONFIRMATION_KEY is not|\n/);
    for (const value of Object.values(other)) expect(String(refusal)).not.toContain(value);
    expect(await storedFingerprints(db)).toEqual(before);
  });

  it('that gives the key before as the previous one exchanges it, and the key before is refused then', async () => {
    const [before, after] = [key(), key()];
    await start({ WEBHOOK_SIGNING_KEY: before });
    await start({ WEBHOOK_SIGNING_KEY: after, WEBHOOK_SIGNING_KEY_PREVIOUS: before });
    await start({ WEBHOOK_SIGNING_KEY: after });
    await expect(start({ WEBHOOK_SIGNING_KEY: before })).rejects.toThrow(StartRefusal);
    await expect(start({ WEBHOOK_SIGNING_KEY: key(), WEBHOOK_SIGNING_KEY_PREVIOUS: key() })).rejects.toThrow(
      'WEBHOOK_SIGNING_KEY_PREVIOUS',
    );
  });

  it('exchanges a key that was accepted, and no other one', async () => {
    const after = { AUTH_SECRET: key() };
    await start({ AUTH_SECRET: key() });
    await expect(start({ AUTH_SECRET: key() }, acceptanceOf(after))).rejects.toThrow(StartRefusal);
    await start(after, acceptanceOf(after));
    await start(after);
  });

  it('with a process more in its list of public keys starts, and with another key of a process does not', async () => {
    const [gateway, widgets] = [newCallerPrivateKey(), newCallerPrivateKey()];
    const list = (keys: Record<string, string>) => ({ CALLER_PUBLIC_KEYS: callerPublicKeysOf(keys) });
    await start(list({ gateway }));
    await start(list({ gateway, widgets }));
    await start(list({ gateway }));
    const other = list({ gateway: newCallerPrivateKey(), widgets: newCallerPrivateKey() });
    await expect(start(other)).rejects.toThrow(
      /CALLER_PUBLIC_KEYS gateway is not.*CALLER_PUBLIC_KEYS widgets/,
    );
    await start(other, acceptanceOf(other));
    await start(other);
  });
});

describe('a root secret', () => {
  const Process = z.object({ ...baseEnv, ...acceptKeysEnv, ...cryptoEnv, ...cursorEnv });
  const secret = newRootSecret();
  const changed = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  const envOf = (ROOT_SECRET: string, ACCEPT_NEW_KEYS = '') =>
    loadEnv(Process, { ROOT_SECRET, ACCEPT_NEW_KEYS });
  const refusal =
    /^ROOT_SECRET is not the root secret that this installation was started with: restore that one from your backup; [^;]*$/;

  it('changed by one character is refused in one sentence, and no fingerprint changes', async () => {
    await agreeOnKeys(db, envOf(secret));
    const before = await storedFingerprints(db);
    await expect(agreeOnKeys(db, envOf(changed))).rejects.toThrow(refusal);
    expect(await storedFingerprints(db)).toEqual(before);
    await agreeOnKeys(db, envOf(secret));
  });

  it('is refused before provisioning replaces passwords, unless it was accepted', async () => {
    const schemas = ['public', 'no_such_schema'];
    const { rows } = await db.query<{ schema: string }>('select current_schema() as schema');
    const all = [...schemas, ...rows.map(({ schema }) => schema)];
    await refuseOtherRootSecret(db, all, envOf(changed));
    await agreeOnKeys(db, envOf(secret));
    await refuseOtherRootSecret(db, all, envOf(secret));
    await expect(refuseOtherRootSecret(db, all, envOf(changed))).rejects.toThrow(refusal);
    const [accepted = ''] = acceptanceOf({ ROOT_SECRET: changed });
    await refuseOtherRootSecret(db, all, envOf(changed, accepted));
  });
});

it('copies with different keys that start together for the first time agree on the keys of one of them', async () => {
  const keys = Array.from({ length: 4 }, () => ({ AUTH_SECRET: key(), CURSOR_KEY: key(), KEK: key() }));
  const copies = [...keys, ...keys];
  const ends = await Promise.allSettled(copies.map((variables) => start(variables)));
  const started = copies.filter((_, copy) => ends[copy]?.status === 'fulfilled');
  expect(started).toHaveLength(2);
  expect(new Set(started).size).toBe(1);
  const stored = await storedFingerprints(db);
  for (const { name, fingerprint } of fingerprintsOf(started[0] ?? {}))
    expect(stored.get(name)).toBe(fingerprint);
});
