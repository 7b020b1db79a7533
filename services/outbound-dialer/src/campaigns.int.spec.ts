// Campaigns as the service serves them: asked over NATS, with a real event store, database and object storage.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, type RequestOf, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { placeRecipient } from './dispatch/place-recipient.js';
import { deleteExpiredUploads } from './import/expired-uploads.js';
import { openRecipient } from './personal-data/sealed-recipients.js';
import { checkCampaign } from './recipients/recipient-counts.js';
import { recipientCallId } from './recipients/recipient-ids.js';
import { claimRecipients } from './recipients/recipients.js';
import { campaignStep } from './repositories/campaign-repository.js';
import { created, report } from './testing/campaign-histories.js';
import { type FileWorld, startFileWorld } from './testing/file-world.js';

type Body = RequestOf<typeof contract.outboundCallsCreateBatch>['body'];

let world: FileWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startFileWorld();
  dialer = await world.startDialer({
    ...world.storageVariables,
    CAMPAIGN_MAX_FILE_BYTES: '1000',
  });
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

const uploadUrl = (who: Caller, fileName = 'people.csv', contentType = 'text/csv', bytes?: number) => {
  const size = bytes === undefined ? {} : { bytes: String(bytes) };
  return world.ask(contract.outboundCallsBatchUploadUrl, { query: { fileName, contentType, ...size } }, who);
};

/** The key of an uploaded file. */
const upload = async (who: Caller, content = 'phone\n+14155550100\n'): Promise<string> => {
  const { uploadUrl: url, sourceFileKey } = await uploadUrl(
    who,
    'people.csv',
    'text/csv',
    Buffer.byteLength(content),
  );
  const stored = await fetch(url, { method: 'PUT', body: content, headers: { 'content-type': 'text/csv' } });
  if (!stored.ok) throw new Error(`not uploaded: ${stored.status}`);
  return sourceFileKey;
};

const createBatch = (who: Caller, body: Body, commandId?: string) =>
  world.ask(contract.outboundCallsCreateBatch, { body }, who, commandId);
const getBatch = (campaignId: string, who: Caller) =>
  world.ask(contract.outboundCallsGetBatch, { params: { campaignId } }, who);
const outcomesOf = (campaignId: string, who: Caller) =>
  world.ask(contract.outboundCallsBatchOutcomes, { params: { campaignId } }, who);
type PeopleQuery = RequestOf<typeof contract.outboundCallsListRecipients>['query'];
const pageOfPeople = (campaignId: string, who: Caller, query: PeopleQuery = {}) =>
  world.askPage(contract.outboundCallsListRecipients, { params: { campaignId }, query }, who);
const peopleOf = async (campaignId: string, who: Caller, query: PeopleQuery = {}) =>
  (await pageOfPeople(campaignId, who, query)).data;
const fileOf = async (campaignId: string, who: Caller): Promise<string> => {
  const request = { params: { campaignId }, query: {}, body: {} };
  const context = { caller: who, requestId: randomUUID() };
  let file = '';
  for await (const { data } of await world.rpc.open(contract.outboundCallsExportRecipients, request, context))
    file += Object(data).text;
  return file;
};
const cancelBatch = (campaignId: string, who: Caller) =>
  world.ask(contract.outboundCallsCancelBatch, { params: { campaignId } }, who);
const listBatches = (who: Caller, agentId?: string) =>
  world.ask(contract.outboundCallsListBatches, { query: agentId === undefined ? {} : { agentId } }, who);

/** An organization with an agent of its own. */
const organization = (agent: object = {}) => {
  const who = ownerOf();
  const agentId = randomUUID();
  world.agents.set(agentId, {
    ...{
      agentId,
      name: 'Ada',
      isActive: true,
      configVersion: 3,
      allowedOverrides: ['firstMessage'],
      maxDurationSeconds: 600,
      language: 'en',
    },
    ...agent,
  });
  const body = async (change: Partial<Body> = {}): Promise<Body> => ({
    ...{ name: 'Spring', agentId, fromNumber: '+14155550142', sourceFileName: 'people.csv' },
    ...{ sourceFileKey: change.sourceFileKey ?? (await upload(who)), scheduledAt: nextYear },
    ...change,
  });
  return { who, agentId, body };
};

