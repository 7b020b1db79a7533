// A process as the image runs it: its bundle, or its modules where its spans are wanted.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { root } from './testing/command.js';

let engines: TestEngines;
beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(() => engines.stop());

/** Its output until it serves, or ends by itself. */
const outputUntilServing = async (
  database: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> => {
  const { url } = await engines.databaseFor(database);
  const child = spawn('sh', ['deploy/image/entrypoint.sh', 'mcp-facade'], {
    cwd: fileURLToPath(root),
    env: {
      ...{ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, POSTGRES_URL: url.reveal(), MCP_PORT: '0' },
      ...{ GATEWAY_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:1' },
      MCP_CONFIRMATION_KEY: randomBytes(32).toString('base64'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('"msg":"serving"')) child.kill('SIGKILL');
  }
  await gone;
  return output;
};

const isTraced = /@opentelemetry\/instrumentation-pg/;

it('a process whose spans are wanted traces the drivers that it loads', async () => {
  const output = await outputUntilServing('image-traced', { OTEL_TRACES_EXPORTER: 'console' });
  expect(output).toContain('"msg":"serving"');
  expect(output).toMatch(isTraced);
});

it('a process without wanted spans runs its bundle, and traces nothing', async () => {
  const output = await outputUntilServing('image-untraced', {});
  expect(output).toContain('"msg":"serving"');
  expect(output).not.toMatch(isTraced);
});

it('a wrong variable of the telemetry is refused in one line, before anything is loaded', async () => {
  const output = await outputUntilServing('image-refused', { OTEL_TRACES_EXPORTER: 'a place of my own' });
  expect(output.trim().split('\n')).toEqual([expect.stringContaining('OTEL_TRACES_EXPORTER')]);
});
