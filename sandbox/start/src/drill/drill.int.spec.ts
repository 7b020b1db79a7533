import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as callsLogs from '@parlance/calls-logs';
import { Secret } from '@parlance/config';
import { appendCopies, connectEventStore } from '@parlance/event-sourcing';
import { eventsFile, type Source, tableFile, takeBackup } from './backup.js';
import { compareBackup, type Finding } from './comparison.js';
import { openPlace, type Place, prepareSchemas } from './place.js';

const golden = new URL('../../../../services/calls-logs/src/call/golden/busy.json', import.meta.url);
const migrations = { gateway: { migrations: [] }, calls_logs: { migrations: ['framework/'] } };
const keys = { KEK_ID: 'kek-1', KEK: randomBytes(32).toString('base64') };
const scratch = mkdtempSync(join(tmpdir(), 'parlance-drill-'));
let source: Place;
let backup: string;
const quiet = (): void => undefined;

const newFolder = (name: string): string => mkdtempSync(join(scratch, name));

const sourceOf = (place: Place): Source => ({
  postgresAdminUrl: place.adminUrl,
  eventStoreUrl: place.eventStoreUrl,
  storage: place.storage,
});

const putObject = async (key: string, body: Uint8Array): Promise<void> => {
  const contentType = 'audio/ogg';
  const url = await source.storage.presignPut(key, {
    contentType,
    bytes: body.length,
    expiresInSeconds: 60,
  });
  const { status } = await fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body });
  expect(status).toBe(200);
};

/** A recording that a call was handed over with. */
const keepRecording = (key: string) =>
  source.admin.query(
    `insert into calls_logs.recordings (storage_key, organization_id, call_id, is_kept) values ($1, 'o1', 'call-1', true)`,
    [key],
  );

/** A call as it was stored, without the data that only the call's own key opens. */
const recordCall = async (stream: string): Promise<void> => {
  const stored: { stream: { type: string; version: number; data: Record<string, never> }[] } = JSON.parse(
    readFileSync(golden, 'utf8'),
  );
  const store = connectEventStore({ url: new Secret(source.eventStoreUrl), name: 'test' });
  for (const [revision, { type, version, data }] of stored.stream.entries()) {
    const id = crypto.randomUUID();
    const metadata = {
      ...{ eventId: id, schemaVersion: version, occurredAt: '2026-03-01T10:01:00.000Z' },
      ...{ organizationId: 'b7f0c5d8-3f0b-4a53-9b8c-0d3c1a2b4e5f', actor: 'platform:test', requestId: 'r' },
    };
    await appendCopies(store, [
      { ...{ id, stream, type, metadata }, revision: String(revision), position: '0', data: { data } },
    ]);
  }
  await store.close();
};

const variablesAt = (place: Place): Record<string, string> => ({
  ...keys,
  POSTGRES_URL: place.urlOf('calls_logs'),
  EVENTSTORE_URL: place.eventStoreUrl,
  MONGODB_URL: place.mongoUrl,
  MONGODB_DATABASE: 'calls_logs',
});

const readOn = async (): Promise<void> => {
  for (const readModel of callsLogs.operations.readModels) await readModel.catchUp(variablesAt(source));
};

/** The drill's findings about a backup after a change of its files. */
const drill = async (change: (folder: string) => void = quiet): Promise<readonly Finding[]> => {
  const restored = await openPlace(newFolder('place-'));
  try {
    change(backup);
    return await compareBackup({
      ...{ folder: backup, place: restored, services: [callsLogs.operations], progress: quiet },
      variablesOf: () => variablesAt(source),
    });
  } finally {
    await restored.close();
  }
};
const problemsIn = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ problems }) => problems);

const rewrite = (file: string, change: (text: string) => string): (() => void) => {
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, change(before));
  return () => writeFileSync(file, before);
};

