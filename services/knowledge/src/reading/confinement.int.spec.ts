// What code in a reading process can do on the machine: nothing. The programs here have the options of the real one, and stand for a
// parser with a hole in it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { confined } from './confinement.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../dist/reading/child.js', import.meta.url));
const { execArgv, watchesItself } = confined(program);
const folder = mkdtempSync(join(tmpdir(), 'parlance-confined-'));
const secret = join(folder, 'tls.key');

beforeAll(() => writeFileSync(secret, 'a private key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the code prints, in a process with the options of the reading program. */
const outcome = async (code: string): Promise<string> => {
  const wrapped = `(async () => { ${code} })().then((value) => console.log('did it:', value), (error) => console.log(error.code));`;
  const { stdout } = await run(process.execPath, [...execArgv, '-e', wrapped], { env: {} });
  return stdout.trim();
};

describe('a process that reads documents', () => {
  it.each([
    [
      'reads no file but its code',
      `return require('node:fs').readFileSync(${JSON.stringify(secret)}, 'utf8')`,
    ],
    ['lists no folder', `return require('node:fs').readdirSync('/')`],
    ['reads nothing about other processes', `return require('node:fs').readFileSync('/proc/1/environ')`],
    ['writes no file', `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'new'))}, '')`],
    ['starts no process', `return require('node:child_process').execFileSync('/bin/true')`],
    ['loads no native code', `process.dlopen({ exports: {} }, '/lib/libc.so.6')`],
  ])('%s', async (_, code) => {
    expect(await outcome(code)).toMatch(/^ERR_(ACCESS_DENIED|DLOPEN_DISABLED)$/);
  });

  (watchesItself ? it.skip : it)('starts no thread, which would have no such limits', async () => {
    expect(await outcome(`new (require('node:worker_threads').Worker)('', { eval: true })`)).toBe(
      'ERR_ACCESS_DENIED',
    );
  });

  // Node.js 24 has no permission for the network.
  (process.allowedNodeEnvironmentFlags.has('--allow-net') ? it : it.skip)('opens no connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const code = `await new Promise((resolve, reject) => require('node:net').connect(${port}, '127.0.0.1', resolve).on('error', reject))`;
    expect(await outcome(code)).toBe('ERR_ACCESS_DENIED');
    server.close();
  });
});
