// Copies of one process, started as the image starts them, as `npm test` has built them. A copy with another key than
// the others would refuse their sealed data, so it does not start.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { fingerprintsOf } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const Line = z.looseObject({ level: z.string(), msg: z.string(), reason: z.string().optional() });

let engines: TestEngines;
const running: ChildProcess[] = [];

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(() => engines.stop());
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }),
  );
});

const key = () => randomBytes(32).toString('base64');

/** Resolves with `serving`, or with the one line in which the process says why it ended. */
const startCopy = async (postgresUrl: string, variables: Readonly<Record<string, string>>) => {
  const child = spawn('sh', ['deploy/image/entrypoint.sh', 'mcp-facade'], {
    cwd: root,
    env: {
      ...{ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, POSTGRES_URL: postgresUrl, MCP_PORT: '0' },
      ...{ GATEWAY_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:1' },
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const exit = once(child, 'exit');
  for await (const text of createInterface({ input: child.stdout })) {
    const { level, msg, reason } = Line.parse(JSON.parse(text));
    if (msg === 'serving') return 'serving';
    if (level === 'fatal') {
      expect(await exit).toEqual([1, null]);
      return reason ?? msg;
    }
  }
  throw new Error('the process ended without a word');
};

it('a copy with another key is refused in one line with the way out, and starts where the key is accepted', async () => {
  const { url } = await engines.databaseFor('mcp-facade');
  const [first, other] = [{ MCP_CONFIRMATION_KEY: key() }, { MCP_CONFIRMATION_KEY: key() }];
  expect(await startCopy(url.reveal(), first)).toBe('serving');
  expect(await startCopy(url.reveal(), first)).toBe('serving');

  const reason = await startCopy(url.reveal(), other);
  const acceptance = fingerprintsOf(other).map(({ acceptedAs }) => acceptedAs)[0] ?? '';
  expect(reason).toMatch(
    /^MCP_CONFIRMATION_KEY is not the key that the copies before had: give this copy theirs/,
  );
  expect(reason).toContain(`set ACCEPT_NEW_KEYS=${acceptance}, and then`);
  for (const { MCP_CONFIRMATION_KEY } of [first, other]) expect(reason).not.toContain(MCP_CONFIRMATION_KEY);

  expect(await startCopy(url.reveal(), { ...other, ACCEPT_NEW_KEYS: acceptance })).toBe('serving');
  expect(await startCopy(url.reveal(), first)).toMatch(/^MCP_CONFIRMATION_KEY is not the key/);
});

it('of two first copies with different keys that start together, one serves and the other is refused', async () => {
  const { url } = await engines.databaseFor('mcp-facade-2');
  const ends = await Promise.all(
    [key(), key()].map((MCP_CONFIRMATION_KEY) => startCopy(url.reveal(), { MCP_CONFIRMATION_KEY })),
  );
  expect(ends.sort()).toEqual([expect.stringMatching(/^MCP_CONFIRMATION_KEY is not the key/), 'serving']);
});
