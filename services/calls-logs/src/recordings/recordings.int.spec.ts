// The recording of a call: uploaded by the voice runtime, played by people of its organization alone, and deleted in its time.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, contract, type RecordingUpload } from '@parlance/contracts';
import { createPersonalData, keyringOf, pgSubjectKeys } from '@parlance/crypto';
import { connectEventStore } from '@parlance/event-sourcing';
import { type RunningS3, startS3 } from '@parlance/fake-s3';
import { eventually } from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Calls, callsIn } from '../call/call-repository.js';
import { finishedCall, userOf, World } from '../testing/world.js';
import { countRecordings } from './count-recordings.js';
import { deleteDueRecordings } from './delete-recordings.js';
import { noteUnwanted } from './recordings-repository.js';

const dayMs = 24 * 60 * 60 * 1_000;
const directory = mkdtempSync(join(tmpdir(), 'parlance-recordings-'));
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
const wav = randomBytes(64);
const code = (name: string) => expect.objectContaining({ code: name });

let s3: RunningS3;
let world: World;
let storage: ObjectStorage;
let db: Database;
let calls: Calls;
let closeStore: () => Promise<void>;

beforeAll(async () => {
  s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
  const variables = {
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
    QUOTA_RECORDINGS_MB: '1',
  };
  world = await World.start({ variables });
  const { env } = world;
  const connected = connectObjectStorage(env);
  if (connected === undefined) throw new Error('no storage');
  storage = connected;
  db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'test', max: 4 });
  const keyring = keyringOf(env);
  const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  const store = connectEventStore({ url: env.EVENTSTORE_URL, name: 'test', personalData });
  calls = callsIn(store);
  closeStore = () => store.close();
});
afterAll(async () => {
  await closeStore();
  await db.end();
  storage.close();
  await world.stop();
  await s3.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  world.recordingRetentionDays = null;
});

type Finished = ReturnType<typeof finishedCall>;

const runtimeOf = ({ organizationId, callId, agentId }: Finished): Caller => ({
  ...{ organizationId, role: 'call', permissions: [] },
  actor: { type: 'call', id: callId, agentId },
});

const uploadOf = async (call: Finished, who = runtimeOf(call)): Promise<RecordingUpload> => {
  const request = {
    params: { callId: call.callId },
    body: { contentType: 'audio/wav' as const, bytes: wav.length },
  };
  return world.ask(contract.callsRecordingUpload, request, who);
};

const put = async (
  { uploadUrl, contentType }: RecordingUpload,
  body: Uint8Array<ArrayBuffer> = new Uint8Array(wav),
) => (await fetch(uploadUrl, { method: 'PUT', body, headers: { 'content-type': contentType } })).status;

const recordingAt = (storageKey: string) => ({
  ...{ storageKey, durationSeconds: 61.5, channels: 2 as const },
  sha256: createHash('sha256').update(wav).digest('hex'),
});

/** A call that was recorded, uploaded and handed over. */
const recordedCall = async (organizationId: string, change: object = {}) => {
  const call = finishedCall(organizationId, change);
  const upload = await uploadOf(call);
  expect(await put(upload)).toBe(200);
  await world.ingest({ ...call, recording: recordingAt(upload.storageKey) } as Finished);
  return { ...call, storageKey: upload.storageKey };
};

