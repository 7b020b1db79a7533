// The main job, end to end: a number is bought, a spreadsheet uploaded, and every recipient called. All reports of it
// agree with the ledger of the simulated phones. The same as `npm run tour`, with fewer people.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerEntry, readLedger } from '@parlance/fake-livekit';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { silent, tour } from '@parlance/tour';
import { type Account, Accounts } from './testing/accounts.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const people = fileURLToPath(new URL('../../../examples/tour/people.csv', import.meta.url));
/** One or two recipients of every kind, except the kind that is given up as unknown only after more than a minute. */
const endings = [
  '00',
  '01',
  '02',
  '30',
  '58',
  '60',
  '70',
  '71',
  '80',
  '85',
  '90',
  '94',
  '95',
  '97',
  '98',
  '99',
];

/** Every part, simulated or not, has to take these from the environment: with two values no call would be answered. */
const ofTheEnvironment = {
  INTERNAL_API_KEY: 'an internal key that the environment sets',
  CALLER_SIGNING_KEY: 'a signing key that the environment sets',
  LIVEKIT_API_SECRET: 'a media secret that the environment sets',
  TWILIO_AUTH_TOKEN: 'a provider token that the environment sets',
  VOICE_AGENT_NAME: 'a-name-of-the-environment',
};

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await runPlatform({ RATE_LIMIT_READ_PER_MINUTE: '100000', ...ofTheEnvironment });
}, 240_000);
afterAll(() => platform?.remove());

describe('a first campaign', () => {
  it('calls everybody once, sums at every look, asks tool and document for each, and is told alike everywhere', async () => {
    const [header = '', ...rows] = readFileSync(people, 'utf8').trim().split('\n');
    const chosen = rows.filter((row) => endings.some((ending) => row.startsWith(`+141555501${ending}`)));
    const file = join(platform.dataDir, 'people.csv');
    writeFileSync(file, [header, ...chosen].join('\n'));
    const { faults, unchecked } = await tour({
      credentials: { url: platform.url, email: platform.demo.email, password: platform.demo.password },
      file,
      phones: 'simulated',
      practice: new DataFolder(platform.dataDir).state().practice,
      ledger: join(platform.dataDir, 'ledger.jsonl'),
      limitMs: 180_000,
      narrator: silent,
    });
    expect(chosen).toHaveLength(endings.length);
    expect([faults, unchecked]).toEqual([[], []]);
  }, 240_000);

  it('works twice at once: each tour holds its own calls, and says which figures it shares', async () => {
    // An organization calls no number twice at a time.
    const files = [0, 1].map((unit) => {
      const file = join(platform.dataDir, `two-people-${unit}.csv`);
      const people = [`+1415555010${unit},Ada`, `+1415555017${unit},Jo`];
      const rows = [
        'phone_number,name,appointment,doctor',
        ...people.map((one) => `${one},Monday,Dr. Weber`),
      ];
      writeFileSync(file, rows.join('\n'));
      return file;
    });
    const options = {
      credentials: { url: platform.url, email: platform.demo.email, password: platform.demo.password },
      phones: 'simulated',
      practice: new DataFolder(platform.dataDir).state().practice,
      ledger: join(platform.dataDir, 'ledger.jsonl'),
      limitMs: 180_000,
      narrator: silent,
    } as const;
    const found = await Promise.all(files.map((file) => tour({ ...options, file })));
    for (const { faults, unchecked } of found)
      expect([faults, unchecked]).toEqual([[], [expect.stringContaining('other calls took place')]]);
  }, 240_000);
});