/** A campaign for next year with an imported file, with recipients in rows 2 and on. */
const withRecipients = async (rows: number) => {
  const { who, agentId } = organization();
  const { organizationId } = who;
  const id = randomUUID();
  const now = new Date().toISOString();
  const own = { organizationId, agentId, scheduledAt: nextYear, createdAt: now };
  const { personal } = created;
  const create = { type: 'CreateCampaign', created: { ...created.data, ...own }, personal } as const;
  await world.campaigns(id, create, campaignStep(organizationId, id, 'create', now));
  const counted = { ...report, rows, accepted: rows, rejected: 0, duplicates: 0 };
  const record = { type: 'RecordImport', report: counted, now } as const;
  await world.campaigns(id, record, campaignStep(organizationId, id, 'import', now));
  const numbers = Array.from({ length: rows }, (_, index) => index + 2);
  await world.db.query(
    `insert into campaign_recipients (campaign_id, row_number, organization_id, phone_number, time_zones, row, outbound_call_id)
     select $1, r.n, $2, '+14155550100', '{}', '{"variables":{"name":"Grace"},"firstMessage":"Hi","systemPrompt":"no"}', r.id
     from unnest($3::int[], $4::uuid[]) as r (n, id)`,
    [id, who.organizationId, numbers, numbers.map((n) => recipientCallId(id, n))],
  );
  return { id, who, agentId };
};

const claim = (campaignId: string, limit: number) =>
  world.db.transaction((tx) =>
    claimRecipients(tx, { campaignId, holder: 'test', now: new Date(), limit, forMs: 60_000 }),
  );

describe('an upload', () => {
  it('goes to a key of the organization, in a name that is safe', async () => {
    const who = ownerOf();
    const named = await uploadUrl(who, '../Ré sumé (1).CSV', 'text/csv', 9);
    const { uploadUrl: url, sourceFileKey, expiresAt, maxBytes } = named;
    expect(sourceFileKey).toMatch(
      new RegExp(`^org/${who.organizationId}/batches/[0-9a-f-]{36}/[A-Za-z-]+1\\.csv$`),
    );
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
    expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(890_000);
    expect(maxBytes).toBe(1_000);
  });

  it.each([
    ['people.csv', 'application/pdf'],
    ['people.xlsx', 'text/csv'],
  ])('of %s is not %s', async (fileName, contentType) => {
    await expect(uploadUrl(ownerOf(), fileName, contentType)).rejects.toEqual(code('VALIDATION_ERROR'));
  });
});

