<<<<<<< HEAD
// Every behaviour of a telephone, once as a quick call, through the whole platform and a real LiveKit. Held against the
// telephones: however a call goes, an attempt is one INVITE at most. Skipped where the programs are not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/testing';
import { type Account, Accounts } from './testing/accounts.js';
import { type CallOnWire, placeCalls, untilOver } from './testing/quick-calls.js';
import { hasRealMedia, runOnRealMedia } from './testing/real-media.js';
import type { RunningPlatform } from './testing/running-platform.js';

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
  const calls = new Map<string, CallOnWire>();

  beforeAll(async () => {
    platform = await runOnRealMedia();
    const accounts = new Accounts(platform);
    account = await accounts.create('telephones');
    await accounts.allowManyCalls(account);
    const from = {
      account,
      agentId: await accounts.agent(account),
      fromNumber: await accounts.number(account),
    };
    const to = expected.map(({ digits }) => `+1415555${digits}`);
    const ids = await placeCalls(platform, from, to);
    for (const call of await untilOver(platform, account, ids)) calls.set(call.phoneNumber.slice(-4), call);
  }, 300_000);
  afterAll(() => platform?.remove(), 30_000);

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
=======
// The whole platform on real media: LiveKit's own programs, telephones on the wire, the voice runtime. A telephone calls in,
// and a telephone is called; the call log tells both with the keys that were really heard.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/testing';
import { DataFolder } from './data-folder.js';
import { findRealMedia } from './real-media-programs.js';
import { type Account, Accounts } from './testing/accounts.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const isInstalled = (): boolean => {
  try {
    findRealMedia();
    return true;
  } catch {
    process.stderr.write(
      'livekit-server, livekit-sip, redis-server, sipp: not all installed, no platform is started on real media\n',
    );
    return false;
  }
};

interface Call {
  readonly id: string;
  readonly callId: string;
}

(isInstalled() ? describe : describe.skip)('a platform on real media', () => {
  let platform: RunningPlatform;
  let account: Account;
  let agentId: string;
  let bought: string;
  beforeAll(async () => {
    platform = await runPlatform({ RATE_LIMIT_READ_PER_MINUTE: '100000' }, ['--real-media']);
    const accounts = new Accounts(platform);
    account = await accounts.create('operator');
    agentId = await accounts.agent(account);
    bought = await accounts.number(account);
  }, 240_000);
  afterAll(() => platform?.remove(), 60_000);

  const data = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${platform.api}${path}`, {
      method,
      headers: { cookie: account.cookie, origin: platform.url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T }; // as the contract declares it
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const wordsOf = async (callId: string): Promise<string> => {
    const turns = await data<readonly { role: string; text: string }[]>('GET', `/calls/${callId}/transcripts`);
    return turns.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n');
  };
  const patient = { timeoutMs: 90_000, intervalMs: 250 };

  it('answers a telephone that calls a bought number, and has the call in its log with the keys that it heard', async () => {
    const numbers = await data<readonly { id: string; phoneNumber: string }[]>('GET', '/numbers');
    const { id } = numbers.find(({ phoneNumber }) => phoneNumber === bought) ?? { id: '' };
    await data('PATCH', `/numbers/${id}`, { agentId });
    const folder = new DataFolder(platform.dataDir);
    const from = '+4915112345566';
    const ringing = fetch(`http://127.0.0.1:${folder.state().ports['telephones-control']}/sandbox/inbound-calls`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${folder.secrets().faultControlToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ from, to: bought, talkSeconds: 60 }),
    });
    await eventually(async () => {
      const live = await data<readonly object[]>('GET', '/calls/live');
      expect(live).toEqual([
        expect.objectContaining({ direction: 'inbound', fromNumber: from, toNumber: bought, agentId }),
      ]);
    }, patient);
    const seen = (await (await ringing).json()) as { status: number; heard: string }; // the control's own words
    expect(seen).toMatchObject({ status: 200, heard: expect.stringContaining('5566') });
    const call = await eventually(async () => {
      const [found] = await data<readonly Call[]>('GET', `/calls?agentId=${agentId}&direction=inbound`);
      expect(found).toMatchObject({
        status: 'completed',
        endedReason: 'agent_hangup',
        channel: 'phone',
        fromNumber: from,
        toNumber: bought,
      });
      return found;
    }, patient);
    expect(await wordsOf(call?.id ?? '')).toContain('5 5 6 6');
  }, 240_000);

  it('calls a telephone, and writes down the keys that it presses', async () => {
    const { id } = await data<Call>('POST', '/outbound-calls/quick', {
      agentId,
      phoneNumber: '+14155551207',
      fromNumber: bought,
    });
    const { callId } = await eventually(async () => {
      const call = await data<Call>('GET', `/outbound-calls/${id}`);
      expect(call).toMatchObject({ status: 'completed', endedReason: 'agent_hangup', attempt: 1 });
      return call;
    }, patient);
    expect(await wordsOf(callId)).toContain('1 2 0 7');
  }, 120_000);
>>>>>>> b1c6961 (feat(tour): npm run tour -- --real-media calls 50 telephones on the wire, and holds the transcripts against them)
});
