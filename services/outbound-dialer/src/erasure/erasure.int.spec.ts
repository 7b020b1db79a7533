// Erasures, with the service as it runs. The broker, database and event store are real, and phones ring.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, type CampaignRecipient, contract, serviceRequests } from '@parlance/contracts';
import { Erasures, openErasureLog } from '@parlance/erasure';
import { eventually } from '@parlance/fixtures';
import { createLogger, type RunningService } from '@parlance/observability';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import { outboundCallEvents } from '../domain/outbound-call/outbound-call-events.js';
import { subjectOfCall } from '../personal-data/forget-calls.js';
import { subjectOfCampaign } from '../personal-data/forget-campaigns.js';
import { sealCells } from '../personal-data/sealed-recipients.js';
import { listRefusedRows } from '../read-models/recipient-list.js';
import { type DialingWorld, importedCampaign, startDialingWorld } from '../testing/dialing-world.js';
import { code, quickCallsOf } from '../testing/quick-calls.js';
import { remainsIn } from '../testing/remains.js';
import { retentionRound } from './retention.js';
import { sealOldCalls } from './seal-old-calls.js';

let world: DialingWorld;
let dialer: RunningService;
const directory = mkdtempSync(join(tmpdir(), 'parlance-erasures-'));
const logger = createLogger({ service: 'test', level: 'silent' });

const startDialer = () => world.startDialer({ ERASURE_LOG_DIR: directory, DIALS_FINISH_WITHIN_SECONDS: '0' });

beforeAll(async () => {
  world = await startDialingWorld();
  dialer = await startDialer();
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
  rmSync(directory, { recursive: true, force: true });
});

const { organization, until, get, remove, retry, cancel } = quickCallsOf(() => world);
const { outboundCallsCountPerson, outboundCallsErasePerson } = serviceRequests;

const count = (who: Caller, phoneNumber: string) =>
  world.ask(outboundCallsCountPerson, { body: { phoneNumber } }, who);
const erase = (who: Caller, phoneNumber: string, erasureId: string = randomUUID()) =>
  world.ask(outboundCallsErasePerson, { body: { phoneNumber, erasureId, requestedBy: 'user:u1' } }, who);
/** As the gateway repeats it. */
const eraseAll = (who: Caller, phoneNumber: string) =>
  eventually(async () => expect((await erase(who, phoneNumber)).more).toBe(false));

let made = 0;
/** A number of its own that is busy, and a name and a variable that are found nowhere else. */
const somebody = () => {
  made += 1;
  const mark = randomUUID();
  const phoneNumber = `+1415222${String(made).padStart(2, '0')}70`;
  return {
    phoneNumber,
    request: {
      phoneNumber,
      username: `Name ${mark}`,
      dynamicVariables: { order: `Order ${mark}` },
      metadata: { note: `Note ${mark}` },
    },
    marks: [phoneNumber, `Name ${mark}`, `Order ${mark}`, `Note ${mark}`],
  };
};
const busyCall = async () => {
  const person = somebody();
  const { who, quick } = organization();
  const { id } = await quick(person.request);
  await until(id, who, { status: 'busy' });
  await eventually(async () => {
    const listed = await world.ask(contract.outboundCallsList, { query: {} }, who);
    expect(listed).toMatchObject([{ id, status: 'busy', ...person.request }]);
  });
  return { ...person, who, id };
};
/** Without the refused rows of the campaign's report. */
const called = (people: readonly CampaignRecipient[]) => people.filter(({ state }) => state !== 'refused');
/** Read with the keys of the test. */
const numberOf = async (id: string): Promise<string | undefined> => {
  const { state } = await world.calls.load(id);
  return state.phase === 'absent' ? undefined : state.personal?.phoneNumber;
};
const eventsOf = async (id: string) =>
  (await world.eventStore.read(subjectOfCall(id), outboundCallEvents)).events;

