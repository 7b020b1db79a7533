// Numbers, spreadsheets and campaigns as strangers send them: one clear refusal each, nothing bought, nothing half done,
// and no phone rings.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts } from './testing/accounts.js';
import { campaigns, routes, suppressions, uploads } from './testing/bad-campaigns.js';
import { badFiles } from './testing/bad-files.js';
import type { Refusal } from './testing/bad-inputs.js';
import { ownLedger } from './testing/own-ledger.js';
import { type Reply, send, toRefusal } from './testing/refusals.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

const suppressed = '+14155550150';
const callee = '+14155550100';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Offer {
  readonly phoneNumber: string;
  readonly quoteId: string;
}
interface Bought {
  readonly phoneNumber: string;
  readonly providerNumberId: string;
}
interface Thing {
  readonly id: string;
  readonly status: string;
}
interface Campaign extends Thing {
  readonly statusReason: string | null;
  readonly progress: { readonly total: number };
  readonly file: { readonly errors: readonly { readonly code: string }[] };
}
interface Upload {
  readonly uploadUrl: string;
  readonly sourceFileKey: string;
}

let platform: SharedPlatform;
let ours: Account;
let theirs: Account;
let agentId: string;
/** Bought, and its quote used; a campaign of tomorrow calls from it. */
let own: Offer;
let ownId: string;
let notOurs: Offer;
/** Numbers that are for sale to us, with their quotes. */
let offers: readonly Offer[];
let foreignOffers: readonly Offer[];
let fileKey: string;
let foreignKey: string;
let foreignSuppression: string;
let endedCall: string;
let before: unknown;

