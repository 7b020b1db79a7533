// The promise that matters most: after any crash no phone rings twice for one attempt, and every call gets an end.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readLedger } from '@parlance/fake-livekit';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts, withoutLimits } from './testing/accounts.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

interface OutboundCall {
  readonly id: string;
  readonly status: string;
  readonly callId: string | null;
  readonly attempts: readonly { readonly attemptId: string; readonly endedReason: string | null }[];
}

const terminal = ['completed', 'no_answer', 'busy', 'failed', 'cancelled'];
const numbers = ['00', '01', '02', '60', '70', '80', '85', '90', '95', '97', '98'].map(
  (end) => `+141555501${end}`,
);

let platform: RunningPlatform;
let account: Account;
let fromNumber: string;

beforeAll(async () => {
  const rates = { RATE_LIMIT_COST_PER_MINUTE: '1000', RATE_LIMIT_READ_PER_MINUTE: '100000' };
  platform = await runPlatform({ ...rates, ...withoutLimits });
  const accounts = new Accounts(platform);
  account = await accounts.create('crash');
  await accounts.allowManyCalls(account);
  fromNumber = await accounts.number(account);
}, 240_000);
afterAll(() => platform.remove());

const post = async <T>(path: string, body: unknown): Promise<T> => {
  const response = await fetch(`${platform.api}${path}`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: T }).data; // the contract's data
};

const read = async (id: string): Promise<OutboundCall | undefined> => {
  const response = await fetch(`${platform.api}/outbound-calls/${id}`, { headers: account.headers }).catch(
    () => undefined,
  );
  if (!response?.ok) return undefined;
  return ((await response.json()) as { data: OutboundCall }).data; // the contract's OutboundCall
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const untilEnded = async (ids: readonly string[]): Promise<OutboundCall[]> => {
  const deadline = Date.now() + 150_000;
  for (;;) {
    const calls = (await Promise.all(ids.map(read))).flatMap((call) => (call ? [call] : []));
    if (calls.length === ids.length && calls.every(({ status }) => terminal.includes(status))) return calls;
    if (Date.now() > deadline)
      throw new Error(`not ended: ${JSON.stringify(calls.map(({ status }) => status))}`);
    await pause(500);
  }
};

const ringsByAttempt = async (): Promise<Map<string, number>> => {
  const rings = new Map<string, number>();
  for await (const { kind, room } of readLedger(join(platform.dataDir, 'ledger.jsonl'))) {
    if (kind === 'ring') rings.set(room, (rings.get(room) ?? 0) + 1);
  }
  return rings;
};

describe('kill -9 in the middle of calls', () => {
  it('ends every call, rings no phone twice for one attempt, and denies no ring', async () => {
    const agent = await post<{ id: string }>('/agents', {
      name: 'Crash',
      isActive: true,
      templateId: 'support',
    });
    const ids: string[] = [];
    for (const phoneNumber of numbers) {
      const body = { agentId: agent.id, phoneNumber, fromNumber, ringingTimeoutSeconds: 10 };
      ids.push((await post<{ id: string }>('/outbound-calls/quick', body)).id);
    }
    await platform.crash();
    await platform.restart();
    const calls = await untilEnded(ids);

    const rings = await ringsByAttempt();
    for (const count of rings.values()) expect(count).toBe(1);
    // The log follows the dialer's facts about a call a moment later, and comes to agree with them.
    for (const call of calls) {
      if (call.callId === null) continue;
      await eventually(
        async () => {
          const response = await fetch(`${platform.api}/calls/${call.callId}`, { headers: account.headers });
          const { data } = (await response.json()) as { data: { status: string } }; // the contract's CallLog
          expect([call.id, data.status]).toEqual([call.id, call.status]);
        },
        { timeoutMs: 30_000 },
      );
    }
  }, 240_000);
});
