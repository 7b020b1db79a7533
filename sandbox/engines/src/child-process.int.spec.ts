import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Child, startChild } from './child-process.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-child-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const start = (program: string): Promise<Child> =>
  startChild({
    name: 'a child',
    command: [process.execPath, '--eval', program],
    logFile: join(folder, 'child.log'),
    ipc: true,
  });

it('a child that refuses to start tells its reason', async () => {
  const refusing = `process.send({ refusal: 'PORT is not valid' }, () => process.exit(1));`;
  await expect(start(refusing)).rejects.toThrow(/^PORT is not valid$/);
});

it('a child that ends without a reason points to its log', async () => {
  await expect(start('process.exit(1)')).rejects.toThrow(/^a child did not start; see .*child\.log$/);
});

it('a child without a probe is ready at its first message', async () => {
  const child = await start(`process.send('ready'); setInterval(() => undefined, 1_000);`);
  expect(child.pid()).toBeGreaterThan(0);
  await child.stop();
});
