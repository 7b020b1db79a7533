import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  baseEnv,
  ConfigError,
  callerEnv,
  cryptoEnv,
  cursorEnv,
  eventStoreEnv,
  loadEnv,
  loadProcessEnv,
  mongoEnv,
  natsEnv,
  postgresEnv,
  Secret,
  secret,
} from './index.js';

const canary = 'canary-9f3d1c';
const realKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');

const failure = (run: () => unknown): ConfigError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('expected a ConfigError');
};

describe('Secret', () => {
  it('shows itself as [secret] in text, JSON, templates and inspection, and gives its value to reveal only', () => {
    const value = new Secret(canary);
    const shown = [
      String(value),
      JSON.stringify({ value }),
      `${value}`,
      inspect({ value }),
      inspect(new Error('x', { cause: value })),
    ];
    for (const text of shown) {
      expect(text).toContain('[secret]');
      expect(text).not.toContain(canary);
    }
    expect(Object.values(value)).toEqual([]);
    expect(value.reveal()).toBe(canary);
  });
});

describe('loadEnv', () => {
  it('gives a frozen object with defaults, numbers and secrets', () => {
    const env = loadEnv(z.object({ ...baseEnv, ...postgresEnv }), {
      POSTGRES_URL: 'postgres://x',
      POSTGRES_POOL_MAX: '4',
      OTHER: '1',
    });
    expect(env).toMatchObject({ NODE_ENV: 'production', LOG_LEVEL: 'info', POSTGRES_POOL_MAX: 4 });
    expect(env.POSTGRES_URL.reveal()).toBe('postgres://x');
    expect(Object.isFrozen(env)).toBe(true);
    expect(env).not.toHaveProperty('OTHER');
  });

  it('refuses a setting that the event store client would ignore, and names the one to use', () => {
    const schema = z.object(eventStoreEnv);
    const url = `esdb://ops:${canary}@es:2113?tls=true`;
    const error = failure(() => loadEnv(schema, { EVENTSTORE_URL: `${url}&tlsverifycert=false` }));
    expect(error.message).toContain('tlsCAFile');
    expect(error.message).not.toContain(canary);
    const tlsCAFile = { EVENTSTORE_URL: `${url}&tlsCAFile=/etc/ca.crt` };
    expect(loadEnv(schema, tlsCAFile).EVENTSTORE_URL.reveal()).toContain('ca.crt');
  });

  it.each([
    ['POSTGRES_URL', 'postgres://gateway:changeme@127.0.0.1/parlance'],
    ['EVENTSTORE_URL', 'esdb://admin:changeit@es:2113?tls=true'],
    ['MONGODB_URL', 'mongodb://parlance:CHANGE_ME@mongo:27017/?replicaSet=rs0'],
    ['NATS_URL', 'nats://parlance:changeme@nats-1:4222,nats://nats-2:4222'],
  ])('refuses the example password of %s', (name, url) => {
    const schema = z.object({ ...postgresEnv, ...eventStoreEnv, ...mongoEnv, ...natsEnv });
    const problems = failure(() => loadEnv(schema, { [name]: url })).problems;
    expect(problems.find(({ variable }) => variable === name)?.problem).toContain('not a placeholder');
    const real = failure(() => loadEnv(schema, { [name]: url.replace(/:change.?(me|it)@/i, ':b1f0c2e7@') }));
    expect(real.problems.map(({ variable }) => variable)).not.toContain(name);
  });

  it('names every bad variable at once and never a value', () => {
    const schema = z.object({
      ...natsEnv,
      ...callerEnv,
      ...postgresEnv,
      ...cryptoEnv,
      ECHO: z.string().refine(() => false, { error: (issue) => `bad value ${String(issue.input)}` }),
    });
    const error = failure(() =>
      loadEnv(schema, {
        NATS_URL: `ftp://${canary}`,
        CALLER_PRIVATE_KEY: canary,
        CALLER_PUBLIC_KEYS: `gateway:${canary}`,
        CALLER_SIGNING_KEY: canary,
        POSTGRES_POOL_MAX: canary,
        KEK_ID: `${canary}!`,
        KEK: canary,
        ECHO: canary,
      }),
    );
    expect(error.problems.map(({ variable }) => variable).sort()).toEqual(
      [
        'CALLER_PRIVATE_KEY',
        'CALLER_PUBLIC_KEYS',
        'CALLER_SIGNING_KEY',
        'ECHO',
        'KEK',
        'KEK_ID',
        'NATS_URL',
        'POSTGRES_POOL_MAX',
        'POSTGRES_URL',
      ].sort(),
    );
    expect(error.message).toContain('POSTGRES_URL is missing');
    expect(inspect(error)).not.toContain(canary);
  });

  it('takes the servers of a cluster as a list, and refuses it for one that is not a NATS server', () => {
    const load = (NATS_URL: string) =>
      loadEnv(z.object({ NATS_URL: natsEnv.NATS_URL }), { NATS_URL }).NATS_URL;
    const list = 'nats://user:password@a:4222,nats://b:4222, nats://c:4222';
    expect(load(list)).toBe(list);
    expect(() => load('nats://a:4222,http://b')).toThrow(ConfigError);
    expect(() => load('nats://a:4222,')).toThrow(ConfigError);
  });

  it('tells the command that makes a value, where there is one', () => {
    const { message } = failure(() => loadEnv(z.object(cryptoEnv), { KEK: 'short' }));
    expect(message).toContain('KEK is not valid (32 random bytes in base64): make one with `openssl rand');
    expect(message).toContain('KEK_ID is missing: make one with `date +kek-%Y-%m-%d`');
  });

  it('counts an empty variable as absent', () => {
    expect(failure(() => loadEnv(z.object(cursorEnv), { CURSOR_KEY: '' })).message).toContain(
      'CURSOR_KEY is missing',
    );
    expect(loadEnv(z.object(baseEnv), { LOG_LEVEL: '' }).LOG_LEVEL).toBe('info');
  });

  it('reports a rule over the whole environment', () => {
    const schema = z.object({ A: z.string().optional() }).refine(() => false, 'A or B is needed');
    expect(failure(() => loadEnv(schema, {})).message).toContain(
      'environment is not valid (A or B is needed)',
    );
  });
});