/** Resolves with the result of `work` as it would be `inMs` milliseconds from now: the times of all rows are moved there and back. */
const asOf = async <T>(inMs: number, work: () => Promise<T>): Promise<T> => {
  const move = (ms: number): Promise<unknown> =>
    db.query(
      `update recordings set delete_at = delete_at + $1 * interval '1 millisecond',
         uploadable_until = uploadable_until + $1 * interval '1 millisecond'`,
      [ms],
    );
  await move(-inMs);
  return work().finally(() => move(inMs));
};
const deleteNow = (using: Pick<ObjectStorage, 'delete'> = storage) =>
  deleteDueRecordings({
    ...{ db, storage: using, calls },
    clock: { now: () => new Date() },
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
const deleteDue = (inMs: number) => asOf(inMs, () => deleteNow());

const rowOf = async (storageKey: string) => {
  const { rows } = await db.query<{ is_kept: boolean; delete_at: Date | null }>(
    'select is_kept, delete_at from recordings where storage_key = $1',
    [storageKey],
  );
  return rows[0];
};
const untilKept = (storageKey: string) =>
  eventually(async () => expect(await rowOf(storageKey)).toMatchObject({ is_kept: true }));

describe('the recording of a call', () => {
  it('is uploaded to an address of its own, and played by a link that ends', async () => {
    const org = randomUUID();
    const call = await recordedCall(org);
    expect(call.storageKey).toBe(`org/${org}/recordings/${call.callId}/recording.wav`);
    const before = Date.now();
    const { recording } = await world.get(org, call.callId);
    expect(recording).toMatchObject({ available: true, durationSeconds: 61.5, channels: 2, deletedAt: null });
    const lasts = Date.parse(String(recording.urlExpiresAt)) - before;
    expect(lasts).toBeGreaterThan(14 * 60_000);
    expect(lasts).toBeLessThan(16 * 60_000);
    expect(new URL(String(recording.url)).searchParams.get('X-Amz-Expires')).toBe('900');
    const file = await fetch(String(recording.url), { headers: { range: 'bytes=4-7' } });
    expect(file.status).toBe(206);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(wav.subarray(4, 8));
    // A browser plays the file, and runs nothing of it as a page, even with other bytes than audio.
    expect(file.headers.get('content-type')).toBe('audio/wav');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="call-${call.callId}.wav"`);
  });

  it('has no link in the list, and none for another organization', async () => {
    const org = randomUUID();
    const call = await recordedCall(org);
    await eventually(async () =>
      expect(await world.list(org)).toMatchObject([
        { id: call.callId, recording: { available: true, url: null, urlExpiresAt: null } },
      ]),
    );
    await expect(world.get(randomUUID(), call.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
  });

  it('is not uploaded with another size or type than was said, nor for the call of another token', async () => {
    const call = finishedCall(randomUUID());
    const upload = await uploadOf(call);
    expect(await put(upload, new Uint8Array(wav.length + 1))).toBe(403);
    expect(await put({ ...upload, contentType: 'text/html' as 'audio/wav' })).toBe(403);
    expect(await storage.head(upload.storageKey)).toBeUndefined();
    await expect(uploadOf(call, runtimeOf(finishedCall(call.organizationId)))).rejects.toEqual(
      code('UNAUTHENTICATED'),
    );
  });

  it('is not replaced once its call was handed over', async () => {
    const org = randomUUID();
    const now = Date.now();
    const [startedAt, answeredAt, endedAt] = [70_000, 65_000, 5_000].map((ago) =>
      new Date(now - ago).toISOString(),
    );
    const call = await recordedCall(org, { startedAt, answeredAt, endedAt });
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
    await expect(uploadOf(call)).rejects.toEqual(code('CALL_NOT_FOUND'));
  });

  it.each([
    ['another organization', (org: string, id: string) => `org/other${org}/recordings/${id}/recording.wav`],
    ['another call', (org: string) => `org/${org}/recordings/${randomUUID()}/recording.wav`],
    ['another kind of file', (org: string) => `org/${org}/batches/1/people.csv`],
    ['a way out', (org: string, id: string) => `org/${org}/recordings/${id}/../../../o2/recordings/a.wav`],
    ['a folder', (org: string, id: string) => `org/${org}/recordings/${id}/`],
  ])('is refused at the hand-over under a key of %s', async (_, keyOf) => {
    const org = randomUUID();
    const call = finishedCall(org);
    const recording = recordingAt(keyOf(org, call.callId));
    const refused = world.ingest({ ...call, recording } as Finished);
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body.recording.storageKey' }] },
    });
    await expect(world.get(org, call.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
  });
});

describe('a recording is deleted', () => {
  it('after the days of the configuration that its call ran with, and not before', async () => {
    const org = randomUUID();
    world.recordingRetentionDays = 30;
    const endedAt = new Date().toISOString();
    const call = await recordedCall(org, {
      configVersion: 2,
      endedAt,
      startedAt: endedAt,
      answeredAt: endedAt,
    });
    await untilKept(call.storageKey);
    expect((await rowOf(call.storageKey))?.delete_at).toEqual(new Date(Date.parse(endedAt) + 30 * dayMs));
    await deleteDue(29 * dayMs);
    expect(await storage.head(call.storageKey)).toBeDefined();
    await deleteDue(31 * dayMs);
    expect(await storage.head(call.storageKey)).toBeUndefined();
    const { recording } = await world.get(org, call.callId);
    expect(recording).toMatchObject({ available: false, url: null, urlExpiresAt: null });
    expect(Date.parse(String(recording.deletedAt))).toBeGreaterThan(Date.parse(endedAt));
    expect(await rowOf(call.storageKey)).toBeUndefined();
    // The timeline shows the deletion as the work of the platform.
    const data = await world.ask(contract.callsTimeline, { params: { callId: call.callId } }, userOf(org));
    expect(data.entries).toContainEqual(
      expect.objectContaining({
        kind: 'recording.deleted',
        actor: { type: 'platform', id: 'calls-logs' },
      }),
    );
  });

  it('never where the configuration has no limit, and at once when its call is deleted', async () => {
    const org = randomUUID();
    const call = await recordedCall(org);
    await untilKept(call.storageKey);
    await deleteDue(4_000 * dayMs);
    expect(await storage.head(call.storageKey)).toBeDefined();
    await world.request(contract.callsDelete, { params: { callId: call.callId } }, userOf(org));
    await eventually(async () => expect((await rowOf(call.storageKey))?.delete_at).toEqual(expect.any(Date)));
    await deleteDue(1_000);
    expect(await storage.head(call.storageKey)).toBeUndefined();
  });

  it('once more when its call was deleted while it was being uploaded', async () => {
    const call = finishedCall(randomUUID());
    const upload = await uploadOf(call);
    await world.ingest({ ...call, recording: recordingAt(upload.storageKey) } as Finished);
    await untilKept(upload.storageKey);
    await world.request(
      contract.callsDelete,
      { params: { callId: call.callId } },
      userOf(call.organizationId),
    );
    await eventually(async () =>
      expect((await rowOf(upload.storageKey))?.delete_at).toEqual(expect.any(Date)),
    );
    await deleteDue(1_000);
    // The address is good for some minutes more, and an upload that began then takes its time.
    expect(await put(upload)).toBe(200);
    await deleteDue(60 * 60_000);
    expect(await rowOf(upload.storageKey)).toBeDefined();
    await deleteDue(80 * 60_000);
    expect(await storage.head(upload.storageKey)).toBeUndefined();
    expect(await rowOf(upload.storageKey)).toBeUndefined();
  });

  it('a week after an upload that no call was handed over with', async () => {
    const upload = await uploadOf(finishedCall(randomUUID()));
    expect(await put(upload)).toBe(200);
    await deleteDue(6 * dayMs);
    expect(await storage.head(upload.storageKey)).toBeDefined();
    await deleteDue(8 * dayMs);
    expect(await storage.head(upload.storageKey)).toBeUndefined();
  });

  it('by one of two copies, and tried again where the storage did not answer', async () => {
    const uploads: RecordingUpload[] = [];
    for (let n = 0; n < 5; n += 1) {
      const upload = await uploadOf(finishedCall(randomUUID()));
      expect(await put(upload)).toBe(200);
      uploads.push(upload);
    }
    const asked: string[] = [];
    const away = {
      delete: async (key: string) => {
        asked.push(key);
        throw new Error('away');
      },
    };
    const [one, two] = await asOf(9 * dayMs, () => Promise.all([deleteNow(away), deleteNow(away)]));
    expect((one?.leased ?? 0) + (two?.leased ?? 0)).toBe(5);
    expect([...asked].sort()).toEqual(uploads.map(({ storageKey }) => storageKey).sort());
    // The other copy has the files for some minutes, and they are due again afterwards.
    expect(await deleteDue(9 * dayMs)).toEqual({ leased: 0, succeeded: 0 });
    expect(await deleteDue(9 * dayMs + 7 * 60_000)).toEqual({ leased: 5, succeeded: 5 });
  });

  it('waits with the limit while agents-config is of a release that does not tell it', async () => {
    world.recordingRetentionDays = undefined;
    const call = await recordedCall(randomUUID(), { configVersion: 4 });
    expect(await rowOf(call.storageKey)).toMatchObject({ is_kept: false });
    world.recordingRetentionDays = 7;
    await untilKept(call.storageKey);
    const endedAt = Date.parse(call.endedAt);
    expect((await rowOf(call.storageKey))?.delete_at).toEqual(new Date(endedAt + 7 * dayMs));
  });
});

describe('the recordings of an organization', () => {
  const usageOf = async (organizationId: string): Promise<number> => {
    const { rows } = await db.query<{ bytes: string }>(
      'select bytes from storage_usage where organization_id = $1',
      [organizationId],
    );
    return Number(rows[0]?.bytes ?? 0);
  };
  const offer = async (call: Finished, bytes: number): Promise<RecordingUpload> => {
    const request = { params: { callId: call.callId }, body: { contentType: 'audio/wav' as const, bytes } };
    return world.ask(contract.callsRecordingUpload, request, runtimeOf(call));
  };
  const quotaBytes = 1_048_576;

  it('stay when the next one does not fit, which is not made, and make room when they are deleted', async () => {
    const organizationId = randomUUID();
    const kept = await recordedCall(organizationId);
    expect(await usageOf(organizationId)).toBe(wav.length);
    const next = finishedCall(organizationId);
    await expect(offer(next, quotaBytes)).rejects.toMatchObject({
      code: 'QUOTA_REACHED',
      details: { quota: 'bytes', limit: quotaBytes, used: wav.length },
    });
    expect(await storage.head(kept.storageKey)).toBeDefined();
    // The call itself is handed over all the same.
    await world.ingest(next);
    await offer(finishedCall(randomUUID()), quotaBytes);
    await noteUnwanted(db, kept, new Date());
    await deleteDue(16 * 60_000);
    expect(await storage.head(kept.storageKey)).toBeUndefined();
    expect(await usageOf(organizationId)).toBe(0);
    await offer(finishedCall(organizationId), quotaBytes);
  });

  it('that a release without counts has stored are counted by their files', async () => {
    const organizationId = randomUUID();
    await recordedCall(organizationId);
    await recordedCall(organizationId);
    await db.query('delete from stored_files where organization_id = $1', [organizationId]);
    expect(await usageOf(organizationId)).toBe(0);
    const clock = { now: () => new Date() };
    expect(await countRecordings({ db, storage, clock })).toBe(2);
    expect(await usageOf(organizationId)).toBe(2 * wav.length);
    expect(await countRecordings({ db, storage, clock })).toBe(0);
  });
});