const ask = (
  account: Account,
  method: string,
  path: string,
  value?: unknown,
  credentials = account.headers,
): Promise<Reply> =>
  send(`${platform.api}${path}`, {
    method,
    headers: { ...credentials, ...(value === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(value === undefined ? {} : { body: JSON.stringify(value) }),
  });
const refusal = async (...request: Parameters<typeof ask>): Promise<Refusal> =>
  toRefusal(await ask(...request));
const done = async <T>(...request: Parameters<typeof ask>): Promise<T> => {
  const { status, text } = await ask(...request);
  if (status >= 300) throw new Error(`${request[1]} ${request[2]} answers ${status} ${text}`);
  return (JSON.parse(text) as { data: T }).data; // as the contract declares it
};
const inPerson = ({ cookie }: Account): Record<string, string> => ({ cookie, origin: platform.url });
/** In an area in which no other suite buys a number. */
const search = (account: Account): Promise<readonly Offer[]> =>
  done(account, 'GET', '/numbers/search?provider=TWILIO&country=US&areaCode=617&limit=5');
const pick = (found: readonly Offer[], place: number): Offer => {
  const offer = found[place];
  if (offer === undefined) throw new Error('nothing is for sale');
  return offer;
};
const buy = (account: Account, { phoneNumber, quoteId }: Partial<Offer>, provider = 'TWILIO') =>
  ask(account, 'POST', '/numbers', { provider, phoneNumber, quoteId }, inPerson(account));

const upload = async (account: Account, fileName: string, content: string | Buffer): Promise<string> => {
  const contentType = fileName.endsWith('.xlsx') ? spreadsheet : 'text/csv';
  const query = new URLSearchParams({ fileName, contentType });
  const to = await done<Upload>(account, 'GET', `/outbound-calls/batch-upload-url?${query}`);
  const body = typeof content === 'string' ? content : new Uint8Array(content);
  const { ok } = await fetch(to.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body,
  });
  expect(ok).toBe(true);
  return to.sourceFileKey;
};
const campaignOf = (change: object = {}) => ({
  name: 'Good',
  agentId,
  fromNumber: own.phoneNumber,
  sourceFileKey: fileKey,
  sourceFileName: 'people.csv',
  ...change,
});
const batches = '/outbound-calls/batches';
/** The outcome of a campaign. */
const outcomeOf = async (change: object): Promise<Campaign> => {
  const { id } = await done<Thing>(ours, 'POST', batches, campaignOf(change));
  return eventually(
    async () => {
      const campaign = await done<Campaign>(ours, 'GET', `${batches}/${id}`);
      expect(campaign.status).toBe('failed');
      return campaign;
    },
    { timeoutMs: 150_000, intervalMs: 500 },
  );
};

/** All that providers and the media server were asked for but by other suites: dialled, bought, released. */
const ledger = () =>
  ownLedger(
    platform.dataDir,
    [own, notOurs, ...offers, ...foreignOffers].map(({ phoneNumber }) => phoneNumber),
  );
/** All data that the interface shows, apart from campaigns that failed. */
const everything = async (): Promise<unknown> => {
  const all = await done<readonly Campaign[]>(ours, 'GET', batches);
  return {
    ledger: await ledger(),
    ourNumbers: await done(ours, 'GET', '/numbers'),
    theirNumbers: await done(theirs, 'GET', '/numbers'),
    outboundCalls: await done(ours, 'GET', '/outbound-calls?limit=100'),
    suppressions: await done(ours, 'GET', '/suppressions'),
    theirSuppressions: await done(theirs, 'GET', '/suppressions'),
    campaigns: all.filter(({ status }) => status !== 'failed'),
  };
};

const makeCall = async (): Promise<string> => {
  const body = { agentId, phoneNumber: callee, fromNumber: own.phoneNumber };
  const { id } = await done<Thing>(ours, 'POST', '/outbound-calls/quick', body);
  return eventually(
    async () => {
      expect(await done<readonly Thing[]>(ours, 'GET', '/outbound-calls')).toMatchObject([
        { id, status: 'completed' },
      ]);
      return id;
    },
    { timeoutMs: 60_000, intervalMs: 200 },
  );
};

const planTomorrow = async (): Promise<void> => {
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const { id } = await done<Thing>(ours, 'POST', batches, campaignOf({ scheduledAt }));
  // The list, which is compared at the end, follows the campaign's stream a moment later.
  await eventually(
    async () => {
      const listed = await done<readonly Campaign[]>(ours, 'GET', batches);
      expect(listed.find((campaign) => campaign.id === id)).toMatchObject({ status: 'scheduled' });
    },
    { timeoutMs: 60_000, intervalMs: 100 },
  );
};

beforeAll(async () => {
  platform = await sharedPlatform('plain');
  const accounts = new Accounts(platform);
  ours = await accounts.create('ours');
  theirs = await accounts.create('theirs');
  agentId = await accounts.agent(ours);
  own = pick(await search(ours), 0);
  const bought = await buy(ours, own);
  expect(bought.status).toBe(201);
  ownId = (JSON.parse(bought.text) as { data: Thing }).data.id; // as the contract declares it
  notOurs = pick(await search(theirs), 0);
  expect((await buy(theirs, notOurs)).status).toBe(201);
  offers = await search(ours);
  foreignOffers = await search(theirs);
  const people = `phone_number\n${callee}\n`;
  fileKey = await upload(ours, 'people.csv', people);
  foreignKey = await upload(theirs, 'people.csv', people);
  await done(ours, 'POST', '/suppressions', { phoneNumbers: [suppressed] });
  const entries = await done<readonly Thing[]>(theirs, 'POST', '/suppressions', { phoneNumbers: [callee] });
  foreignSuppression = String(entries[0]?.id);
  endedCall = await makeCall();
  await planTomorrow();
  before = await everything();
}, 240_000);

afterAll(() => platform?.release());

describe('a number is not bought', () => {
  const invalid: Refusal = [400, 'QUOTE_INVALID'];
  const refused = async (wanted: Partial<Offer>, provider?: string): Promise<Refusal> =>
    toRefusal(await buy(ours, wanted, provider));

  it('without a quote', async () => {
    expect(await refused({ phoneNumber: pick(offers, 0).phoneNumber })).toEqual([400, 'QUOTE_REQUIRED']);
  });
  it('for a quote that is tampered with, wherever it is', async () => {
    const { phoneNumber, quoteId } = pick(offers, 0);
    for (let place = 0; place < quoteId.length; place += 9) {
      const other = quoteId[place] === 'A' ? 'B' : 'A';
      const changed = `${quoteId.slice(0, place)}${other}${quoteId.slice(place + 1)}`;
      expect([place, await refused({ phoneNumber, quoteId: changed })]).toEqual([place, invalid]);
    }
    for (const changed of [
      `${quoteId}A`,
      `${quoteId}.`,
      quoteId.slice(0, -1),
      quoteId.split('.')[0],
      '.',
      'x',
    ])
      expect(await refused({ phoneNumber, quoteId: String(changed) })).toEqual(invalid);
  });
  it('for a lower price, with the signature of the true one', async () => {
    const { phoneNumber, quoteId } = pick(offers, 0);
    const [payload = '', signature] = quoteId.split('.');
    const terms = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), monthlyPriceMicros: 1 };
    const changed = `${Buffer.from(JSON.stringify(terms)).toString('base64url')}.${signature}`;
    expect(await refused({ phoneNumber, quoteId: changed })).toEqual(invalid);
  });
  it("for another organization's quote", async () => {
    expect(await refused(pick(foreignOffers, 0))).toEqual(invalid);
  });
  it("for another number's quote, or at another provider", async () => {
    const [one, other] = [pick(offers, 0), pick(offers, 1)];
    expect(await refused({ phoneNumber: one.phoneNumber, quoteId: other.quoteId })).toEqual(invalid);
    expect(await refused(one, 'TELNYX')).toEqual(invalid);
  });
  it('for a quote that was used', async () => {
    expect(await refused(own)).toEqual([409, 'QUOTE_ALREADY_USED']);
  });
  it.each(['911', '4155550142', '+1', 'sip:x@example.com'])('called %s', async (phoneNumber) => {
    const { quoteId } = pick(offers, 0);
    expect(await refused({ phoneNumber, quoteId })).toEqual([400, 'INVALID_PHONE_NUMBER']);
  });
  it('by an API key', async () => {
    const body = { provider: 'TWILIO', ...pick(offers, 0) };
    expect(await refusal(ours, 'POST', '/numbers', body)).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });
});

