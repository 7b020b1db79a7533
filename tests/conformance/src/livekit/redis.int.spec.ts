// LiveKit keeps trunks and dispatch rules in Redis and nowhere else. The platform never speaks to Redis itself, so this is
// the whole suite of Redis. Telephones work after a crash of either program, and stop when Redis has lost its data.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findLiveKit, freePort, type LiveKitServer, startLiveKitServer } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { SipClient } from 'livekit-server-sdk';

// The suite starts its own programs. A server that is known only by its address cannot be killed, so it is not used.
const binaries = process.env.CONFORMANCE_LIVEKIT_PROGRAMS === 'installed' ? findLiveKit() : undefined;
const test = binaries === undefined ? it.skip : it;

const directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-redis-'));
const dataDir = join(directory, 'data');
const [apiKey, apiSecret] = ['conformance', randomBytes(24).toString('hex')];
let server: LiveKitServer | undefined;
let sip: SipClient;

const start = async (): Promise<void> => {
  if (binaries === undefined) return;
  const port = await freePort();
  server = await startLiveKitServer({
    port,
    apiKey,
    apiSecret,
    binaries,
    dataDir,
    log: (program) => join(directory, `${program}.log`),
    webhookUrl: 'http://127.0.0.1:9',
  });
  sip = new SipClient(`http://127.0.0.1:${port}`, apiKey, apiSecret, { failover: false });
};
const kept = async (): Promise<readonly (string | undefined)[]> => {
  const [inbound, outbound, rules] = await Promise.all([
    sip.listSipInboundTrunk(),
    sip.listSipOutboundTrunk(),
    sip.listSipDispatchRule(),
  ]);
  return [...inbound, ...outbound, ...rules].map(({ name }) => name);
};
const names = ['numbers in', 'numbers out', 'calls in'];

beforeAll(async () => {
  await start();
  if (binaries === undefined) return;
  const trunk = await sip.createSipInboundTrunk('numbers in', ['+15550100']);
  await sip.createSipOutboundTrunk('numbers out', 'sip.example.invalid', ['+15550100']);
  await sip.createSipDispatchRule(
    { type: 'individual', roomPrefix: 'in' },
    { name: 'calls in', trunkIds: [trunk.sipTrunkId] },
  );
});
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test.each(['livekit-server', 'redis-server'] as const)(
  'trunks and dispatch rules survive a crash of %s',
  async (program) => {
    expect(await kept()).toEqual(names);
    const before = server?.pid(program);
    server?.crash(program);
    await eventually(async () => {
      expect(server?.pid(program)).not.toBe(before);
      expect(await kept()).toEqual(names);
    });
  },
);

test('trunks and dispatch rules are gone when Redis has lost its data', async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true });
  await start();
  expect(await kept()).toEqual([]);
});
