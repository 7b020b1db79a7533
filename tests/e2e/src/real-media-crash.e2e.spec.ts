// kill -9 of LiveKit's server, its SIP service, its Redis and a dialer, each in the middle of real calls. However the
// calls end, no attempt is dialled twice, none rings twice, and each has its outcome in time.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { Accounts } from './testing/accounts.js';
import { type Caller, placeCalls, untilOver } from './testing/quick-calls.js';
import { hasRealMedia, heardByTelephones, killProgram, runOnRealMedia } from './testing/real-media.js';
import type { RunningPlatform } from './testing/running-platform.js';

const isInstalled = hasRealMedia();

/** Phones that talk, that ring as long as they may, that are busy, and that have hung up already. */
const endings = ['00', '01', '60', '61', '70', '98', '02', '62'];
const ringingSeconds = 10;

/** A person is on the line: a kill before that is no loss of a conversation. */
const untilTalking = (platform: RunningPlatform, { account }: Caller): Promise<void> =>
  eventually(
    async () => {
      const response = await fetch(`${platform.api}/calls/live`, { headers: account.headers });
      const { data } = (await response.json()) as { data: readonly { readonly status: string }[] }; // LiveCall[]
      expect(data.map(({ status }) => status)).toContain('in_progress');
    },
    { timeoutMs: 30_000 },
  );

const callLog = async (
  platform: RunningPlatform,
  { account }: Caller,
  callId: string,
): Promise<{ readonly endedAt: string }> => {
  const response = await fetch(`${platform.api}/calls/${callId}`, { headers: account.headers });
  return ((await response.json()) as { data: { endedAt: string } }).data; // the contract's CallLog
};

(isInstalled ? describe : describe.skip)('kill -9 in the middle of real calls', () => {
  let platform: RunningPlatform;
  let from: Caller;

  beforeAll(async () => {
    platform = await runOnRealMedia(['--dialers', '2']);
    const accounts = new Accounts(platform);
    const account = await accounts.create('killed');
    await accounts.allowManyCalls(account);
    from = {
      account,
      agentId: await accounts.agent(account),
      fromNumber: await accounts.number(account),
    };
  }, 300_000);
  afterAll(() => platform?.remove());

  it.each([
    ['dialer', '10'],
    ['livekit-sip', '11'],
    ['redis-server', '12'],
    ['livekit-server', '13'],
  ] as const)(
    'of %s: one INVITE at most for each attempt, and an outcome for all',
    async (program, area) => {
      const numbers = endings.map((ending) => `+1415555${area}${ending}`);
      const ids = await placeCalls(platform, from, numbers, ringingSeconds);
      const before = await heardByTelephones(platform);
      await eventually(async () => {
        const rung = [...(await heardByTelephones(platform))].filter(
          ([room, { rings }]) => rings > (before.get(room)?.rings ?? 0),
        );
        expect(rung.length).toBeGreaterThanOrEqual(2);
      });
      if (program === 'livekit-sip') await untilTalking(platform, from);
      const killedAt = Date.now();
      killProgram(platform, program);

      // Throws where a call has no end in time: its ringing, the margin of its deadline, and the conversation are far shorter.
      const calls = await untilOver(platform, from.account, ids);

      for (const { phoneNumber, attempts } of calls)
        for (const { dials, rings, endedReason } of attempts) {
          expect([phoneNumber, dials <= 1, rings <= 1]).toEqual([phoneNumber, true, true]);
          if (rings > 0) expect(endedReason).not.toMatch(/^provider_(unavailable|rejected)$/);
        }
      // The agent is still there, and hears nothing any more: that is no end of its own, and no talk.
      if (program === 'livekit-sip') {
        expect(calls.map(({ endedReason }) => endedReason)).toContain('media_failure');
        for (const { endedReason, callId } of calls) {
          expect(endedReason).not.toBe('agent_hangup');
          if (endedReason !== 'media_failure' || callId === null) continue;
          const { endedAt } = await callLog(platform, from, callId);
          expect(Date.parse(endedAt)).toBeLessThan(killedAt + 2_000);
        }
      }
      // The program is back, and the next call is an ordinary one.
      await eventually(
        async () => {
          const [id = ''] = await placeCalls(platform, from, [`+1415555${area}80`], ringingSeconds);
          const [next] = await untilOver(platform, from.account, [id]);
          expect(next).toMatchObject({ status: 'no_answer', endedReason: 'declined' });
        },
        { timeoutMs: 60_000, intervalMs: 2_000 },
      );
    },
    300_000,
  );
});