describe('the read model of outbound calls', () => {
  it('shows numbers, names and variables to their organization, and has none of them in the clear', async () => {
    const { who, id, marks, phoneNumber } = await busyCall();
    expect(await remainsIn(world.db, marks)).toEqual([]);
    expect(await get(id, who)).toMatchObject({ phoneNumber });
    expect(await count(who, phoneNumber)).toEqual({ outboundCalls: 1, recipients: 0 });
  });

  it('seals the rows that an older release wrote in the clear, and finds them before', async () => {
    const { who, id, marks, request, phoneNumber } = await busyCall();
    const placed = (await eventsOf(id))[0]?.event;
    const personal = placed?.type === 'OutboundCallPlaced' ? placed.personal : null;
    await world.db.query(
      `update outbound_calls set personal = null, number_hash = null,
         state = jsonb_set(state, '{personal}', $2::jsonb) where id = $1`,
      [id, JSON.stringify(personal)],
    );
    const list = () => world.ask(contract.outboundCallsList, { query: {} }, who);
    expect(await list()).toMatchObject([{ id, ...request }]);
    expect(await count(who, phoneNumber)).toMatchObject({ outboundCalls: 1 });
    expect(await sealOldCalls(world, who.organizationId)).toBe(true);
    expect(await remainsIn(world.db, marks)).toEqual([]);
    expect(await list()).toMatchObject([{ id, ...request }]);
    expect(await count(who, phoneNumber)).toMatchObject({ outboundCalls: 1 });
  });
});

describe('the recipients of a campaign that waits', () => {
  it('are sealed, are listed and found by number, and are erased with their person', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const numbers = ['+14152226670', '+14152226671'];
    const { id, who } = await importedCampaign(world, numbers, { campaign: { scheduledAt: soon } });
    const params = { params: { campaignId: id } };
    const list = async () =>
      called(await world.ask(contract.outboundCallsListRecipients, { ...params, query: {} }, who));
    expect(await remainsIn(world.db, numbers)).toEqual([]);
    const [one, other] = numbers.map((phoneNumber) => ({ phoneNumber, name: 'Grace', state: 'pending' }));
    expect(await list()).toMatchObject([one, other]);
    expect(await count(who, numbers[0] ?? '')).toMatchObject({ recipients: 1 });
    await eraseAll(who, numbers[0] ?? '');
    expect(await list()).toMatchObject([{ phoneNumber: '', name: null, state: 'cancelled' }, other]);
  });
});