beforeAll(async () => {
  source = await openPlace(newFolder('source-'));
  await prepareSchemas(source, migrations);
  await recordCall('call-1');
  await readOn();
  await source.admin.query(
    `insert into gateway."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
     values ('u1', 'Ada, "the first"', 'ada@example.com', true, now(), now()), ('u2', E'\\\\ \\n', 'b@example.com', false, now(), now())`,
  );
  await putObject('org/o1/recordings/one.ogg', Buffer.alloc(300_000, 'sound '));
  await putObject('org/o1/documents/a name, with spaces.txt', Buffer.from('opening hours'));
  await putObject('org/o1/documents/empty.txt', new Uint8Array());
  await keepRecording('org/o1/recordings/one.ogg');
  // The read models of the backup have not seen this one.
  await recordCall('call-2');
  backup = newFolder('backup-');
  await takeBackup(sourceOf(source), backup, quiet);
});
afterAll(async () => {
  await source.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('a drill', () => {
  it('finds that everything comes back, and that read models are the same when they are made anew', async () => {
    const findings = await drill();
    expect(problemsIn(findings)).toEqual([]);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: 'table gateway.user', found: '2 rows' }),
        expect.objectContaining({ what: 'objects of the storage', found: '3 objects, 300,013 bytes' }),
        expect.objectContaining({ what: 'records with an object', found: '1 records' }),
        expect.objectContaining({ what: 'events of all streams', found: '10 events' }),
        expect.objectContaining({ what: 'table calls_logs.call_index', found: '1 rows' }),
        expect.objectContaining({
          what: 'read model sealed-call-documents',
          found: 'made anew from 10 events',
        }),
      ]),
    );
  });

  it('names a lost event, a changed one, a lost row and a changed one', async () => {
    const mend = [
      rewrite(eventsFile(backup), (text) =>
        text
          .split('\n')
          .filter((line) => !(line.includes('"call-1"') && line.includes('"CallEnded"')))
          .join('\n')
          .replace('"present":2', '"present":3'),
      ),
      rewrite(tableFile(backup, { schema: 'gateway', name: 'user' }), (text) =>
        text.replace('ada@example.com', 'eve@example.com'),
      ),
      rewrite(tableFile(backup, { schema: 'calls_logs', name: 'call_index' }), () => ''),
    ];
    const problems = problemsIn(await drill());
    for (const back of mend) back();
    expect([...problems].sort()).toEqual([
      'call-1, revision 2: ParticipantMoved is another event than before',
      'call-1, revision 4: the event is missing',
      'calls_logs.call_index: 0 rows came back of 1',
      'gateway.user: a row came back with another content',
    ]);
  });

  it('names an object that comes back with another content, one that cannot, and a record whose object is lost', async () => {
    const lines = readFileSync(join(backup, 'objects.jsonl'), 'utf8').trim().split('\n');
    const fileOf = (part: string): string => {
      const line = lines.find((candidate) => candidate.includes(part)) ?? '{}';
      return join(backup, 'objects', JSON.parse(line).file);
    };
    const [changed, lost] = [fileOf('one.ogg'), fileOf('spaces.txt')];
    const mend = [rewrite(changed, (text) => `${text.slice(0, -1)}!`), rewrite(lost, (text) => text)];
    rmSync(lost);
    const problems = problemsIn(await drill());
    for (const back of mend) back();
    expect([...problems].sort()).toEqual([
      expect.stringMatching(/^org\/o1\/documents\/a name, with spaces\.txt: cannot be restored/),
      'org/o1/recordings/one.ogg: the object came back with another content',
    ]);
  });

  it('names a record whose object the source has lost, and an installation of which the storage was left out', async () => {
    await keepRecording('org/o1/recordings/lost.ogg');
    try {
      const before = backup;
      backup = newFolder('backup-');
      await takeBackup(sourceOf(source), backup, quiet);
      expect(problemsIn(await drill())).toEqual([
        'calls_logs.recordings: the object org/o1/recordings/lost.ogg is missing at the source',
      ]);
      backup = newFolder('backup-');
      await takeBackup({ ...sourceOf(source), storage: undefined }, backup, quiet);
      expect(problemsIn(await drill())).toEqual([
        '2 records refer to objects, and the backup has no object storage',
      ]);
      backup = before;
    } finally {
      await source.admin.query(`delete from calls_logs.recordings where storage_key like '%lost.ogg'`);
    }
  });

  it('names a table that tells of something else than the events, though it came back as it was', async () => {
    await source.admin.query(`update calls_logs.call_index set status = 'completed'`);
    backup = newFolder('backup-');
    await takeBackup(sourceOf(source), backup, quiet);
    expect(problemsIn(await drill())).toEqual([
      'calls_logs.call_index: 2 rows were restored and 2 made anew, and they differ',
    ]);
  });
});
