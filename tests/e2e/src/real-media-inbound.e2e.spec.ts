// The whole platform on real media: LiveKit's own programs, telephones on the wire, the voice runtime. A telephone calls in,
// and the call log tells it with the keys that were really heard.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { hasRealMedia, runOnRealMedia } from './testing/real-media.js';
import type { RunningPlatform } from './testing/running-platform.js';

interface Call {
  readonly id: string;
}

(hasRealMedia() ? describe : describe.skip)('a platform on real media', () => {
  let platform: RunningPlatform;
  let account: Account;
  let agentId: string;
  let bought: string;
  beforeAll(async () => {
    platform = await runOnRealMedia();
    const accounts = new Accounts(platform);
    account = await accounts.create('operator');
    agentId = await accounts.agent(account);
    bought = await accounts.number(account);
  }, 240_000);
  afterAll(() => platform?.remove());

  const data = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${platform.api}${path}`, {
      method,
      headers: { cookie: account.cookie, origin: platform.url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T }; // as the contract declares it
    if (!response.ok)
      throw new Error(`${method} ${path} answers ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const wordsOf = async (callId: string): Promise<string> => {
    const turns = await data<readonly { role: string; text: string }[]>(
      'GET',
      `/calls/${callId}/transcripts`,
    );
    return turns.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n');
  };
  const patient = { timeoutMs: 90_000, intervalMs: 250 };

  it('answers a telephone that calls a bought number, and has the call in its log with the keys that it heard', async () => {
    const numbers = await data<readonly { id: string; phoneNumber: string }[]>('GET', '/numbers');
    const { id } = numbers.find(({ phoneNumber }) => phoneNumber === bought) ?? { id: '' };
    await data('PATCH', `/numbers/${id}`, { agentId });
    const folder = new DataFolder(platform.dataDir);
    const from = '+4915112345566';
    const ringing = fetch(
      `http://127.0.0.1:${folder.state().ports['telephones-control']}/sandbox/inbound-calls`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${folder.secrets().faultControlToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ from, to: bought, talkSeconds: 60 }),
      },
    );
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
});