describe('the erasure of a person', () => {
  it('leaves the course of a call, and no number, name or variable in any table or stream', async () => {
    const { who, id, marks, phoneNumber } = await busyCall();
    await eraseAll(who, phoneNumber);
    expect(await count(who, phoneNumber)).toEqual({ outboundCalls: 0, recipients: 0 });
    expect(await remainsIn(world.db, marks)).toEqual([]);
    const { rows } = await world.db.query<{ key: string | null }>(
      'select wrapped_key as key from personal_keys where subject = $1',
      [subjectOfCall(id)],
    );
    expect(rows).toEqual([{ key: null }]);
    const parts = (await eventsOf(id)).flatMap(({ event }) => ('personal' in event ? [event.personal] : []));
    expect(parts).toEqual([null, null]);
    const listed = await world.ask(contract.outboundCallsList, { query: {} }, who);
    expect(listed).toMatchObject([{ id, status: 'busy', phoneNumber: '', username: null, metadata: {} }]);
    await expect(
      world.ask(contract.outboundCallsRetry, { params: { outboundId: id } }, who),
    ).rejects.toThrow();
  });

  it('keeps the number on the do-not-call list, by its hash alone', async () => {
    const { who, quick } = organization();
    const { phoneNumber, marks } = somebody();
    const reason = `Reason ${marks[1]}`;
    await world.ask(contract.suppressionsCreate, { body: { phoneNumbers: [phoneNumber], reason } }, who);
    await eraseAll(who, phoneNumber);
    expect(await remainsIn(world.db, [...marks, reason])).toEqual([]);
    await expect(quick({ phoneNumber })).rejects.toEqual(code('SUPPRESSED_DNC'));
  });

  it('erases nothing of another organization, and nothing twice', async () => {
    const { who, phoneNumber } = await busyCall();
    const other = organization();
    const { id } = await other.quick({ phoneNumber });
    await until(id, other.who, { status: 'busy' });
    await eraseAll(who, phoneNumber);
    expect(await erase(who, phoneNumber)).toEqual({ erased: 0, more: false });
    expect(await get(id, other.who)).toMatchObject({ phoneNumber });
  });

  it('cancels a recipient that waits, and leaves the others of the campaign', async () => {
    const [person, other] = ['+14152229970', '+14152229871'];
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const campaign = await importedCampaign(world, [person, other], { campaign: { scheduledAt: soon } });
    const { who, id, callIds } = campaign;
    expect(await count(who, person)).toEqual({ outboundCalls: 0, recipients: 1 });
    await eraseAll(who, person);
    const { rows } = await world.db.query(
      'select phone_number, row, state, reason from campaign_recipients where campaign_id = $1 order by row_number',
      [id],
    );
    expect(rows).toMatchObject([
      { phone_number: '', row: { variables: {} }, state: 'cancelled', reason: 'cancelled_by_user' },
      { state: 'pending' },
    ]);
    expect(rows[0]?.row).toEqual({ variables: {} });
    const page = called(
      await world.ask(contract.outboundCallsListRecipients, { params: { campaignId: id }, query: {} }, who),
    );
    expect(page).toMatchObject([
      { phoneNumber: '', name: null, state: 'cancelled' },
      { phoneNumber: other, name: 'Grace', state: 'pending' },
    ]);
    expect(await world.dialsOf(attemptIds(callIds[0] ?? '', 1).roomName)).toEqual({ dials: 0, rings: 0 });
  });

  it('lets the call of a campaign that rings end its course, and erases it and its recipient afterwards', async () => {
    // Rings for twenty seconds.
    const phoneNumber = '+14152223394';
    const { id, who, callIds } = await importedCampaign(world, [phoneNumber]);
    const [callId = ''] = callIds;
    await eventually(async () => expect((await world.calls.load(callId)).state.phase).toBe('dialing'));
    expect(await erase(who, phoneNumber)).toEqual({ erased: 0, more: true });
    expect(await get(callId, who)).toMatchObject({ phoneNumber });
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: id } }, who);
    await eraseAll(who, phoneNumber);
    expect(await get(callId, who)).toMatchObject({ phoneNumber: '', status: 'cancelled' });
    expect(await remainsIn(world.db, [phoneNumber])).toEqual([]);
  });

  it('empties the refused rows of the number, however they are written, and whether they are sealed', async () => {
    const { who } = organization();
    const [campaignId, { organizationId }] = [randomUUID(), who];
    const [sealed, other] = await sealCells(world.personalData, { organizationId, campaignId }, [
      '0415-222.4470',
      '415 222 4472',
    ]);
    await world.db.query(
      `insert into campaign_refused_rows
         (campaign_id, organization_id, row_number, phone_number, sealed_cell, digits_hash, code, message)
       values ($1, $2, 5, '(415) 222-4470', null, null, 'SUPPRESSED', 'suppressed'),
         ($1, $2, 6, '415 222 4471', null, null, 'SUPPRESSED', 'suppressed'),
         ($1, $2, 7, null, $3, $4, 'SUPPRESSED', 'suppressed'),
         ($1, $2, 8, null, $5, $6, 'SUPPRESSED', 'suppressed')`,
      [
        campaignId,
        organizationId,
        sealed?.sealedCell,
        sealed?.digitsHash,
        other?.sealedCell,
        other?.digitsHash,
      ],
    );
    await eraseAll(who, '+14152224470');
    const shown = await listRefusedRows(world, { organizationId, campaignId }, { after: 0, limit: 10 });
    expect(shown.map(({ rowNumber, phoneNumber }) => [rowNumber, phoneNumber])).toEqual([
      [5, null],
      [6, '415 222 4471'],
      [7, null],
      [8, '415 222 4472'],
    ]);
    const { rows } = await world.db.query(
      'select from campaign_refused_rows where campaign_id = $1 and row_number = 7 and digits_hash is not null',
      [campaignId],
    );
    expect(rows).toEqual([]);
  });

  it('happens again after a restore, before the service dials', async () => {
    const { who, id, marks, phoneNumber } = await busyCall();
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const campaign = await importedCampaign(world, [phoneNumber], { who, campaign: { scheduledAt: soon } });
    for (const table of ['outbound_calls', 'campaign_recipients', 'personal_keys'])
      await world.db.query(`create table backup_${table} as select * from ${table}`);
    await eraseAll(who, phoneNumber);
    await dialer.stop();
    for (const table of ['outbound_calls', 'campaign_recipients', 'personal_keys'])
      await world.db.query(
        `delete from ${table}; insert into ${table} select * from backup_${table}; drop table backup_${table}`,
      );
    await world.db.query('delete from erasures_applied; delete from erasure_log_state');
    expect(await count(who, phoneNumber).catch(() => 'no service')).toBe('no service');
    dialer = await startDialer();
    expect(await count(who, phoneNumber)).toEqual({ outboundCalls: 0, recipients: 0 });
    expect(await remainsIn(world.db, marks)).toEqual([]);
    expect(await get(id, who)).toMatchObject({ phoneNumber: '', status: 'busy' });
    const { rows } = await world.db.query('select state from campaign_recipients where campaign_id = $1', [
      campaign.id,
    ]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });

  it('writes identifiers to the log, and nothing about the person', async () => {
    const { who, id, marks, phoneNumber } = await busyCall();
    await eraseAll(who, phoneNumber);
    const log = openErasureLog({ service: 'outbound-dialer', storage: undefined, directory });
    const entries: string[] = [];
    for await (const entry of new Erasures({ log, db: world.db, logger }).entries())
      if (entry.organizationId === who.organizationId) entries.push(JSON.stringify(entry));
    expect(entries.map((entry) => JSON.parse(entry))).toMatchObject([{ kind: 'outbound-call', id }]);
    for (const mark of marks) expect(entries.join()).not.toContain(mark);
  });
});

