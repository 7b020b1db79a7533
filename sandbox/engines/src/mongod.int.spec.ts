// A MongoDB server that is installed is started as any other engine. This machine may have none, so a program with its
// name and its options stands in for the binary. The program runs the stand-in.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startMongod } from './mongod.js';
import { freePort, reachable } from './ports.js';

const standIn = fileURLToPath(new URL('../../fakes/mongodb/dist/main.js', import.meta.url));
const program = `#!${process.execPath}
const of = (name) => process.argv[process.argv.indexOf(name) + 1];
if (of('--bind_ip') !== '127.0.0.1') process.exit(2);
process.argv = [...process.argv.slice(0, 2), '--data-dir', of('--dbpath'), '--port', of('--port')];
import(${JSON.stringify(standIn)});
`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-mongod-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('listens on loopback when it is ready, and is gone when it is stopped', async () => {
  const binary = join(directory, 'mongod');
  writeFileSync(binary, program);
  chmodSync(binary, 0o755);
  const port = await freePort();
  const { url, stop } = await startMongod({
    binary,
    port,
    dataDir: join(directory, 'data'),
    logFile: join(directory, 'mongod.log'),
  });
  expect(url).toBe(`mongodb://127.0.0.1:${port}`);
  await reachable(port);
  await stop();
  await expect(reachable(port)).rejects.toThrow();
});
