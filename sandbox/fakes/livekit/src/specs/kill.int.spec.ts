// Trunks and the ledger outlive kill -9; rooms do not, as on a server whose Redis holds nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readCalls } from '@parlance/fake-kit';
import { type Clients, clientsAt } from '../conformance/support.js';

const apiKey = 'APIkill';
const apiSecret = 'a-secret-of-at-least-thirty-two-bytes';
/** PARLANCE_TEST_KILLS=20 for the storm in full. */
const rounds = Number(process.env.PARLANCE_TEST_KILLS ?? 4);
const workers = 8;

let directory: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parlance-livekit-kill-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const spawned = async (): Promise<{ readonly server: ChildProcess; readonly clients: Clients }> => {
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const nobody = ['--platform-url', 'http://127.0.0.1:9'];
  const server = spawn(process.execPath, [main, '--data-dir', directory, ...nobody], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LIVEKIT_API_KEY: apiKey,
      LIVEKIT_API_SECRET: apiSecret,
      INTERNAL_API_KEY: 'internal',
    },
  });
  child = server;
  const [line] = await once(server.stdout, 'data');
  return { server, clients: clientsAt(String(line).trim(), apiKey, apiSecret) };
};

it(`killed ${rounds} times under load, it has every trunk and every dial that was answered, once`, async () => {
  const trunks = new Set<string>();
  const dials = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const { server, clients } = await spawned();
    const dead = once(server, 'exit');
    const killAfter = 3 + (round % 10);
    let answered = 0;
    const work = async (worker: number): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const room = `round-${round}-${worker}-${n}`;
        const { sipTrunkId } = await clients.sip.createSipOutboundTrunk(room, 'sip.example.com', ['*']);
        trunks.add(sipTrunkId);
        await clients.rooms.createRoom({ name: room });
        const { sipCallId } = await clients.sip.createSipParticipant(sipTrunkId, '+14155550170', room, {
          participantIdentity: `pstn-${room}`,
        });
        dials.add(sipCallId);
        answered += 1;
        if (answered === killAfter) server.kill('SIGKILL');
      }
    };
    await Promise.allSettled(Array.from({ length: workers }, (_, worker) => work(worker)));
    await dead;
  }
  const { clients } = await spawned();
  const kept = (await clients.sip.listSipOutboundTrunk()).map(({ sipTrunkId }) => sipTrunkId);
  expect([...trunks].filter((id) => !kept.includes(id))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  const booked: string[] = [];
  for await (const { kind, sipCallId } of readCalls(join(directory, 'ledger.jsonl')))
    if (kind === 'dial') booked.push(sipCallId);
  expect([...dials].filter((id) => !booked.includes(id))).toEqual([]);
  expect(new Set(booked).size).toBe(booked.length);
  expect(dials.size).toBeGreaterThanOrEqual(rounds * 3);
}, 240_000);