describe('an outbound call that is deleted', () => {
  const isErased = (id: string) =>
    eventually(async () => {
      const { rowCount } = await world.db.query(
        'select from deleted_outbound_calls where outbound_call_id = $1 and erased_at is not null',
        [id],
      );
      expect(rowCount).toBe(1);
    });
  const list = (who: Caller) => world.ask(contract.outboundCallsList, { query: {} }, who);
  const notFound = code('OUTBOUND_CALL_NOT_FOUND');

  it('is found nowhere any more, leaves nothing of the person, and takes the records of its attempts along', async () => {
    const { who, id, marks } = await busyCall();
    const { callId } = await get(id, who);
    const command = randomUUID();
    await remove(id, who, command);
    for (const request of [get(id, who), retry(id, who), cancel(id, who), remove(id, who)])
      await expect(request).rejects.toEqual(notFound);
    // A client that lost the response repeats its request.
    await remove(id, who, command);
    expect(await list(who)).toEqual([]);
    await isErased(id);
    expect(await remainsIn(world.db, marks)).toEqual([]);
    expect(world.erasedCalls.get(callId ?? '')).toBe('user:u1');
    const parts = (await eventsOf(id)).flatMap(({ event }) => ('personal' in event ? [event.personal] : []));
    expect(parts).toEqual([null, null]);
  });

  it('belongs to the organization that deletes it', async () => {
    const { who, id, phoneNumber } = await busyCall();
    await expect(remove(id, organization().who)).rejects.toEqual(notFound);
    expect(await get(id, who)).toMatchObject({ phoneNumber });
  });

  it('has ended: one that rings is refused, and can be deleted after it was cancelled', async () => {
    // Rings for twenty seconds.
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14152224294', ringingTimeoutSeconds: 20 });
    await expect(remove(id, who)).rejects.toMatchObject({ code: 'CALL_NOT_DELETABLE' });
    await cancel(id, who);
    await eventually(() => remove(id, who));
    await expect(get(id, who)).rejects.toEqual(notFound);
  });

  it('takes its recipient along, and is erased once calls-logs is back', async () => {
    const phoneNumber = '+14152224270';
    const { id: campaignId, who, callIds } = await importedCampaign(world, [phoneNumber]);
    const [id = ''] = callIds;
    const { callId } = await until(id, who, { status: 'busy' });
    world.unerasable.add(callId ?? '');
    await remove(id, who);
    await eventually(async () => expect(await remainsIn(world.db, [phoneNumber])).toEqual([]));
    expect(world.erasedCalls.has(callId ?? '')).toBe(false);
    world.unerasable.clear();
    await world.db.query('update deleted_outbound_calls set erase_at = now() where outbound_call_id = $1', [
      id,
    ]);
    await isErased(id);
    expect(world.erasedCalls.has(callId ?? '')).toBe(true);
    const recipients = await world.ask(
      contract.outboundCallsListRecipients,
      { params: { campaignId }, query: {} },
      who,
    );
    expect(called(recipients)).toMatchObject([{ phoneNumber: '', name: null }]);
  });

  it('stays hidden when a backup of before was restored', async () => {
    const { who, id } = await busyCall();
    await world.db.query('create table backup_calls as select * from outbound_calls');
    await remove(id, who);
    await isErased(id);
    await dialer.stop();
    await world.db.query(
      `delete from outbound_calls; insert into outbound_calls select * from backup_calls; drop table backup_calls;
       delete from deleted_outbound_calls; delete from erasures_applied; delete from erasure_log_state`,
    );
    dialer = await startDialer();
    await expect(get(id, who)).rejects.toEqual(notFound);
    expect(await list(who)).toEqual([]);
  });
});