describe('a call from a number of its organization', () => {
  interface Call {
    readonly id: string;
    readonly callId: string;
    readonly roomName: string | null;
    readonly phoneNumber: string;
  }
  let account: Account;
  let agentId: string;
  let fromNumber: string;
  beforeAll(async () => {
    const accounts = new Accounts(platform);
    account = await accounts.create('operator');
    agentId = await accounts.agent(account);
    fromNumber = await accounts.number(account);
  });

  const ask = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }> => {
    const credentials = { cookie: account.cookie, origin: platform.url };
    const response = await fetch(`${platform.api}${path}`, {
      method,
      headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const data = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { status, text } = await ask(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answers ${status} ${text}`);
    return (JSON.parse(text) as { data: T }).data; // as the contract declares it
  };
  const refusal = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { status, text } = await ask(method, path, body);
    return [status, (JSON.parse(text) as { error?: { code: string } }).error?.code]; // the contract's ErrorBody
  };
  const dial = (phoneNumber: string): Promise<Call> =>
    data('POST', '/outbound-calls/quick', { agentId, phoneNumber, fromNumber, ringingTimeoutSeconds: 60 });
  const until = (id: string, expected: object): Promise<Call> =>
    eventually(
      async () => {
        const call = await data<Call>('GET', `/outbound-calls/${id}`);
        expect(call).toMatchObject(expected);
        return call;
      },
      { timeoutMs: 60_000, intervalMs: 100 },
    );

  it('is cancelled when an operator ends it while it rings, and tells so everywhere', async () => {
    const { id } = await dial('+14155550160');
    const { roomName } = await eventually(
      async () => {
        const [ringing] = await data<readonly Call[]>('GET', '/calls/live');
        expect(ringing).toMatchObject({ status: 'ringing', roomName: expect.any(String) });
        return { roomName: ringing?.roomName };
      },
      { timeoutMs: 60_000, intervalMs: 100 },
    );
    await data('POST', '/calls/live/end', { roomName });
    const cut = { status: 'cancelled', outcome: 'cancelled', endedReason: 'operator_ended' };
    const { callId } = await until(id, { ...cut, retryable: false });
    // The log follows the dialer's facts about a call a moment later.
    await eventually(async () => expect(await data('GET', `/calls/${callId}`)).toMatchObject(cut));
    expect(await refusal('POST', `/outbound-calls/${id}/retry`)).toEqual([409, 'CALL_NOT_RETRYABLE']);
  }, 120_000);

  it("leaves through the trunk of its number's provider, and never through the other's", async () => {
    const telnyx = await new Accounts(platform).buyNumber(account, 'TELNYX');
    const phoneNumbers = ['+14155550170', '+14155550171', '+14155550172'];
    const call = async (phoneNumber: string, from: string): Promise<void> => {
      const body = { agentId, phoneNumber, fromNumber: from };
      const { id } = await data<Call>('POST', '/outbound-calls/quick', body);
      await until(id, { status: 'busy' });
    };
    // An organization calls no number twice at a time.
    for (const from of [fromNumber, telnyx])
      await Promise.all(phoneNumbers.map((phoneNumber) => call(phoneNumber, from)));
    const trunks = JSON.parse(readFileSync(join(platform.dataDir, 'livekit/trunks.json'), 'utf8')) as {
      readonly sipTrunkId: string;
      readonly name: string;
    }[]; // the library's own words
    const nameOf = new Map(trunks.map(({ sipTrunkId, name }) => [sipTrunkId, name]));
    const dials: LedgerEntry[] = [];
    for await (const entry of readLedger(join(platform.dataDir, 'ledger.jsonl')))
      if (entry.kind === 'dial') dials.push(entry);
    const left = (from: string) =>
      new Set(dials.filter((dial) => dial.from === from).map(({ trunkId = '' }) => nameOf.get(trunkId)));
    expect(left(fromNumber)).toEqual(new Set(['parlance:main:TWILIO']));
    expect(left(telnyx)).toEqual(new Set(['parlance:main:TELNYX']));
  }, 120_000);

  it('is never made again once the number was given back, and no dial is begun after that is answered', async () => {
    const { id } = await dial('+14155550170');
    await until(id, { status: 'busy' });
    const numbers = await data<readonly Call[]>('GET', '/numbers');
    const number = numbers.find(({ phoneNumber }) => phoneNumber === fromNumber);
    await data('DELETE', `/numbers/${number?.id}`);
    const ledger = () => readFileSync(join(platform.dataDir, 'ledger.jsonl'), 'utf8');
    const before = ledger();
    expect(await refusal('POST', `/outbound-calls/${id}/retry`)).toEqual([422, 'CALLER_NUMBER_NOT_OWNED']);
    const again = { agentId, phoneNumber: '+14155550101', fromNumber };
    expect(await refusal('POST', '/outbound-calls/quick', again)).toEqual([404, 'NUMBER_NOT_FOUND']);
    const named = { ...again, provider: 'TWILIO', sid: `PN${'0'.repeat(32)}` };
    expect(await refusal('POST', '/outbound-calls/quick', named)).toEqual([422, 'CALLER_NUMBER_NOT_OWNED']);
    expect(ledger()).toBe(before);
  }, 120_000);
});
