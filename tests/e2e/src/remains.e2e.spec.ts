// What was erased is nowhere any more: marked words, names, numbers and recordings are searched in every store of the platform,
// after the erasure, and again after a backup of before was restored.
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { startS3 } from '@parlance/fake-s3';
import { eventually } from '@parlance/fixtures';
import { connectObjectStorage } from '@parlance/object-storage';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { generous } from './testing/generous.js';
import { answeringNumber, type Marks, plainWord, remains, word } from './testing/marks.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';
import { everythingKept, storageOf } from './testing/stores.js';

const patience = { timeoutMs: 120_000, intervalMs: 500 };
/** A look into every store reads and opens all that they hold, which takes longer than most erasures. */
const rareLooks = { timeoutMs: 120_000, intervalMs: 2_000 };

/** A call of its own, which is deleted by its id. */
const ofCall = { callName: word(), callWords: word(), callRecording: word(), callNumber: answeringNumber() };
/** A person who was called, called back, and is in a campaign that has ended and twice in one that waits. */
const ofPerson = { personName: word(), personWords: word(), personNumber: answeringNumber() };
/** Everything else, which goes with the organization. */
const ofOrganization = {
  otherName: word(),
  otherNumber: answeringNumber(),
  otherVariable: word(),
  prompt: word(),
  agentName: word(),
  fileContent: word(),
  toolName: plainWord(),
  /** In the address of the account, too. */
  ownerName: plainWord(),
};
const all: Marks = { ...ofCall, ...ofPerson, ...ofOrganization };

let platform: RunningPlatform;
let account: Account;
let organizationId: string;
let agentId: string;
let backup: string;

beforeAll(async () => {
  platform = await runPlatform({ ...generous, LOG_LEVEL: 'trace' });
}, 240_000);
afterAll(async () => {
  await platform?.remove();
  if (backup !== undefined) rmSync(backup, { recursive: true, force: true });
});