describe('a campaign', () => {
  it('is answered at once, with what was asked for and what holds otherwise', async () => {
    const { who, agentId, body } = organization();
    const asked = await body({ scheduledAt: nextYear.replace('Z', '+00:00') });
    const campaign = await createBatch(who, asked);
    expect(campaign).toMatchObject({
      ...{ name: 'Spring', agentId, agentName: 'Ada', fromNumber: '+14155550142', status: 'validating' },
      ...{ sourceFileKey: asked.sourceFileKey, scheduledAt: nextYear, statusReason: null },
      ...{ timezone: 'Europe/Madrid', ringingTimeoutSeconds: 30, callsPerSecond: 1, maxConcurrency: null },
      retryPolicy: { maxAttempts: 1, delaySeconds: 300, on: ['busy', 'no_answer'] },
      progress: { total: 0, percent: 0 },
      ...{ estimate: null, costMicros: 0, startedAt: null, createdBy: 'user:u1' },
    });
    expect(await getBatch(campaign.id, who)).toMatchObject({ id: campaign.id, name: 'Spring' });
    await eventually(async () =>
      expect((await listBatches(who, agentId)).map(({ id }) => id)).toEqual([campaign.id]),
    );
    expect(await listBatches(who, randomUUID())).toEqual([]);
    expect(await listBatches(ownerOf())).toEqual([]);
  });

  it('is one, however often it is asked for under one key', async () => {
    const { who, body } = organization();
    const asked = await body();
    const commandId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => createBatch(who, asked, commandId)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([commandId]));
    await eventually(async () => expect(await listBatches(who)).toHaveLength(1));
  });

  it('keeps its agent from being deleted', async () => {
    const { who, agentId, body } = organization();
    const { id } = await createBatch(who, await body());
    const open = () => world.ask(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, who);
    await eventually(async () => expect(await open()).toEqual({ open: 1 }));
    await cancelBatch(id, who);
    await eventually(async () => expect(await open()).toEqual({ open: 0 }));
  });

  it.each([
    ['an agent that does not exist', { agentId: randomUUID() }, {}, 'AGENT_NOT_FOUND'],
    ['an agent that is off', {}, { isActive: false }, 'AGENT_INACTIVE'],
    ['an agent without a configuration', {}, { configVersion: null }, 'AGENT_NOT_CONFIGURED'],
    ['a number of somebody else', { fromNumber: '+14155550199' }, {}, 'NUMBER_NOT_FOUND'],
    ['a file that was never uploaded', { sourceFileKey: 'org/x/batches/1/a.csv' }, {}, 'UPLOAD_NOT_FOUND'],
  ])('is not made with %s', async (_, change, agent, refusal) => {
    world.unowned.add('+14155550199');
    const { who, body } = organization(agent);
    await expect(createBatch(who, await body(change))).rejects.toEqual(code(refusal));
    expect(await listBatches(who)).toEqual([]);
  });

  it('is not made of a file of another organization, or of what is not there', async () => {
    const other = organization();
    const theirs = await upload(other.who);
    const { who, body } = organization();
    await expect(createBatch(who, await body({ sourceFileKey: theirs }))).rejects.toEqual(
      code('UPLOAD_NOT_FOUND'),
    );
    const climbing = `org/${who.organizationId}/batches/../../${theirs.slice(4)}`;
    const absent = `org/${who.organizationId}/batches/1/a.csv`;
    for (const sourceFileKey of [climbing, absent])
      await expect(createBatch(who, await body({ sourceFileKey }))).rejects.toEqual(code('UPLOAD_NOT_FOUND'));
  });

  it('is not made of a file that is too large', async () => {
    const { who, body } = organization();
    await expect(upload(who, 'x'.repeat(1_001))).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
    // Without the service, as one of a lower limit.
    const { sourceFileKey } = await uploadUrl(who);
    const storage = world.connectStorage();
    const url = await storage.presignPut(sourceFileKey, {
      contentType: 'text/csv',
      bytes: 1_001,
      expiresInSeconds: 60,
    });
    storage.close();
    const headers = { 'content-type': 'text/csv' };
    expect((await fetch(url, { method: 'PUT', body: 'x'.repeat(1_001), headers })).status).toBe(200);
    await expect(createBatch(who, await body({ sourceFileKey }))).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
  });

  it('that is unknown, or somebody else’s, is not found', async () => {
    const { id } = await withRecipients(1);
    for (const campaignId of [randomUUID(), id]) {
      await expect(getBatch(campaignId, ownerOf())).rejects.toEqual(code('CAMPAIGN_NOT_FOUND'));
      await expect(cancelBatch(campaignId, ownerOf())).rejects.toEqual(code('CAMPAIGN_NOT_FOUND'));
      await expect(outcomesOf(campaignId, ownerOf())).rejects.toEqual(code('CAMPAIGN_NOT_FOUND'));
      await expect(peopleOf(campaignId, ownerOf())).rejects.toEqual(code('CAMPAIGN_NOT_FOUND'));
      await expect(fileOf(campaignId, ownerOf())).rejects.toEqual(code('CAMPAIGN_NOT_FOUND'));
    }
  });

  it('places calls that are listed like every other, without what the agent does not allow', async () => {
    const { id, who } = await withRecipients(2);
    const [stored] = await claim(id, 1);
    const { state } = await world.campaigns.load(id);
    if (stored === undefined || state.phase === 'absent' || state.personal === null)
      throw new Error('nobody');
    const recipient = { ...stored, ...(await openRecipient(world.personalData, id, stored)) };
    const { created, personal } = state;
    const now = new Date().toISOString();
    const meta = campaignStep(who.organizationId, id, `place:${recipient.rowNumber}`, now);
    await world.calls(
      recipient.outboundCallId,
      placeRecipient({ id, created, personal }, recipient, now),
      meta,
    );
    const list = (query: object = {}) =>
      world.ask(contract.outboundCallsList, { query: { mode: 'batch', ...query } }, who);
    await eventually(async () =>
      expect(await list()).toMatchObject([
        {
          ...{ id: recipient.outboundCallId, mode: 'batch', campaignId: id, rowNumber: 2, status: 'queued' },
          ...{ firstMessage: 'Hi', systemPrompt: null, dynamicVariables: { name: 'Grace' } },
        },
      ]),
    );
    expect(await list({ campaignId: id })).toEqual(await list());
    expect(await list({ campaignId: randomUUID() })).toEqual([]);
    await expect(list({ campaignId: 'mine' })).rejects.toEqual(code('VALIDATION_ERROR'));
    const [called, waiting] = await peopleOf(id, who);
    expect([called?.outboundCallId, waiting?.outboundCallId]).toEqual([recipient.outboundCallId, null]);
  });
});