describe('a number is not given back', () => {
  const release = (account: Account, credentials = inPerson(account)): Promise<Refusal> =>
    refusal(account, 'DELETE', `/numbers/${ownId}`, undefined, credentials);

  it('while a campaign is going to call from it', async () => {
    expect(await release(ours)).toEqual([409, 'NUMBER_IN_USE']);
  });
  it('by another organization', async () => {
    expect(await release(theirs)).toEqual([404, 'NUMBER_NOT_FOUND']);
  });
  it('by an API key', async () => {
    expect(await release(ours, ours.headers)).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });
});

describe('a call is not placed', () => {
  const refused = (change: object): Promise<Refusal> =>
    refusal(ours, 'POST', '/outbound-calls/quick', {
      ...{ agentId, phoneNumber: callee, fromNumber: own.phoneNumber },
      ...change,
    });

  it('to a suppressed number', async () => {
    expect(await refused({ phoneNumber: suppressed })).toEqual([422, 'SUPPRESSED_DNC']);
  });
  it('to the number that it comes from', async () => {
    expect(await refused({ phoneNumber: own.phoneNumber })).toEqual([422, 'DESTINATION_NOT_ALLOWED']);
  });
  it.each(['911', '112', '+19005550123'])('to %s', async (phoneNumber) => {
    expect(await refused({ phoneNumber })).toEqual([422, 'DESTINATION_NOT_ALLOWED']);
  });
  it("from a number that is nobody's, or another organization's", async () => {
    for (const fromNumber of ['+14155550142', pick(offers, 0).phoneNumber, notOurs.phoneNumber])
      expect(await refused({ fromNumber })).toEqual([404, 'NUMBER_NOT_FOUND']);
  });
  it("from another organization's number that is said to be kept elsewhere", async () => {
    const bought = await done<readonly Bought[]>(theirs, 'GET', '/numbers');
    const sid = bought.find(({ phoneNumber }) => phoneNumber === notOurs.phoneNumber)?.providerNumberId;
    expect(sid).toMatch(/^PN/);
    const change = { fromNumber: notOurs.phoneNumber, provider: 'TWILIO', sid };
    expect(await refused(change)).toEqual([422, 'CALLER_NUMBER_NOT_OWNED']);
    expect(await refused({ ...change, sid: undefined })).toEqual([404, 'NUMBER_NOT_FOUND']);
  });
  it.each([9, 181])('that rings for %i s', async (ringingTimeoutSeconds) => {
    expect(await refused({ ringingTimeoutSeconds })).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('again, or cancelled, when it was completed', async () => {
    const path = `/outbound-calls/${endedCall}`;
    expect(await refusal(ours, 'POST', `${path}/retry`)).toEqual([409, 'CALL_NOT_RETRYABLE']);
    expect(await refusal(ours, 'POST', `${path}/cancel`)).toEqual([409, 'CALL_NOT_CANCELLABLE']);
  });
  it('again, or cancelled, for another organization', async () => {
    const path = `/outbound-calls/${endedCall}`;
    for (const step of ['retry', 'cancel'])
      expect(await refusal(theirs, 'POST', `${path}/${step}`)).toEqual([404, 'OUTBOUND_CALL_NOT_FOUND']);
  });
});

describe('a campaign', () => {
  it.each(campaigns)('with %s is not created', async (_, change, refused) => {
    expect(await refusal(ours, 'POST', batches, campaignOf(change))).toEqual(refused);
  });
  it("with another organization's number, agent or file is not created", async () => {
    const number = campaignOf({ fromNumber: notOurs.phoneNumber });
    expect(await refusal(ours, 'POST', batches, number)).toEqual([404, 'NUMBER_NOT_FOUND']);
    const file = campaignOf({ sourceFileKey: foreignKey });
    expect(await refusal(ours, 'POST', batches, file)).toEqual([404, 'UPLOAD_NOT_FOUND']);
    const agent = campaignOf({ fromNumber: notOurs.phoneNumber, sourceFileKey: foreignKey });
    expect(await refusal(theirs, 'POST', batches, agent)).toEqual([404, 'AGENT_NOT_FOUND']);
  });
  it('with a file that was never uploaded is not created', async () => {
    const query = 'fileName=people.csv&contentType=text/csv';
    const { sourceFileKey } = await done<Upload>(ours, 'GET', `/outbound-calls/batch-upload-url?${query}`);
    const detour = fileKey.replace('/batches/', '/batches/../batches/');
    for (const key of [sourceFileKey, `${fileKey}x`, detour, `/${fileKey}`])
      expect(await refusal(ours, 'POST', batches, campaignOf({ sourceFileKey: key }))).toEqual([
        404,
        'UPLOAD_NOT_FOUND',
      ]);
  });
  it.each(uploads)('gets no address to upload %j as %j to', async (fileName, contentType) => {
    const query = new URLSearchParams({ fileName, contentType });
    const path = `/outbound-calls/batch-upload-url?${query}`;
    expect(await refusal(ours, 'GET', path)).toEqual([400, 'VALIDATION_ERROR']);
  });
  it.each(['../../../etc/passwd.csv', '..\\..\\boot.csv', '/etc/people.csv', '%2e%2e%2fpeople.csv'])(
    'whose file is called %s stays in its folder',
    async (fileName) => {
      const query = new URLSearchParams({ fileName, contentType: 'text/csv' });
      const path = `/outbound-calls/batch-upload-url?${query}`;
      const { sourceFileKey } = await done<Upload>(ours, 'GET', path);
      expect(sourceFileKey).toMatch(/^org\/[^/]+\/batches\/[0-9a-f-]{36}\/[A-Za-z0-9_-]+\.csv$/);
      expect(sourceFileKey.split('/').slice(0, 3)).toEqual(fileKey.split('/').slice(0, 3));
    },
  );

  describe('of a file that cannot be read', () => {
    /** The dialer looks for files once a second, and then reads all that wait: they are there together. */
    const outcomes = new Map<string, { readonly campaign: Campaign; readonly code: string }>();
    beforeAll(async () => {
      const created = Object.entries(badFiles).map(async ([name, make]) => {
        const { fileName, content, sourceFileName = fileName, code } = make();
        const sourceFileKey = await upload(ours, fileName, content);
        outcomes.set(name, { code, campaign: await outcomeOf({ sourceFileKey, sourceFileName }) });
      });
      await Promise.all(created);
    }, 180_000);

    it.each(Object.keys(badFiles))('with %s fails, says why, and has nobody to call', async (name) => {
      const { campaign, code } = outcomes.get(name) ?? {};
      expect(campaign).toMatchObject({ statusReason: code, progress: { total: 0 } });
      const cancel = await refusal(ours, 'POST', `${batches}/${campaign?.id}/cancel`);
      expect(cancel).toEqual([409, 'CAMPAIGN_NOT_CANCELLABLE']);
    });
  });

  it('of nobody but suppressed numbers fails, and its file says so', async () => {
    const sourceFileKey = await upload(ours, 'people.csv', `phone_number\n${suppressed}\n`);
    const { statusReason, file } = await outcomeOf({ sourceFileKey });
    expect([statusReason, file.errors.map(({ code }) => code)]).toEqual(['FILE_INVALID', ['SUPPRESSED']]);
  });
});

describe('the suppression list', () => {
  it.each(suppressions)('does not take %s', async (_, body, refused) => {
    expect(await refusal(ours, 'POST', '/suppressions', body)).toEqual(refused);
  });
  it("keeps another organization's entry", async () => {
    const path = `/suppressions/${foreignSuppression}`;
    expect(await refusal(ours, 'DELETE', path)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('an address', () => {
  it.each(routes)('%s %s is refused', async (method, path, refused) => {
    expect(await refusal(ours, method, path)).toEqual(refused);
  });
  it('of campaigns is not that of an outbound call', async () => {
    expect(await done<readonly Campaign[]>(ours, 'GET', batches)).toBeInstanceOf(Array);
  });
});

describe('after all that', () => {
  it('no phone rang, nothing was bought, and no campaign is left half done', async () => {
    await eventually(async () => expect(await everything()).toEqual(before), {
      timeoutMs: 60_000,
      intervalMs: 200,
    });
  });
});
