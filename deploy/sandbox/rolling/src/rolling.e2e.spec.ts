// A small rolling restart, with programs as the image runs them: each process is replaced once. `npm run rolling` is the large one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { present } from './processes/build.js';
import { run } from './run.js';
import { faultsOf } from './verdict.js';
import { startWorld, type World } from './world.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-rolling-'));
let world: World | undefined;
afterAll(async () => {
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const small = {
  rate: 10,
  calls: 4,
  visitors: 1,
  mcpClients: 1,
  warmUpSeconds: 2,
  quietSeconds: 1,
  atOnce: 2,
};

it('a rolling restart fails no request, breaks no stream, drops no call and loses no write', async () => {
  const onProgress = (): void => undefined;
  world = await startWorld({
    ...{ directory, build: present, copies: 1, timeScale: 5, drainDelayMs: 1_000, onProgress },
    // The machine runs other tests beside it.
    variables: { RPC_TIMEOUT_MS: '20000' },
  });
  const findings = await run(world, { ...small, legs: [present], onProgress });
  expect(faultsOf(findings)).toEqual([]);
  expect(findings.replacements).toHaveLength(world.deployments.length);
  expect(findings.samples.length).toBeGreaterThan(small.rate);
  expect(findings.calls.tally.attempts).toBeGreaterThanOrEqual(small.calls);
}, 300_000);
