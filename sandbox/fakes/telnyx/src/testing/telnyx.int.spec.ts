// The features of this stand-in alone: the ledger, several accounts, faults, and the data that survive a kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LedgerEntry, readLedger } from '@parlance/fake-kit';
import type Telnyx from 'telnyx';
import { clientAt } from '../conformance/support.js';
import { createTelnyxFaults, type RunningTelnyx, startTelnyx } from '../index.js';

const first = { apiKey: 'KEY-first', account: 'first' };
const second = { apiKey: 'KEY-second', account: 'second' };
const faults = createTelnyxFaults();
let directory: string;
let running: RunningTelnyx | undefined;
let child: ChildProcess | undefined;

const start = async (): Promise<RunningTelnyx> => {
  running = await startTelnyx({ dataDir: directory, credentials: [first, second], faults, fulfilmentMs: 0 });
  return running;
};
const clientOf = ({ url }: { readonly url: string }, { apiKey } = first): Telnyx => clientAt(url, apiKey);
const free = async (client: Telnyx, limit = 1): Promise<string[]> => {
  const { data = [] } = await client.availablePhoneNumbers.list({
    filter: { country_code: 'US', phone_number_type: 'local', limit },
  });
  return data.flatMap(({ phone_number }) => phone_number ?? []);
};
const order = (client: Telnyx, phone_number: string, customer_reference = 'parlance:test:1') =>
  client.numberOrders.create({ phone_numbers: [{ phone_number }], customer_reference });
const owned = async (client: Telnyx) => {
  const numbers: { readonly id: string; readonly phone_number: string }[] = [];
  for await (const number of client.phoneNumbers.list({ 'page[size]': 250 })) numbers.push(number);
  return numbers;
};
const ledgerOf = async (path = join(directory, 'ledger.jsonl')): Promise<LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(path)) entries.push(entry);
  return entries;
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-telnyx-'));
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
    await order(client, phoneNumber);
    const [number] = await owned(client);
    const providerId = number?.id ?? '';
    await client.phoneNumbers.update(providerId, { tags: ['a'] });
    await client.phoneNumbers.delete(providerId);
    const facts = {
      provider: 'telnyx',
      phoneNumber,
      providerId,
      marker: 'parlance:test:1',
      account: 'first',
    };
    expect(await ledgerOf()).toMatchObject([
      { kind: 'purchase', ...facts },
      { kind: 'configure', ...facts },
      { kind: 'release', ...facts },
    ]);
  });
});

describe('an order', () => {
  it('of one number twice is refused as a whole', async () => {
    const client = clientOf(await start());
    const [phone_number = ''] = await free(client);
    const twice = client.numberOrders.create({ phone_numbers: [{ phone_number }, { phone_number }] });
    await expect(twice).rejects.toMatchObject({ status: 422 });
    expect(await owned(client)).toEqual([]);
  });
});

describe('two accounts', () => {
  it('cannot own one number, however close they come, and see nothing of each other', async () => {
    const server = await start();
    const [phoneNumber = ''] = await free(clientOf(server));
    const clients = [first, second].map((account) => clientOf(server, account));
    const attempts = await Promise.allSettled(clients.map((client) => order(client, phoneNumber)));
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const counts = await Promise.all(clients.map(async (client) => (await owned(client)).length));
    expect(counts.sort()).toEqual([0, 1]);
  });
});

describe('a fault', () => {
  it.each([
    ['4xx', { status: 400 }, 0],
    ['429', { status: 429 }, 0],
    ['5xx-before', { status: 500 }, 0],
    ['reset-before', { status: undefined }, 0],
    ['refuse', { status: undefined }, 0],
    ['5xx-after', { status: 500 }, 1],
    ['reset-after', { status: undefined }, 1],
  ])('%s while buying leaves as much behind as its name says', async (mode, error, count) => {
    const client = clientOf(await start());
    const [phoneNumber = ''] = await free(client);
    faults.set({ target: 'buy', mode, times: 1 });
    await expect(order(client, phoneNumber)).rejects.toMatchObject(error);
    expect(await owned(client)).toHaveLength(count);
    expect(await ledgerOf()).toHaveLength(count);
  });

  it('of the fulfilment fails an order that was taken, and nothing is bought', async () => {
    const client = clientOf(await start());
    const [phoneNumber = ''] = await free(client);
    faults.set({ target: 'fulfilment', mode: 'failure', times: 1 });
    const { data } = await order(client, phoneNumber);
    expect((await client.numberOrders.retrieve(data?.id ?? '')).data).toMatchObject({ status: 'failure' });
    expect(await owned(client)).toEqual([]);
    expect(await ledgerOf()).toEqual([]);
    expect(await free(client)).toEqual([phoneNumber]);
  });

  it('of the fulfilment keeps an order pending', async () => {
    const client = clientOf(await start());
    const [phoneNumber = ''] = await free(client);
    faults.set({ target: 'fulfilment', mode: 'late', ms: 60_000, times: 1 });
    const { data } = await order(client, phoneNumber);
    expect((await client.numberOrders.retrieve(data?.id ?? '')).data).toMatchObject({ status: 'pending' });
    expect(await owned(client)).toMatchObject([{ phone_number: phoneNumber, status: 'purchase-pending' }]);
  });

  it('is met again by a client that sends again by itself', async () => {
    const server = await start();
    const [phoneNumber = ''] = await free(clientOf(server));
    faults.set({ target: 'buy', mode: '5xx-after', times: 1 });
    const eager = clientOf(server).withOptions({ maxRetries: 1 });
    await expect(order(eager, phoneNumber)).rejects.toMatchObject({ status: 422 });
    expect(await owned(eager)).toHaveLength(1);
  });
});

describe('what it does not have', () => {
  it('is refused and not ignored', async () => {
    const client = clientOf(await start());
    await expect(
      client.availablePhoneNumbers.list({ filter: { country_code: 'US', rate_center: 'CHICAGO' } }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('rate_center') });
    await expect(client.messagingProfiles.list()).rejects.toMatchObject({ status: 404 });
  });
});

describe('a kill', () => {
  const spawned = async (): Promise<{ readonly process: ChildProcess; readonly url: string }> => {
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const process_ = spawn(process.execPath, [main, '--data-dir', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TELNYX_API_KEY: first.apiKey },
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
          await order(client, phoneNumber, `round ${round}`);
          answered.add(phoneNumber);
          done += 1;
          if (done === stillAnswered) server.process.kill('SIGKILL');
        }),
      );
      await dead;
    }
    const numbers = await owned(clientOf(await spawned()));
    const kept = numbers.map(({ phone_number }) => phone_number);
    expect([...answered].filter((phoneNumber) => !kept.includes(phoneNumber))).toEqual([]);
    expect(new Set(kept).size).toBe(kept.length);
    const booked = (await ledgerOf()).map((entry) => ('providerId' in entry ? entry.providerId : ''));
    expect(booked.sort()).toEqual(numbers.map(({ id }) => id).sort());
  }, 180_000);
});
