// The image's command `credentials`, for operators who give each process its own credentials and none the root secret.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type EnvSource, loadProcessEnv, writtenKey } from '@parlance/config';
import { z } from 'zod';
import { processes, secrets } from './processes.js';
import { variablesIn } from './testing/interpolate.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ROOT_SECRET = '0123456789abcdef'.repeat(4);

const print = (variables: EnvSource, ...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly output: string; readonly errors: string }>((resolve) => {
    const command = ['deploy/image/entrypoint.sh', 'credentials', ...args];
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
    execFile('sh', command, { cwd: root, env }, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors }),
    );
  });

const addresses = (database: string, nats: string, mongodb: string) => ({
  POSTGRES_URL: `postgres://calls_logs:${database}@postgres:5432/parlance`,
  NATS_URL: `nats://calls-logs:${nats}@nats-1:4222`,
  MONGODB_URL: `mongodb://parlance:${mongodb}@mongodb:27017/?replicaSet=rs0`,
  EVENTSTORE_URL: 'esdb://eventstore:2113?tls=false',
  OBJECT_STORAGE_ACCESS_KEY_ID: 'parlance',
  LIVEKIT_URL: 'http://livekit:7880',
  LIVEKIT_WS_URL: 'ws://127.0.0.1:7880',
});

const schemaOf = (process: string): z.ZodObject =>
  processes.find(({ name }) => name === process)?.env ?? z.object({});

const written = (env: object): readonly (readonly [string, string | undefined])[] =>
  Object.entries(env)
    .filter(([name]) => name !== 'ROOT_SECRET')
    .map(([name, value]) => [name, writtenKey(value)]);

describe('credentials', () => {
  it('of a process are all that it needs: it starts with the same values and without the root secret', async () => {
    const { code, output } = await print({ ROOT_SECRET }, 'calls-logs');
    expect(code).toBe(0);
    expect(output).not.toContain(ROOT_SECRET);
    const { CALLS_LOGS_DATABASE_PASSWORD, CALLS_LOGS_NATS_PASSWORD, MONGODB_PASSWORD, ...own } =
      variablesIn(output);
    const isolated = {
      ...own,
      ...addresses(
        CALLS_LOGS_DATABASE_PASSWORD ?? '',
        CALLS_LOGS_NATS_PASSWORD ?? '',
        MONGODB_PASSWORD ?? '',
      ),
    };
    const derived = loadProcessEnv(schemaOf('calls-logs'), { ROOT_SECRET, ...addresses('', '', '') });
    expect(written(loadProcessEnv(schemaOf('calls-logs'), isolated))).toEqual(written(derived));
  });

  it('of all are those of a complete .env, and a value that is set is printed as it is set', async () => {
    const QUOTE_KEY = 'a key of the operator, of 32 bytes and more';
    const printed = variablesIn((await print({ ROOT_SECRET, QUOTE_KEY }, 'all')).output);
    expect(printed.QUOTE_KEY).toBe(QUOTE_KEY);
    expect(() => loadProcessEnv(secrets.env, printed)).not.toThrow();
  });

  it.each([
    ['no process', { ROOT_SECRET }, ['billing'], 'there is no process \\"billing\\"'],
    ['no root secret', {}, ['gateway'], 'there is no root secret to derive from: set ROOT_SECRET'],
    ['a short root secret', { ROOT_SECRET: '0f' }, ['gateway'], 'ROOT_SECRET does not hold a root secret'],
  ])('are refused for %s, in one line', async (_, variables, args, reason) => {
    const { code, output, errors } = await print(variables, ...args);
    expect(code).toBe(1);
    const lines = (output + errors).trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(reason);
  });

  it('has help', async () => {
    expect(await print({}, '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('credentials <process> | all'),
    });
  });
});