describe('loadProcessEnv', () => {
  it('refuses what is wrong and what no process reads in one message', () => {
    const { problems } = failure(() =>
      loadProcessEnv(z.object(baseEnv), { LOG_LEVEL: 'loud', LOG_LEVL: canary }),
    );
    expect(problems.map(({ variable }) => variable)).toEqual(['LOG_LEVEL', 'LOG_LEVL']);
  });

  it('takes a variable of another process, and of another program', () => {
    const other = { CURSOR_KEY: canary, EDITOR: 'ed' };
    expect(loadProcessEnv(z.object(baseEnv), other)).toMatchObject({ LOG_LEVEL: 'info' });
  });
});

describe('keys', () => {
  it.each([
    ['short', Buffer.alloc(31, 'ab').toString('base64')],
    ['long', Buffer.alloc(33, 'ab').toString('base64')],
    ['constant', Buffer.alloc(32).toString('base64')],
    ['not base64', '!'.repeat(44)],
  ])('refuses a key that is %s', (_, KEK) => {
    expect(failure(() => loadEnv(z.object(cryptoEnv), { KEK_ID: 'k1', KEK })).problems).toHaveLength(1);
  });

  it('accepts 32 bytes', () => {
    expect(loadEnv(z.object(cryptoEnv), { KEK_ID: 'k1', KEK: realKey }).KEK.reveal()).toBe(realKey);
  });

  it('refuses a secret that is a placeholder or shorter than its least length in bytes', () => {
    const schema = z.object({ KEY: secret(32) });
    expect(failure(() => loadEnv(schema, { KEY: 'changeme'.repeat(8) })).message).toContain('placeholder');
    expect(failure(() => loadEnv(schema, { KEY: 'a'.repeat(31) })).message).toContain('at least 32 bytes');
    expect(loadEnv(schema, { KEY: 'é'.repeat(16) }).KEY.reveal()).toHaveLength(16);
  });
});