describe('the people of a campaign', () => {
  const imported = async (content: string, phase: string) => {
    const { who, body } = organization();
    const { id } = await createBatch(who, await body({ sourceFileKey: await upload(who, content) }));
    await eventually(async () => expect((await getBatch(id, who)).status).toBe(phase));
    return { id, who };
  };

  it('are listed with the refused rows of the file, page by page and by state, and come as a file', async () => {
    const rows = '+14155550100,Ada\nnone,Grace\n+14155550100,Ada again\n+14155550101,Edith\n';
    const { id, who } = await imported(`phone,username\n${rows}`, 'scheduled');
    const people = await peopleOf(id, who);
    const reason = { code: 'campaign_scheduled', message: expect.any(String) };
    expect(people).toMatchObject([
      { rowNumber: 2, phoneNumber: '+14155550100', name: 'Ada', state: 'pending', reason },
      { rowNumber: 3, phoneNumber: 'none', state: 'refused', reason: { code: 'INVALID_PHONE' } },
      { rowNumber: 4, phoneNumber: '+14155550100', state: 'refused', reason: { code: 'DUPLICATE' } },
      { rowNumber: 5, name: 'Edith', variables: { username: 'Edith' }, nextAttemptAt: nextYear },
    ]);
    const first = await pageOfPeople(id, who, { limit: '3' });
    expect(first.data).toEqual(people.slice(0, 3));
    const cursor = first.nextCursor ?? '';
    expect((await pageOfPeople(id, who, { limit: '3', cursor })).data).toEqual(people.slice(3));
    expect(await peopleOf(id, who, { state: 'refused' })).toEqual(people.slice(1, 3));
    await expect(peopleOf(id, who, { state: 'refused', cursor })).rejects.toEqual(code('INVALID_CURSOR'));
    expect((await fileOf(id, who)).trimEnd().split('\r\n')).toHaveLength(5);
    await cancelBatch(id, who);
    expect((await peopleOf(id, who, { state: 'cancelled' })).map(({ rowNumber }) => rowNumber)).toEqual([
      2, 5,
    ]);
  });

  it('are listed a page at a time, and a cursor is good for its list, filter and organization alone', async () => {
    const { id, who } = await imported('phone\nx\n', 'failed');
    const agentId = (await getBatch(id, who)).agentId;
    // Older rows of the read model; two of them were made in one millisecond.
    const older = ['2026-01-02T00:00:00.001Z', '2026-01-02T00:00:00.001Z', '2026-01-01T00:00:00.000Z'];
    for (const createdAt of older)
      await world.db.query(
        `insert into campaigns select (json_populate_record(c, json_build_object('id', $2::text, 'created_at', $3::text))).*
           from campaigns c where id = $1`,
        [id, randomUUID(), createdAt],
      );
    const list = (query: object, by = who) => world.askPage(contract.outboundCallsListBatches, { query }, by);
    const whole = (await list({})).data.map((campaign) => campaign.id);
    expect(whole).toHaveLength(4);
    const first = await list({ agentId, limit: '3' });
    const cursor = first.nextCursor ?? '';
    const rest = await list({ agentId, limit: '3', cursor });
    expect([...first.data, ...rest.data].map((campaign) => campaign.id)).toEqual(whole);
    expect(rest.nextCursor).toBeUndefined();
    const refused = code('INVALID_CURSOR');
    await expect(list({ limit: '3', cursor })).rejects.toEqual(refused);
    await expect(list({ agentId, limit: '3', cursor }, ownerOf())).rejects.toEqual(refused);
    await expect(list({ agentId, cursor: `${cursor}A` })).rejects.toEqual(refused);
  });

  it('of a file that is refused are its refused rows, also those beyond the first hundred', async () => {
    const { id, who } = await imported(`phone\n${'x\n'.repeat(150)}`, 'failed');
    expect((await getBatch(id, who)).file.errors).toHaveLength(100);
    const first = await pageOfPeople(id, who, { limit: '100' });
    const rest = await pageOfPeople(id, who, { limit: '100', cursor: first.nextCursor ?? '' });
    expect([...first.data, ...rest.data].map(({ rowNumber, state }) => [rowNumber, state])).toEqual(
      Array.from({ length: 150 }, (_, index) => [index + 2, 'refused']),
    );
  });
});

