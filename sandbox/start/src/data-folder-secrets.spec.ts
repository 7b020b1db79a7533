import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callerPublicKeysOf, cryptoEnv, loadEnv } from '@parlance/config';
import { z } from 'zod';
import { DataFolder } from './data-folder.js';
import { callerVariables, secretsOfRun, secretVariables } from './shared-settings.js';

const fixture = fileURLToPath(new URL('testing/fixtures/before-root-secret/', import.meta.url));
const folders: string[] = [];
let path = '';
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'parlance-folder-'));
  folders.push(path);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const file = () => join(path, 'secrets.json');
const written = (): Record<string, unknown> => JSON.parse(readFileSync(file(), 'utf8'));

describe('a new data folder', () => {
  it('keeps one secret, for its owner alone, and derives the same values at every start', () => {
    const secrets = new DataFolder(path).secrets();
    expect(Object.keys(written())).toEqual(['rootSecret']);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(new DataFolder(path).secrets()).toEqual(secrets);
    expect(new Set(Object.values(secrets).map(String)).size).toBe(Object.keys(secrets).length);
  });

  it('has the keys that a process derives from the same root secret', () => {
    const secrets = new DataFolder(path).secrets();
    const env = loadEnv(z.object(cryptoEnv), { ROOT_SECRET: secrets.rootSecret });
    expect([secrets.kekId, secrets.kek]).toEqual([env.KEK_ID, env.KEK.reveal()]);
    const { CALLER_PRIVATE_KEY = '', CALLER_PUBLIC_KEYS = '' } = callerVariables(secrets, 'calls-logs');
    expect(CALLER_PUBLIC_KEYS.split(',')).toContain(callerPublicKeysOf({ 'calls-logs': CALLER_PRIVATE_KEY }));
  });

  it('takes a root secret of the environment, and refuses another one later', () => {
    const ROOT_SECRET = '0123456789abcdef'.repeat(4);
    expect(new DataFolder(path).secrets({ ROOT_SECRET }).rootSecret).toBe(ROOT_SECRET);
    const other = { ROOT_SECRET: ROOT_SECRET.replace('0', '1') };
    expect(() => new DataFolder(path).secrets(other)).toThrow('restore rootSecret in its secrets.json');
    expect(() => new DataFolder(path).secrets({ ROOT_SECRET: 'short' })).toThrow(
      'ROOT_SECRET does not hold a root secret',
    );
  });

  it.each([
    [
      'changed by one character',
      (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0'),
    ],
    ['of the wrong length', (secret: string) => secret.slice(1)],
  ])('refuses a root secret %s in one sentence', (_, damage) => {
    const { rootSecret } = new DataFolder(path).secrets();
    writeFileSync(file(), JSON.stringify({ rootSecret: damage(rootSecret) }));
    expect(() => new DataFolder(path).secrets()).toThrow(
      `The root secret is not the one that ${path} was begun with: restore rootSecret in its secrets.json from your backup`,
    );
  });
});

describe('a data folder of before the root secret', () => {
  beforeEach(() => cpSync(fixture, path, { recursive: true }));

  it('keeps every secret that it has, and its state', () => {
    const before = written();
    const folder = new DataFolder(path);
    const secrets = folder.secrets();
    expect(secrets).toMatchObject(before);
    expect(written()).toEqual({ ...before, rootSecret: secrets.rootSecret });
    expect(folder.state()).toMatchObject({ ports: { gateway: 4700 }, mongo: 'stand-in' });
    expect(secretVariables(secretsOfRun(secrets, {}))).toMatchObject({
      KEK: before.kek,
      KEK_ID: before.kekId,
      AUTH_SECRET: before.authSecret,
      WEBHOOK_SIGNING_KEY: before.webhookSigningKey,
    });
  });

  it('gets a key for a service that was added since, which stays', () => {
    const { callerPrivateKeys, ...rest } = new DataFolder(path).secrets();
    const { widgets: _, ...earlier } = callerPrivateKeys;
    writeFileSync(file(), JSON.stringify({ ...rest, callerPrivateKeys: earlier }));
    const { callerPrivateKeys: later } = new DataFolder(path).secrets();
    expect(later).toMatchObject(earlier);
    expect(later.widgets).toHaveLength(callerPrivateKeys.widgets?.length ?? 0);
    expect(new DataFolder(path).secrets().callerPrivateKeys).toEqual(later);
  });

  it('that lacks a secret of today gets one that stays', () => {
    const { practiceToken: _, ...earlier } = written();
    writeFileSync(file(), JSON.stringify(earlier));
    const { practiceToken } = new DataFolder(path).secrets();
    expect(practiceToken).toHaveLength(32);
    expect(new DataFolder(path).secrets().practiceToken).toBe(practiceToken);
  });
});
