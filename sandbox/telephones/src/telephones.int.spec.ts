// Real calls: LiveKit's server and SIP service on one side, SIPp and this carrier on the other. Everything else of the
// platform is left out: these tests hold the telephones to their own README.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findLiveKit,
  freePort,
  type LiveKitServer,
  recordedProcess,
  startLiveKitServer,
} from '@parlance/engines';
import { type CallEntry, readCalls } from '@parlance/fake-kit';
import { eventually, openSockets, showsSockets } from '@parlance/fixtures';
import { RoomServiceClient, SipCallError, SipClient } from 'livekit-server-sdk';
import { findTelephones } from './sipp.js';
import { startTelephones, type Telephones } from './telephones.js';

const binaries = findLiveKit();
const isInstalled = binaries !== undefined && findTelephones() !== undefined;
if (!isInstalled)
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server, sipp: not all installed, no telephone is called\n',
  );

const bought = '+14155550142';
const room = 'room of two telephones';

(isInstalled ? describe : describe.skip)('telephones on the wire of a real LiveKit', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-telephones-'));
  const ledgerFile = join(directory, 'ledger.jsonl');
  let liveKit: LiveKitServer;
  let telephones: Telephones;
  let rooms: RoomServiceClient;
  let sip: SipClient;
  let trunkId: string;

  beforeAll(async () => {
    if (binaries === undefined) throw new Error('LiveKit is not installed');
    const place = { port: await freePort(), apiKey: 'key', apiSecret: 'secret'.repeat(6) };
    liveKit = await startLiveKitServer({
      ...place,
      webhookUrl: 'http://127.0.0.1:9',
      dataDir: join(directory, 'livekit'),
      log: (program) => join(directory, `${program}.log`),
      binaries,
    });
    telephones = await startTelephones({
      dataDir: join(directory, 'telephones'),
      logFile: join(directory, 'sipp.log'),
      ledgerFile,
      talkMs: 6_000,
    });
    const client = [`http://127.0.0.1:${place.port}`, place.apiKey, place.apiSecret] as const;
    rooms = new RoomServiceClient(...client, { failover: false });
    sip = new SipClient(...client, { failover: false });
    ({ sipTrunkId: trunkId } = await sip.createSipOutboundTrunk('carrier', telephones.address, ['*']));
    await rooms.createRoom({ name: room });
    const inbound = await sip.createSipInboundTrunk('bought', [bought]);
    await sip.createSipDispatchRule(
      { type: 'direct', roomName: room, pin: '' },
      { name: 'to the room', trunkIds: [inbound.sipTrunkId] },
    );
  });
  afterAll(async () => {
    await telephones.stop();
    await liveKit.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** "answered", the status that the telephone answered, or the error that LiveKit made of it. */
  const dial = async (number: string, ringingTimeout = 30): Promise<string | number> => {
    const attemptId = `attempt-${number}`;
    await rooms.createRoom({ name: `ob_${attemptId}` });
    try {
      await sip.createSipParticipant(trunkId, number, `ob_${attemptId}`, {
        fromNumber: bought,
        participantIdentity: `pstn_${attemptId}`,
        headers: { 'X-Attempt-Id': attemptId },
        ringingTimeout,
        waitUntilAnswered: true,
        timeout: ringingTimeout + 10,
      });
      return 'answered';
    } catch (error) {
      if (error instanceof SipCallError && error.sipStatusCode !== undefined) return error.sipStatusCode;
      return error instanceof Error && 'code' in error ? String(error.code) : String(error);
    }
  };

  const ledgerOf = async (number: string): Promise<CallEntry['kind'][]> => {
    const kinds: CallEntry['kind'][] = [];
    for await (const { room: name, kind } of readCalls(ledgerFile))
      if (name === `ob_attempt-${number}`) kinds.push(kind);
    return kinds;
  };

  (showsSockets ? it : it.skip)('open ports on loopback alone while no call is in progress', () => {
    const programs = [
      recordedProcess(join(directory, 'telephones', 'sipp.pid')),
      ...(['livekit-server', 'livekit-sip', 'redis-server'] as const).map((program) => liveKit.pid(program)),
    ];
    for (const pid of programs) {
      if (pid === undefined) throw new Error('a program does not run');
      const sockets = openSockets(pid);
      expect(sockets.length).toBeGreaterThan(0);
      expect(sockets.filter(({ isOnLoopback }) => !isOnLoopback)).toEqual([]);
    }
  });

  it('behave as their last digits say, and ring at most once', async () => {
    const expected: readonly (readonly [string, string | number, number, readonly CallEntry['kind'][]])[] = [
      ['+14155550100', 'answered', 30, ['dial', 'ring']],
      ['+14155550160', 'canceled', 4, ['dial', 'ring']],
      ['+14155550170', 486, 30, ['dial', 'ring']],
      ['+14155550180', 603, 30, ['dial', 'ring']],
      ['+14155550185', 'answered', 30, ['dial', 'ring']],
      ['+14155550190', 404, 30, ['dial']],
      ['+14155550195', 503, 30, ['dial']],
      ['+14155550196', 500, 30, ['dial']],
      ['+14155550197', 'canceled', 4, ['dial', 'ring']],
      ['+14155550198', 'answered', 30, ['dial', 'ring']],
      ['+14155559900', 'canceled', 4, ['dial']],
      ['+14155559903', 503, 30, ['dial']],
      ['+14155559980', 480, 30, ['dial']],
      ['+14155559983', 'answered', 30, ['dial', 'ring']],
    ];
    const told = await Promise.all(expected.map(([number, , ringing]) => dial(number, ringing)));
    expect(told).toEqual(expected.map(([, outcome]) => outcome));
    for (const [number, , , kinds] of expected)
      expect([number, await ledgerOf(number)]).toEqual([number, kinds]);
    expect(await dial('+14155550195')).toBe('answered');
  });

  it('hang up when they are told to, and by themselves when they have talked enough', async () => {
    const callTo = (number: string) => telephones.calls().find(({ to }) => to === number);
    await eventually(() => expect(callTo('+14155550100')?.endedBy).toBe('telephone'));
    await dial('+14155550101');
    await rooms.removeParticipant('ob_attempt-+14155550101', 'pstn_attempt-+14155550101');
    await eventually(() => expect(callTo('+14155550101')?.endedBy).toBe('far-end'));
  });

  it('hear each other in a room: one that was called, and one that calls in', async () => {
    const inbound = telephones.call({
      from: '+14155559876',
      to: bought,
      sipAddress: liveKit.sipAddress,
      talkMs: 6_000,
    });
    await sip.createSipParticipant(trunkId, '+14155550123', room, {
      fromNumber: bought,
      participantIdentity: 'called',
      waitUntilAnswered: true,
      timeout: 20,
    });
    const caller = await inbound;
    expect(caller).toMatchObject({ status: 200, endedBy: 'telephone' });
    expect(caller.heard).toContain('0123');
    const called = telephones.calls().find(({ to }) => to === '+14155550123');
    expect(called?.heard).toContain('9876');
  });
});
