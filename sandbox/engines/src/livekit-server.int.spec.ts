// LiveKit's programs are started together and know of each other. A machine may have none of them, so programs with
// their names stand in for the binaries. These check their settings, and listen where they should. Where the real
// programs are installed, the tests start them as well.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findLiveKit,
  type LiveKitProgram,
  type LiveKitServer,
  liveKitVersions,
  startLiveKitServer,
} from './livekit-server.js';
import { freePort, reachable } from './ports.js';

/** Answers Redis' PING as Redis does, to clients with the password. */
const redis = `
const { readFileSync } = require('node:fs');
const of = (name) => new RegExp('^' + name + ' (.*)$', 'm').exec(readFileSync(process.argv[2], 'utf8'))[1];
require('node:net').createServer((socket) => socket.on('data', (text) =>
  socket.write(String(text).includes(of('requirepass')) ? '+OK\\r\\n' : '-NOAUTH\\r\\n'),
)).listen(of('port'), of('bind'));`;

/** Both others log in to Redis before they listen. */
const loggedIn = (configuration: string, listen: string): string => `
const told = JSON.parse(process.env.${configuration});
const [host, port] = told.redis.address.split(':');
const socket = require('node:net').connect(port, host, () => socket.write('AUTH ' + told.redis.password));
socket.on('data', (answer) => {
  if (String(answer) !== '+OK\\r\\n') process.exit(3);
  ${listen}
});`;
const server = loggedIn(
  'LIVEKIT_CONFIG',
  `if (process.env.LIVEKIT_KEYS !== 'key: secret') process.exit(4);
  const makes = told.room.auto_create ? 'makes rooms' : 'makes no rooms';
  require('node:http').createServer((_, response) => response.end(told.webhook.urls[0] + ' ' + makes)).listen(told.port, told.bind_addresses[0]);`,
);
const sip = loggedIn(
  'SIP_CONFIG_BODY',
  `fetch(process.env.LIVEKIT_WS_URL.replace('ws:', 'http:')).then(() =>
    require('node:net').createServer().listen(told.sip_port, told.listen_ip));`,
);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-server-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const program = (name: string, code: string): string => {
  const path = join(directory, name);
  writeFileSync(path, `#!${process.execPath}\n${code}\n`);
  chmodSync(path, 0o755);
  return path;
};

/** Until it holds: this folder is below the one that tests wait with. */
const again = async (check: () => Promise<void>): Promise<void> => {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(50);
    }
  }
};

it('listens when its SIP service does, and all of it is gone when it is stopped', async () => {
  const port = await freePort();
  const { stop } = await startLiveKitServer({
    port,
    apiKey: 'key',
    apiSecret: 'secret',
    webhookUrl: 'http://127.0.0.1:4700/hooks/livekit',
    dataDir: join(directory, 'data'),
    log: (name) => join(directory, `${name}.log`),
    binaries: {
      redis: program('redis-server', redis),
      server: program('livekit-server', server),
      sip: program('livekit-sip', sip),
    },
  });
  const answer = await fetch(`http://127.0.0.1:${port}`);
  // A dial that comes late must not find a room that it makes itself.
  expect(await answer.text()).toBe('http://127.0.0.1:4700/hooks/livekit makes no rooms');
  await stop();
  await expect(reachable(port)).rejects.toThrow();
});

describe('programs that are asked for their version', () => {
  it('are told apart, and one that says nothing is unknown', async () => {
    const speaking = program('speaking', `console.log('livekit-server version 1.2.3')`);
    const silent = program('silent', '');
    expect(await liveKitVersions({ server: speaking, sip: silent, redis: speaking })).toEqual({
      'livekit-server': '1.2.3',
      'livekit-sip': 'unknown',
      'redis-server': '1.2.3',
    });
  });
});

const installed = findLiveKit();
if (installed === undefined)
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server: not all installed, the real ones are not started\n',
  );

(installed ? describe : describe.skip)('the real programs', () => {
  const startReal = async (name: string): Promise<LiveKitServer> => {
    if (installed === undefined) throw new Error('LiveKit is not installed');
    return startLiveKitServer({
      port: await freePort(),
      apiKey: 'key',
      apiSecret: 'secret'.repeat(6),
      webhookUrl: 'http://127.0.0.1:9',
      dataDir: join(directory, name),
      log: (one) => join(directory, `${name}-${one}.log`),
      binaries: installed,
    });
  };

  it('run twice side by side, and each comes back by itself when it is killed', async () => {
    const [one, other] = await Promise.all([startReal('one'), startReal('other')]);
    try {
      const untouched = other.pid('livekit-sip');
      for (const name of ['livekit-sip', 'redis-server', 'livekit-server'] satisfies LiveKitProgram[]) {
        const before = one.pid(name);
        one.crash(name);
        await again(async () => {
          expect(one.pid(name)).not.toBe(before);
          await one.reachable();
        });
      }
      await other.reachable();
      expect(other.pid('livekit-sip')).toBe(untouched);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});