describe('the number of a campaign', () => {
  const ask = async (phoneNumber: string, who: Caller) =>
    (await world.ask(serviceRequests.outboundCallsCampaignFrom, { body: { phoneNumber } }, who)).campaignId;
  /** telephony-numbers says nothing of the number until it is told to. */
  const undecided = (fromNumber: string) => {
    let decide = () => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    world.undecided.set(fromNumber, decided);
    return decide;
  };

  it('is in use from before the campaign is there until it has ended, by its organization alone', async () => {
    const { who, body } = organization();
    const fromNumber = '+14155550151';
    const asked = await body({ fromNumber });
    expect(await ask(fromNumber, who)).toBeNull();
    const decide = undecided(fromNumber);
    const creating = createBatch(who, asked);
    const noted = await eventually(async () => {
      const campaignId = await ask(fromNumber, who);
      expect(campaignId).not.toBeNull();
      return campaignId;
    });
    decide();
    const { id } = await creating;
    expect(id).toBe(noted);
    expect(await ask(fromNumber, who)).toBe(id);
    expect(await ask(fromNumber, ownerOf())).toBeNull();
    expect(await ask('+14155550152', who)).toBeNull();
    await cancelBatch(id, who);
    expect(await ask(fromNumber, who)).toBeNull();
  });

  it('is in use as long as one of its campaigns has not ended', async () => {
    const { who, body } = organization();
    const fromNumber = '+14155550153';
    const [first, second] = [await createBatch(who, await body({ fromNumber })), randomUUID()];
    await createBatch(who, await body({ fromNumber }), second);
    await cancelBatch(first.id, who);
    expect(await ask(fromNumber, who)).toBe(second);
    await cancelBatch(second, who);
    expect(await ask(fromNumber, who)).toBeNull();
  });

  it('that was given back while the campaign was created makes none, and is not in use for long', async () => {
    const { who, body } = organization();
    const fromNumber = '+14155550154';
    const asked = await body({ fromNumber });
    const decide = undecided(fromNumber);
    const creating = createBatch(who, asked).catch((error: unknown) => error);
    await eventually(async () => expect(await ask(fromNumber, who)).not.toBeNull());
    world.unowned.add(fromNumber);
    decide();
    expect(await creating).toEqual(code('NUMBER_NOT_FOUND'));
    await world.db.query(
      `update campaign_numbers set noted_at = noted_at - interval '61 seconds' where phone_number = $1`,
      [fromNumber],
    );
    expect(await ask(fromNumber, who)).toBeNull();
  });
});

