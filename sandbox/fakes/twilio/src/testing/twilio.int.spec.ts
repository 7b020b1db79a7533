// The features of this stand-in alone: the ledger, several accounts, faults, and the data that survive a kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ledger, type LedgerEntry, readLedger } from '@parlance/fake-kit';
import { type Client, clientAt } from '../conformance/support.js';
import { createTwilioFaults, type RunningTwilio, startTwilio } from '../index.js';

const first = { accountSid: `AC${'1'.repeat(32)}`, authToken: 'first' };
const second = { accountSid: `AC${'2'.repeat(32)}`, authToken: 'second' };
const faults = createTwilioFaults();
let directory: string;
let running: RunningTwilio | undefined;
let child: ChildProcess | undefined;

const start = async (): Promise<RunningTwilio> => {
  running = await startTwilio({ dataDir: directory, credentials: [first, second], faults });
  return running;
};
const clientOf = ({ url }: { readonly url: string }, { accountSid, authToken } = first): Client =>
  clientAt(url, accountSid, authToken);
const free = async (client: Client, limit = 1): Promise<string[]> => {
  const found = await client.availablePhoneNumbers('US').local.list({ limit });
  return found.map(({ phoneNumber }) => phoneNumber);
};
const ledgerOf = async (path: string): Promise<LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(path)) entries.push(entry);
  return entries;
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-twilio-'));
  faults.clear();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  child?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

describe('the ledger', () => {
  it('tells of every purchase, configuration and release, with its marker', async () => {
    const client = clientOf(await start());
    const [phoneNumber = ''] = await free(client);
    const { sid } = await client.incomingPhoneNumbers.create({
      phoneNumber,
      friendlyName: 'parlance:test:1',
    });
    await client.incomingPhoneNumbers(sid).update({ voiceUrl: 'https://example.com' });
    await client.incomingPhoneNumbers(sid).remove();
    const facts = { provider: 'twilio', phoneNumber, providerId: sid, marker: 'parlance:test:1' };
    expect(await ledgerOf(join(directory, 'ledger.jsonl'))).toMatchObject([
      { kind: 'purchase', account: first.accountSid, ...facts },
      { kind: 'configure', ...facts },
      { kind: 'release', ...facts },
    ]);
  });

  it('is settled at the start with what a kill had cut off', async () => {
    const client = clientOf(await start());
    const [kept = '', lost = ''] = await free(client, 2);
    await client.incomingPhoneNumbers.create({ phoneNumber: kept });
    await client.incomingPhoneNumbers.create({ phoneNumber: lost });
    await running?.stop();
    const path = join(directory, 'other-ledger.jsonl');
    const ledger = await Ledger.open(path);
    await ledger.write({
      kind: 'purchase',
      at: new Date().toISOString(),
      provider: 'twilio',
      phoneNumber: '+12125550100',
      providerId: 'PNgone',
      marker: null,
      account: first.accountSid,
    });
    running = await startTwilio({ dataDir: directory, credentials: first, ledger });
    const kinds = (await ledgerOf(path)).map(
      (entry) => `${entry.kind} ${'phoneNumber' in entry && entry.phoneNumber}`,
    );
    expect(kinds).toEqual([
      'purchase +12125550100',
      `purchase ${kept}`,
      `purchase ${lost}`,
      'release +12125550100',
    ]);
    await ledger.close();
  });
});

describe('two accounts', () => {
  it('cannot own one number, however close they come', async () => {
    const server = await start();
    const [phoneNumber = ''] = await free(clientOf(server));
    const attempts = await Promise.allSettled(
      [first, second].map((account) =>
        clientOf(server, account).incomingPhoneNumbers.create({ phoneNumber }),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 21422 } });
  });

  it('see nothing of each other', async () => {
    const server = await start();
    const [phoneNumber = ''] = await free(clientOf(server));
    const { sid } = await clientOf(server).incomingPhoneNumbers.create({ phoneNumber });
    const other = clientOf(server, second);
    expect(await other.incomingPhoneNumbers.list()).toEqual([]);
    await expect(other.incomingPhoneNumbers(sid).remove()).rejects.toMatchObject({ status: 404 });
    await expect(
      other.api.v2010.accounts(first.accountSid).incomingPhoneNumbers.list(),
    ).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a fault', () => {
  it.each([
    ['4xx', { status: 400, code: 20001 }, 0],
    ['429', { status: 429, code: 20429 }, 0],
    ['5xx-before', { status: 500, code: 20500 }, 0],
    ['reset-before', { code: 'ECONNRESET' }, 0],
    ['refuse', { code: 'ECONNRESET' }, 0],
    ['5xx-after', { status: 500, code: 20500 }, 1],
    ['reset-after', { code: 'ECONNRESET' }, 1],
  ])('%s while buying leaves as much behind as its name says', async (mode, error, owned) => {
    const client = clientOf(await start());
    const [phoneNumber = ''] = await free(client);
    faults.set({ target: 'buy', mode, times: 1 });
    await expect(client.incomingPhoneNumbers.create({ phoneNumber })).rejects.toMatchObject(error);
    expect(await client.incomingPhoneNumbers.list()).toHaveLength(owned);
    expect(await ledgerOf(join(directory, 'ledger.jsonl'))).toHaveLength(owned);
  });
});

describe('what it does not have', () => {
  it('is refused and not ignored', async () => {
    const client = clientOf(await start());
    await expect(
      client.availablePhoneNumbers('US').local.list({ nearLatLong: '37.8,-122.4' }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('NearLatLong') });
    await expect(client.api.v2010.account.calls.list()).rejects.toMatchObject({ status: 404 });
  });
});

describe('a kill', () => {
  const spawned = async (): Promise<{ readonly process: ChildProcess; readonly url: string }> => {
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const process_ = spawn(process.execPath, [main, '--data-dir', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TWILIO_ACCOUNT_SID: first.accountSid, TWILIO_AUTH_TOKEN: first.authToken },
    });
    child = process_;
    const [line] = await once(process_.stdout, 'data');
    return { process: process_, url: String(line).trim() };
  };

  it('under load, again and again, loses nothing that was answered and books nothing twice', async () => {
    const answered = new Set<string>();
    // PARLANCE_TEST_KILLS=20 for the storm in full
    const rounds = Number(process.env.PARLANCE_TEST_KILLS ?? 4);
    for (let round = 0; round < rounds; round += 1) {
      const server = await spawned();
      const client = clientOf(server);
      const offers = await free(client, 40);
      const stillAnswered = 3 + (round % 10);
      let done = 0;
      const dead = once(server.process, 'exit');
      await Promise.allSettled(
        offers.map(async (phoneNumber) => {
          const { sid } = await client.incomingPhoneNumbers.create({
            phoneNumber,
            friendlyName: `round ${round}`,
          });
          answered.add(sid);
          done += 1;
          if (done === stillAnswered) server.process.kill('SIGKILL');
        }),
      );
      await dead;
    }
    const client = clientOf(await spawned());
    const owned = await client.incomingPhoneNumbers.list({ pageSize: 1_000 });
    const sids = owned.map(({ sid }) => sid);
    expect([...answered].filter((sid) => !sids.includes(sid))).toEqual([]);
    expect(new Set(owned.map(({ phoneNumber }) => phoneNumber)).size).toBe(owned.length);
    const entries = await ledgerOf(join(directory, 'ledger.jsonl'));
    const booked = entries.map((entry) => ('providerId' in entry ? entry.providerId : ''));
    expect(booked.sort()).toEqual(sids.sort());
  }, 180_000);
});