describe('retention', () => {
  const parts = (days: number) => ({
    ...world,
    recipientForm: { isSealed: async () => true },
    storage: undefined,
    askSettings: async () => {
      throw new Error('settings are known');
    },
    defaultDays: 365,
    clock: { now: () => new Date(Date.now() + days * 86_400_000) },
    logger,
  });
  const settingsWith = (who: Caller, callRetentionDays: number | null) =>
    world.db.query(
      `insert into organization_settings (organization_id, version, settings) values ($1, 0, $2)
       on conflict (organization_id) do update set settings = organization_settings.settings || excluded.settings`,
      [who.organizationId, JSON.stringify({ callRetentionDays })],
    );
  const due = (who: Caller) =>
    world.db.query('delete from retention_rounds where organization_id = $1', [who.organizationId]);
  const round = async (who: Caller, days: number) => {
    await due(who);
    await retentionRound(parts(days), new AbortController().signal);
  };

  it("erases calls after the days of their organization, or after the operator's where it chose none", async () => {
    const [short, usual] = [await busyCall(), await busyCall()];
    await settingsWith(short.who, 30);
    await settingsWith(usual.who, null);
    await due(usual.who);
    await round(short.who, 29);
    expect(await get(short.id, short.who)).toMatchObject({ phoneNumber: short.phoneNumber });
    await due(usual.who);
    await round(short.who, 31);
    // The service has the key in memory for up to a minute.
    expect(await numberOf(short.id)).toBeUndefined();
    expect(await get(usual.id, usual.who)).toMatchObject({ phoneNumber: usual.phoneNumber });
    expect(await remainsIn(world.db, short.marks)).toEqual([]);
    await round(usual.who, 366);
    expect(await numberOf(usual.id)).toBeUndefined();
  });

  it('waits thirty days after an upgrade for the choice of the operator, and not where an organization chose', async () => {
    const [chosen, other] = [await busyCall(), await busyCall()];
    await settingsWith(chosen.who, 1);
    await settingsWith(other.who, null);
    const firstApplied = (at: string) =>
      world.db.query(
        `update schema_migrations set applied_at = ${at} where name = '0001_outbound_calls.sql'`,
      );
    await firstApplied(`now() - interval '1 year'`);
    const early = { ...parts(29), defaultDays: 1 };
    await due(chosen.who);
    await due(other.who);
    await retentionRound(early, new AbortController().signal);
    expect(await numberOf(chosen.id)).toBeUndefined();
    expect(await numberOf(other.id)).toBe(other.phoneNumber);
    await due(other.who);
    await retentionRound({ ...parts(31), defaultDays: 1 }, new AbortController().signal);
    expect(await numberOf(other.id)).toBeUndefined();
    await firstApplied('now()');
  });

  it('erases a campaign with its recipients after its end, and keeps its counts', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const numbers = ['+14152227770', '+14152227771', '+14152227772'];
    const { id, who } = await importedCampaign(world, numbers, { campaign: { scheduledAt: soon } });
    const params = { params: { campaignId: id } };
    await eventually(async () =>
      expect((await world.db.query('select from campaigns where id = $1', [id])).rowCount).toBe(1),
    );
    await round(who, 366);
    expect(await count(who, numbers[0] ?? '')).toMatchObject({ recipients: 1 });
    await world.ask(contract.outboundCallsCancelBatch, params, who);
    await eventually(async () =>
      expect(
        (
          await world.db.query(
            `select from campaign_recipients where campaign_id = $1 and state = 'cancelled'`,
            [id],
          )
        ).rowCount,
      ).toBe(3),
    );
    const before = await world.ask(contract.outboundCallsGetBatch, params, who);
    await eventually(async () => {
      await round(who, 366);
      expect(await remainsIn(world.db, numbers)).toEqual([]);
    });
    const { rows } = await world.db.query<{ key: string | null }>(
      'select wrapped_key as key from personal_keys where subject = $1',
      [subjectOfCampaign(id)],
    );
    expect(rows).toEqual([{ key: null }]);
    expect((await world.ask(contract.outboundCallsGetBatch, params, who)).progress).toEqual(before.progress);
  });
});
