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

  const port = 'PORT';
  it.each([
    ['node:net', `require('node:net').connect(${port}, '127.0.0.1')`],
    ['a module without prefix', `require('http').get('http://127.0.0.1:${port}')`],
    ['an import', `(await import('node:tls')).connect(${port}, '127.0.0.1')`],
    ['a module of the inside', `require('_http_client')`],
    ['the loader', `require('node:module')._load('node:net').connect(${port}, '127.0.0.1')`],
    [
      'a require of its own',
      `require('node:module').createRequire('/a/b.js')('dgram').createSocket('udp4').send('x', ${port}, '127.0.0.1')`,
    ],
    ['getBuiltinModule', `process.getBuiltinModule('net').connect(${port}, '127.0.0.1')`],
    ['a look-up of a name', `await require('node:dns').promises.lookup('example.com')`],
    ['bindings', `new (process.binding('tcp_wrap').TCP)(0)`],
    ['the socket of standard output', `new process.stdout.constructor().connect(${port}, '127.0.0.1')`],
    [
      'what fetch was',
      `if (globalThis.fetch ?? globalThis.WebSocket ?? globalThis.EventSource) await fetch('http://127.0.0.1:${port}'); throw Object.assign(new Error(), { code: 'ERR_ACCESS_DENIED' })`,
    ],
  ])('opens no connection through %s', async (_, code) => {
    const server = createServer().listen(0, '127.0.0.1');
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const real = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await outcome(code.replaceAll(port, String(real)))).toBe('ERR_ACCESS_DENIED');
    expect(connections).toBe(0);
    server.close();
  });
});
