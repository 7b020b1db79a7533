// A platform that cannot start leaves nothing running behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { freePort, reachable } from '@parlance/engines';
import { DataFolder } from './data-folder.js';
import { startEngines } from './engines.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-engines-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('what has started is stopped when LiveKit, named by the environment, does not answer', async () => {
  const folder = new DataFolder(directory);
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const start = startEngines({
    folder,
    secrets: folder.secrets(),
    gatewayUrl: 'http://127.0.0.1:4700',
    agentName: 'voice',
    timeScale: 1,
    realMedia: false,
    browserVoice: false,
    voice: false,
    scriptedAgent: false,
    cacheDir: process.env.PARLANCE_TEST_CACHE ?? directory,
    source: {
      LIVEKIT_URL: nowhere,
      LIVEKIT_WS_URL: nowhere.replace('http', 'ws'),
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret',
    },
  });
  await expect(start).rejects.toThrow();
  const { ports } = folder.state();
  expect(Object.keys(ports)).toEqual(expect.arrayContaining(['postgres', 'nats', 'eventstore', 's3']));
  for (const port of Object.values(ports)) await expect(reachable(port)).rejects.toThrow();
});