const send = async (
  method: string,
  path: string,
  body?: unknown,
  credentials: Readonly<Record<string, string>> = { cookie: account.cookie, origin: platform.url },
) => {
  const response = await fetch(`${platform.api}${path}`, {
    method,
    headers: { ...credentials, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answered = await response.text();
  const json = answered === '' ? undefined : JSON.parse(answered);
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status} ${answered}`);
  return json?.data ?? json;
};
const internal = (): Readonly<Record<string, string>> => ({
  'x-internal-key': new DataFolder(platform.dataDir).secrets().internalKey,
});
const found = async (marks: Marks): Promise<readonly string[]> =>
  remains(await everythingKept(platform.dataDir), marks);

/**
 * What an organization called its agents and tools is no data of a person. These two names stay in the events of calls, which cannot be
 * changed, and in announcements for their seven days: docs/threat-model.md.
 */
const accepted = /^(events \w+|NATS PARLANCE_EVENTS|table \w+\.outbox): (agentName|toolName)$/;
const foundOfAll = async (): Promise<readonly string[]> =>
  (await found(all)).filter((one) => !accepted.test(one));

/** A call that came in, with a recording. */
const handOver = async (
  fromNumber: string,
  { name, words, recording }: { readonly name: string; readonly words: string; readonly recording: string },
): Promise<string> => {
  const callId = randomUUID();
  const { runtime } = await send(
    'GET',
    `/agents/internal-config/${agentId}?callId=${callId}`,
    undefined,
    internal(),
  );
  const bearer = { authorization: `Bearer ${runtime.callToken}` };
  const bytes = Buffer.from(`RIFF ${recording}`);
  const upload = await send(
    'POST',
    `/runtime/calls/${callId}/recording`,
    { contentType: 'audio/wav', bytes: bytes.length },
    bearer,
  );
  const put = await fetch(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(bytes),
  });
  expect(put.status).toBe(200);
  const at = Date.now() - 60_000;
  const iso = (afterMs: number): string => new Date(at + afterMs).toISOString();
  const turns = [
    { seq: 0, startMs: 0, role: 'agent', text: 'Who is there?' },
    { seq: 1, startMs: 1_000, role: 'user', text: `This is ${name}, and I say ${words}.` },
  ];
  const events = turns.map((turn) => ({ seq: turn.seq, at: iso(turn.startMs), type: 'turn', turn }));
  await send('POST', `/runtime/calls/${callId}/events`, { events }, bearer);
  await send(
    'POST',
    '/calls',
    {
      eventId: randomUUID(),
      schemaVersion: 1,
      organizationId,
      agentId,
      callId,
      channel: 'phone',
      direction: 'inbound',
      fromNumber,
      toNumber: '+16025550100',
      status: 'completed',
      endedReason: 'user_hangup',
      startedAt: iso(0),
      answeredAt: iso(0),
      endedAt: iso(30_000),
      transcript: turns,
      recording: { storageKey: upload.storageKey, durationSeconds: 30, channels: 1, sha256: 'a'.repeat(64) },
      summary: `${name} said ${words}.`,
      analysisStatus: 'skipped',
      dynamicVariables: { caller: name },
      metadata: { note: words },
    },
    internal(),
  );
  return callId;
};

const callOut = async (phoneNumber: string, name: string, variable: string): Promise<void> => {
  const fromNumber = await accounts.number(account);
  const { id } = await send('POST', '/outbound-calls/quick', {
    agentId,
    phoneNumber,
    fromNumber,
    username: name,
    dynamicVariables: { topic: variable },
    metadata: { note: variable },
  });
  await eventually(
    async () => expect((await send('GET', `/outbound-calls/${id}`)).status).toBe('completed'),
    patience,
  );
};

type Rows = readonly (readonly [string, string])[];

/**
 * @param scheduledAt the campaign waits for it; null for one that is called to its end
 * @returns its id
 */
const campaign = async (rows: Rows, scheduledAt: string | null): Promise<string> => {
  const query = new URLSearchParams({ fileName: 'people.csv', contentType: 'text/csv' });
  const to = await send('GET', `/outbound-calls/batch-upload-url?${query}`);
  const lines = [
    'phone_number,name,topic',
    ...rows.map((row) => [...row, ofOrganization.fileContent].join(',')),
  ];
  const put = await fetch(to.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: lines.join('\n'),
  });
  expect(put.status).toBe(200);
  const { id } = await send('POST', '/outbound-calls/batches', {
    name: 'Campaign',
    agentId,
    fromNumber: await accounts.number(account),
    sourceFileKey: to.sourceFileKey,
    sourceFileName: 'people.csv',
    ...(scheduledAt === null ? {} : { scheduledAt }),
  });
  const status = scheduledAt === null ? 'completed' : 'scheduled';
  await eventually(
    async () => expect((await send('GET', `/outbound-calls/batches/${id}`)).status).toBe(status),
    patience,
  );
  return id;
};

let accounts: Accounts;
let callId: string;
let waitingCampaignId: string;

/** Everything that carries a mark. */
const makeEverything = async (): Promise<void> => {
  accounts = new Accounts(platform);
  account = await accounts.create(ofOrganization.ownerName);
  const session = await send('GET', '/auth/get-session');
  organizationId = session.session.activeOrganizationId;
  agentId = (
    await send('POST', '/agents', { name: ofOrganization.agentName, isActive: true, templateId: 'business' })
  ).id;
  const config = await send('GET', `/agents/${agentId}/config`);
  const { agentId: _a, version: _v, createdAt: _c, updatedAt: _u, ...settings } = config;
  await send('POST', `/agents/${agentId}/config`, {
    ...settings,
    systemPrompt: `Say ${ofOrganization.prompt}.`,
  });
  const tool = await send('POST', '/tools', {
    name: ofOrganization.toolName,
    description: 'Asks something.',
    parameters: [],
    request: { method: 'GET', url: 'https://example.com' },
  });
  await send('POST', `/tools/${tool.id}/attach/${agentId}`);
  callId = await handOver(ofCall.callNumber, {
    name: ofCall.callName,
    words: ofCall.callWords,
    recording: ofCall.callRecording,
  });
  await handOver(ofPerson.personNumber, {
    name: ofPerson.personName,
    words: ofPerson.personWords,
    recording: ofPerson.personWords,
  });
  await Promise.all([
    callOut(ofPerson.personNumber, ofPerson.personName, ofPerson.personWords),
    callOut(ofOrganization.otherNumber, ofOrganization.otherName, ofOrganization.otherVariable),
  ]);
  const rows: Rows = [
    [ofPerson.personNumber, ofPerson.personName],
    [ofOrganization.otherNumber, ofOrganization.otherName],
  ];
  await campaign(rows, null);
  // The second row of the person is refused.
  const farAhead = new Date(Date.now() + 300 * 86_400_000).toISOString();
  waitingCampaignId = await campaign([...rows, ...rows.slice(0, 1)], farAhead);
};

/** The log of erasures as it is now: a restore does not turn it back. */
const logOfErasures = async (): Promise<ReadonlyMap<string, string>> => {
  const storage = storageOf(platform.dataDir);
  try {
    const log = new Map<string, string>();
    for await (const { key } of storage.list('erasures/')) {
      const body = await storage.open(key);
      if (body !== undefined) log.set(key, await text(body));
    }
    return log;
  } finally {
    storage.close();
  }
};

/** NATS is not backed up: docs/operations.md. */
const withoutNats = (path: string): boolean => !/\/nats(\/|$)/.test(path);

/** The stopped platform, as the backup has it. */
const restore = async (log: ReadonlyMap<string, string>): Promise<void> => {
  const { dataDir } = platform;
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
  cpSync(backup, dataDir, { recursive: true });
  const folder = new DataFolder(dataDir);
  // A copy has the permissions of new folders, with which PostgreSQL does not start.
  chmodSync(folder.directory('postgres'), 0o700);
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = folder.secrets();
  const s3 = await startS3({
    dataDir: folder.directory('s3'),
    buckets: ['parlance'],
    accessKeyId,
    secretAccessKey,
  });
  const storage = connectObjectStorage({
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_BUCKET: 'parlance',
    OBJECT_STORAGE_ACCESS_KEY_ID: accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(secretAccessKey),
  });
  for (const [key, content] of log) await storage?.put(key, content);
  storage?.close();
  await s3.stop();
};

describe('an erasure', () => {
  it('has something to erase: each mark is kept somewhere', async () => {
    await makeEverything();
    await eventually(async () => {
      const kept = await found(all);
      const missing = Object.keys(all).filter((mark) => !kept.some((one) => one.endsWith(`: ${mark}`)));
      expect(missing).toEqual([]);
    }, rareLooks);
    backup = mkdtempSync(join(tmpdir(), 'parlance-backup-'));
    await platform.stop();
    cpSync(platform.dataDir, backup, { recursive: true, filter: withoutNats });
    await platform.restart();
  }, 600_000);

  it('finds recipients and refused rows in the keys of their campaigns alone, also while a campaign waits', async () => {
    const kept = await found({ ...ofPerson, ...ofOrganization });
    const inRows = kept.filter((one) => one.includes('campaign_re')).map((one) => one.split(': '));
    expect(inRows).toEqual(
      expect.arrayContaining([
        ['opened campaign_recipients', 'personNumber'],
        ['opened campaign_recipients', 'fileContent'],
        ['opened campaign_refused_rows', 'personNumber'],
      ]),
    );
    expect(inRows.filter(([place]) => !place?.startsWith('opened '))).toEqual([]);
  });

  it('of a call leaves nothing of it', async () => {
    await send('DELETE', `/calls/${callId}`);
    await eventually(async () => expect(await found(ofCall)).toEqual([]), rareLooks);
  }, 180_000);

  it('of a person leaves nothing of them', async () => {
    const path = `/people/${encodeURIComponent(ofPerson.personNumber)}`;
    const { found: counts, confirmation } = await send('DELETE', path);
    expect(counts).toMatchObject({ calls: 3, outboundCalls: 2, recipients: 2 });
    const { erasure } = await send('DELETE', `${path}?${new URLSearchParams({ confirmation })}`);
    await eventually(
      async () => expect((await send('GET', `/people/erasures/${erasure.id}`)).status).toBe('finished'),
      patience,
    );
    await eventually(async () => expect(await found(ofPerson)).toEqual([]), rareLooks);
  }, 300_000);

  it('of an organization and its owner leaves nothing of them', async () => {
    await send('POST', `/outbound-calls/batches/${waitingCampaignId}/cancel`);
    // A number is kept while a campaign is to be called from it.
    await eventually(async () => {
      for (const { id } of await send('GET', '/numbers')) await send('DELETE', `/numbers/${id}`);
    }, patience);
    await eventually(async () => expect(await send('GET', '/numbers')).toEqual([]), patience);
    const { removalId } = await eventually(
      () => send('POST', '/auth/organization/delete', { organizationId }),
      patience,
    );
    await eventually(
      async () =>
        expect((await send('GET', `/auth/organization/removal?id=${removalId}`)).status).toBe('finished'),
      patience,
    );
    await send('POST', '/auth/delete-user', { password: account.password });
    await eventually(async () => expect(await foundOfAll()).toEqual([]), rareLooks);
    // The account's erasure is logged after its rows are gone, by a round of the gateway.
    await eventually(
      async () => expect([...(await logOfErasures()).values()].join('')).toContain('"kind":"account"'),
      patience,
    );
  }, 300_000);

  it('holds after a backup of before was restored', async () => {
    const log = await logOfErasures();
    expect(log.size).toBeGreaterThan(0);
    await platform.stop();
    await restore(log);
    await platform.restart();
    await eventually(async () => expect(await foundOfAll()).toEqual([]), rareLooks);
  }, 420_000);
});
