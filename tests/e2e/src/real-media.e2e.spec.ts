// Every behaviour of a telephone, once as a quick call, through the whole platform and a real LiveKit. Held against the
// telephones: however a call goes, an attempt is one INVITE at most. Skipped where the programs are not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveCall } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { planted, plantWords } from './testing/planted.js';
import { type Caller, type CallOnWire, placeCalls, untilOver } from './testing/quick-calls.js';
import { hasRealMedia, runOnRealMedia } from './testing/real-media.js';
import type { RunningPlatform } from './testing/running-platform.js';
import { endWitnesses, visitorToken, witness } from './testing/witness.js';

const isInstalled = hasRealMedia();

interface Expected {
  readonly digits: string;
  readonly behaviour: string;
  readonly status: string;
  readonly outcome: string;
  readonly endedReason: string | RegExp;
  /** Of the last attempt. */
  readonly sipStatus: number | null;
  /** Those that were dialled. */
  readonly attempts: number;
  /** Of all attempts together. */
  readonly rings: number;
}

const answered = { status: 'completed', outcome: 'answered', sipStatus: null, attempts: 1, rings: 1 };
const noAnswer = { status: 'no_answer', outcome: 'no_answer', attempts: 1 };
const failed = { status: 'failed', outcome: 'failed', attempts: 1, rings: 0 };

const expected: readonly Expected[] = [
  { digits: '0100', behaviour: 'answers and talks', ...answered, endedReason: 'agent_hangup' },
  {
    digits: '0160',
    behaviour: 'rings out',
    ...noAnswer,
    endedReason: 'no_answer',
    sipStatus: null,
    rings: 1,
  },
  {
    digits: '0170',
    behaviour: 'is busy',
    status: 'busy',
    outcome: 'busy',
    endedReason: 'busy',
    sipStatus: 486,
    attempts: 1,
    rings: 1,
  },
  { digits: '0180', behaviour: 'declines', ...noAnswer, endedReason: 'declined', sipStatus: 603, rings: 1 },
  {
    digits: '0185',
    behaviour: 'is a voicemail',
    ...answered,
    outcome: 'voicemail',
    endedReason: 'voicemail_reached',
  },
  {
    digits: '0190',
    behaviour: 'does not exist',
    ...failed,
    endedReason: 'invalid_destination',
    sipStatus: 404,
  },
  { digits: '0194', behaviour: 'answers at the last moment', ...answered, endedReason: 'agent_hangup' },
  {
    digits: '0195',
    behaviour: 'is refused for haste once',
    ...answered,
    attempts: 2,
    endedReason: 'agent_hangup',
  },
  {
    digits: '0196',
    behaviour: 'is behind a carrier that fails',
    ...failed,
    endedReason: 'sip_error',
    sipStatus: 500,
  },
  {
    digits: '0197',
    behaviour: 'answers, and the answer is lost',
    ...noAnswer,
    endedReason: 'no_answer',
    sipStatus: null,
    rings: 1,
  },
  { digits: '0198', behaviour: 'hangs up at once', ...answered, endedReason: 'user_hangup' },
  {
    digits: '9900',
    behaviour: 'never answers the INVITE',
    ...noAnswer,
    endedReason: 'no_answer',
    sipStatus: null,
    rings: 0,
  },
  {
    digits: '9903',
    behaviour: 'is behind a carrier that is away',
    ...failed,
    endedReason: 'sip_error',
    sipStatus: 503,
  },
  {
    digits: '9980',
    behaviour: 'is switched off',
    ...noAnswer,
    endedReason: 'no_answer',
    sipStatus: 480,
    rings: 0,
  },
  { digits: '9983', behaviour: 'sends early media, then answers', ...answered, endedReason: 'agent_hangup' },
];

(isInstalled ? describe : describe.skip)('a quick call on real media, to a telephone that', () => {
  let platform: RunningPlatform;
  let account: Account;
  let from: Caller;
  const calls = new Map<string, CallOnWire>();

  beforeAll(async () => {
    platform = await runOnRealMedia();
    const accounts = new Accounts(platform);
    account = await accounts.create('telephones');
    await accounts.allowManyCalls(account);
    from = {
      account,
      agentId: await accounts.agent(account),
      fromNumber: await accounts.number(account),
    };
    await plantWords(platform, account, from.agentId);
    const to = expected.map(({ digits }) => `+1415555${digits}`);
    const ids = await placeCalls(platform, from, to);
    for (const call of await untilOver(platform, account, ids)) calls.set(call.phoneNumber.slice(-4), call);
  }, 300_000);
  afterAll(async () => {
    await platform?.remove();
    await endWitnesses();
  });

  it.each(expected.map((one) => [one.behaviour, one] as const))(
    '%s',
    (_, { digits, behaviour, rings, ...end }) => {
      const call = calls.get(digits);
      expect({
        status: call?.status,
        outcome: call?.outcome,
        endedReason: call?.endedReason,
        sipStatus: call?.attempts.at(-1)?.sipStatus,
        // An attempt that a busy dialer gives up before its dial is followed by another, and is not on the wire.
        attempts: call?.attempts.filter(({ dials }) => dials > 0).length,
      }).toEqual(end);
      expect([behaviour, call?.attempts.reduce((sum, one) => sum + one.rings, 0)]).toEqual([
        behaviour,
        rings,
      ]);
      for (const { dials } of call?.attempts ?? []) expect(dials).toBeLessThanOrEqual(1);
    },
  );

  const open = async (path: string, body?: object) => {
    const response = await fetch(`${platform.api}${path}`, {
      headers: { ...account.headers, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: unknown };
  };
  it('is listened to: the listener is told neither prompts nor variables', async () => {
    const folder = new DataFolder(platform.dataDir);
    const { liveKitApiKey: apiKey, liveKitApiSecret: apiSecret } = folder.secrets();
    const serverUrl = `ws://127.0.0.1:${folder.state().ports.livekit}`;
    const phoneNumber = '+14155550107';
    const quick = { agentId: from.agentId, fromNumber: from.fromNumber, phoneNumber };
    await open('/outbound-calls/quick', { ...quick, dynamicVariables: { secret: planted.variable } });
    const { callId, roomName } = await eventually(async () => {
      const { data } = await open('/calls/live');
      const call = (data as LiveCall[]).find((one) => one.toNumber === phoneNumber);
      if (call?.status !== 'in_progress') throw new Error('it is not answered yet');
      return call;
    });
    const token = () => visitorToken({ apiKey, apiSecret }, roomName);
    const listener = await witness(serverUrl, { room: await token(), signalling: await token() });
    try {
      await eventually(() => expect(listener.seen()).toContain(callId));
      for (const [what, words] of Object.entries(planted))
        expect({ what, isSeen: listener.seen().includes(words) }).toEqual({ what, isSeen: false });
    } finally {
      await listener.leave();
    }
  });

  it('answers is in the log, with the digits that it said', async () => {
    const { callId } = calls.get('0100') ?? {};
    await eventually(async () => {
      const response = await fetch(`${platform.api}/calls/${callId}/transcripts`, {
        headers: account.headers,
      });
      expect(response.status).toBe(200);
      const { data } = (await response.json()) as { data: { text: string }[] }; // the contract's Transcript
      expect(data.map(({ text }) => text.replaceAll(' ', '')).join(' ')).toContain('0100');
    });
  });
});