describe('cancelling a campaign', () => {
  it('shows nobody as pending at once, claims nobody any more, and may be done again', async () => {
    const { id, who } = await withRecipients(5);
    expect((await getBatch(id, who)).progress).toMatchObject({ total: 5, pending: 5 });
    await claim(id, 1);
    const cancelled = await cancelBatch(id, who);
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelledAt: expect.any(String) });
    expect(cancelled.progress).toMatchObject({ total: 5, pending: 0 });
    expect(cancelled.progress.cancelled).toBeGreaterThanOrEqual(4);
    expect(await claim(id, 5)).toEqual([]);
    const again = await cancelBatch(id, who);
    expect(again).toMatchObject({ status: 'cancelled', cancelledAt: cancelled.cancelledAt });
    expect(await checkCampaign(world.db, id)).toEqual([]);
  });

  it('is refused once it has ended otherwise', async () => {
    const { who, body } = organization();
    const sourceFileKey = await upload(who, 'name\nGrace\n');
    const { id } = await createBatch(who, await body({ sourceFileKey }));
    const now = new Date().toISOString();
    const refusal = { type: 'RefuseFile', code: 'FILE_INVALID', message: 'no', report: null, now } as const;
    await world.campaigns(id, refusal, campaignStep(who.organizationId, id, 'refuse', now));
    expect(await getBatch(id, who)).toMatchObject({ status: 'failed', statusReason: 'FILE_INVALID' });
    await expect(cancelBatch(id, who)).rejects.toEqual(code('CAMPAIGN_NOT_CANCELLABLE'));
  });
});

describe('uploads that are a day old', () => {
  const later = { now: () => new Date(Date.now() + 26 * 3_600_000) };

  it('are deleted, but for those that a campaign still waits for', async () => {
    const { who, body } = organization();
    const forgotten = await upload(who);
    const storage = world.connectStorage();
    const awaited = await body();
    await world.db.query(
      `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
       values ($1, 'o', $1, 'validating', now(), now(), 0, $2)`,
      [randomUUID(), JSON.stringify({ phase: 'absent', created: { sourceFileKey: awaited.sourceFileKey } })],
    );
    const parts = { db: world.db, storage };
    expect(await deleteExpiredUploads({ ...parts, clock: { now: () => new Date() } })).toBe(0);
    expect(await deleteExpiredUploads({ ...parts, clock: later })).toBeGreaterThanOrEqual(1);
    expect(await storage.head(forgotten)).toBeUndefined();
    expect(await storage.head(awaited.sourceFileKey)).toMatchObject({ key: awaited.sourceFileKey });
    await world.db.query(`delete from campaigns where organization_id = 'o'`);
    storage.close();
  });
});

it('without its storage gives no address and makes no campaign, and goes on reading them', async () => {
  const { who, body } = organization();
  const asked = await body();
  const { id } = await createBatch(who, asked);
  await world.stopStorage();
  await expect(uploadUrl(who)).rejects.toEqual(code('STORAGE_UNAVAILABLE'));
  await expect(createBatch(who, asked)).rejects.toEqual(code('STORAGE_UNAVAILABLE'));
  expect(await getBatch(id, who)).toMatchObject({ id });
});
