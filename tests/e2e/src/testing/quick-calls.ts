// Quick calls through the interface, each beside the dials and rings of its attempts that the telephones noted.
import { eventually } from '@parlance/fixtures';
import type { Account } from './accounts.js';
import { type Heard, heardByTelephones } from './real-media.js';
import type { RunningPlatform } from './running-platform.js';

interface Attempt {
  readonly attemptId: string;
  readonly roomName: string;
  readonly endedReason: string | null;
  readonly sipStatus: number | null;
}

interface OutboundCall {
  readonly id: string;
  readonly phoneNumber: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly endedReason: string | null;
  readonly callId: string | null;
  readonly attempts: readonly Attempt[];
}

export interface CallOnWire extends OutboundCall {
  readonly attempts: readonly (Attempt & Heard)[];
}

export interface Caller {
  readonly account: Account;
  readonly agentId: string;
  readonly fromNumber: string;
}

/** A phone that answers at its last moment has rung for 20 seconds by then. */
const ringingTimeoutSeconds = 25;
const overWithinMs = 180_000;
const final = new Set(['completed', 'no_answer', 'busy', 'failed', 'cancelled']);

/** Places a call to each number; resolves with their ids, in the same order. */
export const placeCalls = (
  platform: RunningPlatform,
  { account, agentId, fromNumber }: Caller,
  numbers: readonly string[],
  ringing = ringingTimeoutSeconds,
): Promise<string[]> =>
  Promise.all(
    numbers.map(async (phoneNumber) => {
      const response = await fetch(`${platform.api}/outbound-calls/quick`, {
        method: 'POST',
        headers: { ...account.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ agentId, phoneNumber, fromNumber, ringingTimeoutSeconds: ringing }),
      });
      if (!response.ok)
        throw new Error(`no call to ${phoneNumber}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { data: { id: string } }).data.id; // the contract's OutboundCall
    }),
  );

/** Resolves with the calls when all of them have their final status, and the telephones' side of each. */
export const untilOver = async (
  platform: RunningPlatform,
  account: Account,
  ids: readonly string[],
): Promise<readonly CallOnWire[]> => {
  const read = async (id: string): Promise<OutboundCall> => {
    const response = await fetch(`${platform.api}/outbound-calls/${id}`, { headers: account.headers });
    if (!response.ok) throw new Error(`${id} cannot be read: ${response.status}`);
    return ((await response.json()) as { data: OutboundCall }).data; // the contract's OutboundCall
  };
  const calls = await eventually(
    async () => {
      const now = await Promise.all(ids.map(read));
      const open = now.filter(({ status }) => !final.has(status));
      if (open.length > 0)
        throw new Error(
          `not over: ${open.map(({ phoneNumber, status }) => `${phoneNumber} ${status}`).join(', ')}`,
        );
      return now;
    },
    { timeoutMs: overWithinMs, intervalMs: 250 },
  );
  const rooms = await heardByTelephones(platform);
  return calls.map((call) => ({
    ...call,
    attempts: call.attempts.map((attempt) => ({
      ...attempt,
      ...(rooms.get(attempt.roomName) ?? { dials: 0, rings: 0 }),
    })),
  }));
};
