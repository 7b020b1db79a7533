// An engine that is not there, is too old, or does not start. Each is named in one line, and only the last is a
// failure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { conforms, meet } from './meet.js';
import type { RealEngine, Server } from './real-engine.js';
import { lineOf } from './report.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-meet-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const engineOf = (server?: Server): RealEngine => ({
  engine: 'nats',
  title: 'NATS',
  programs: 'nats-server',
  oldest: '2.9',
  installed: async () => server,
});
const serverOf = (version: string): Server => ({
  name: 'nats-server',
  version,
  start: () => Promise.reject(new Error('its port is taken')),
});

it.each([
  ['is not there', engineOf(), 'NATS: not there; install nats-server (2.9 or newer)', true],
  [
    'is too old',
    engineOf(serverOf('2.8.4')),
    'NATS: nats-server 2.8.4: too old; install nats-server (2.9 or newer)',
    true,
  ],
  [
    'does not start',
    engineOf(serverOf('2.12.4')),
    'NATS: nats-server 2.12.4: DID NOT START: its port is taken',
    false,
  ],
])('a server that %s is named', async (_, engine, line, passes) => {
  const meeting = await meet(engine, { directory, containers: false });
  expect(lineOf(meeting)).toBe(line);
  expect(conforms(meeting)).toBe(passes);
});
