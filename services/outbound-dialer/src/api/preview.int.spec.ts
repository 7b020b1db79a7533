// A campaign's file looked at before the campaign: over NATS, of the whole service, with a real object storage.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, type RequestOf } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { type FileWorld, startFileWorld } from '../testing/file-world.js';

type Body = RequestOf<typeof contract.outboundCallsPreviewBatch>['body'];

let world: FileWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startFileWorld();
  dialer = await world.startDialer({
    OUTBOUND_ALLOWED_COUNTRIES: 'DE,GB',
    ...world.storageVariables,
  });
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const upload = async (who: Caller, content: string): Promise<string> => {
  const bytes = String(Buffer.byteLength(content));
  const query = { fileName: 'people.csv', contentType: 'text/csv', bytes };
  const { uploadUrl, sourceFileKey } = await world.ask(contract.outboundCallsBatchUploadUrl, { query }, who);
  const put = { method: 'PUT', body: content, headers: { 'content-type': 'text/csv' } };
  const stored = await fetch(uploadUrl, put);
  if (!stored.ok) throw new Error(`not uploaded: ${stored.status}`);
  return sourceFileKey;
};

const peopleOf = (campaignId: string, who: Caller) =>
  world.ask(contract.outboundCallsListRecipients, { params: { campaignId }, query: {} }, who);

const preview = (who: Caller, body: Body) => world.ask(contract.outboundCallsPreviewBatch, { body }, who);

/** An organization with an agent, and a file. */
const organization = async (content: string) => {
  const who = ownerOf();
  const agentId = randomUUID();
  world.agents.set(agentId, {
    ...{ agentId, name: 'Ada', isActive: true, configVersion: 3 },
    ...{ allowedOverrides: ['firstMessage'], maxDurationSeconds: 600, language: 'en' },
  });
  world.placeholders.set(agentId, [
    { name: 'name', hasDefault: false },
    { name: 'city', hasDefault: true },
    { name: 'plan', hasDefault: false },
  ]);
  const sourceFileKey = await upload(who, content);
  const body: Body = { agentId, fromNumber: '+14155550142', sourceFileKey, sourceFileName: 'people.csv' };
  return { who, agentId, body };
};

const people =
  'phone,name,note,language,first_message\n' +
  '+12125550100,Grace,x,de,Hello\n+14155550101,Ada,y,,\n+14155550101,Twice,z,,\n,Nobody,,,\nabc defghi,No,,,\n+14155550199,Never,,,\n';

describe('the preview of a campaign', () => {
  it('tells what each column is, and which placeholders stay empty', async () => {
    const { who, body } = await organization(people);
    const { columns, placeholders } = await preview(who, body);
    expect(columns).toEqual([
      { header: 'phone', use: 'phone_number', isName: false, variables: [], isUsed: true },
      { header: 'name', use: 'variable', isName: false, variables: ['name'], isUsed: true },
      { header: 'note', use: 'variable', isName: false, variables: ['note'], isUsed: false },
      { header: 'language', use: 'override', isName: false, variables: ['language'], isUsed: false },
      { header: 'first_message', use: 'override', isName: false, variables: [], isUsed: true },
    ]);
    expect(placeholders).toEqual([
      { name: 'name', hasColumn: true, hasDefault: false },
      { name: 'city', hasColumn: false, hasDefault: true },
      { name: 'plan', hasColumn: false, hasDefault: false },
    ]);
  });

  it('counts every row once, by what would become of it, and names the rows that would not be called', async () => {
    const { who, body } = await organization(people);
    await world.ask(contract.suppressionsCreate, { body: { phoneNumbers: ['+14155550199'] } }, who);
    const { rows, errors, complete, refusal } = await preview(who, body);
    expect(rows).toEqual({
      ...{ total: 6, good: 2, duplicates: 1, suppressed: 1 },
      unusable: { INVALID_PHONE: 1, MISSING_PHONE: 1, ROW_TOO_LONG: 0 },
    });
    expect(errors.map(({ row, code }) => `${row} ${code}`)).toEqual([
      '4 DUPLICATE',
      '5 MISSING_PHONE',
      '6 INVALID_PHONE',
      '7 SUPPRESSED',
    ]);
    expect([complete, refusal]).toEqual([true, null]);
  });

  it('shows rows as they would be called, by the clocks of their callees', async () => {
    const { who, body } = await organization(people);
    const callingWindow = {
      ...{ days: [0, 1, 2, 3, 4, 5, 6], start: '12:00', end: '20:00' },
      basis: 'recipient' as const,
    };
    const { sample } = await preview(who, { ...body, callingWindow });
    expect(sample).toMatchObject([
      {
        row: 2,
        phoneNumber: '+12125550100',
        country: 'US',
        timezones: ['America/New_York'],
        variables: { name: 'Grace', note: 'x' },
      },
      { row: 3, phoneNumber: '+14155550101', country: 'US', timezones: ['America/Los_Angeles'] },
      { row: 7, phoneNumber: '+14155550199' },
    ]);
    const hourOf = (index: number, timeZone: string): number =>
      Number(
        new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(
          new Date(sample[index]?.callableFrom ?? ''),
        ),
      );
    for (const hour of [hourOf(0, 'America/New_York'), hourOf(1, 'America/Los_Angeles')]) {
      expect(hour).toBeGreaterThanOrEqual(12);
      expect(hour).toBeLessThan(20);
    }
  });

  it('tells the worst case of all rows and attempts, and how long the first calls take', async () => {
    const { who, agentId, body } = await organization(people);
    const retryPolicy = { maxAttempts: 3 };
    const { cost, estimate, rows } = await preview(who, { ...body, retryPolicy, callsPerSecond: 2 });
    const query = { agentId, phoneNumber: '+14155550101' };
    const one = await world.ask(contract.spendWorstCase, { query }, who);
    expect(rows.good).toBe(3);
    expect(cost).toEqual({
      ...{ currency: one.currency, attempts: 3, longestSeconds: 600, unknownRates: 0 },
      worstCaseMicros: 3 * 3 * one.worstCaseMicros,
    });
    expect(estimate).toEqual({ seconds: 1.5 + 50 });
  });

  it('says which prices are not known, and counts them with the highest', async () => {
    const { who, agentId, body } = await organization('phone\n+12125550100\n');
    const tableId = randomUUID();
    await world.db.transaction(async (tx) => {
      await tx.query(`insert into rate_tables (id, currency, imported_at) values ($1, 'EUR', now())`, [
        tableId,
      ]);
      await tx.query(`insert into rates (table_id, prefix, micros) values ($1, '49', 20000)`, [tableId]);
    });
    try {
      const { cost } = await preview(who, body);
      expect(cost).toMatchObject({ currency: 'EUR', unknownRates: 1, worstCaseMicros: 200_000 });
      expect(await world.ask(contract.spendWorstCase, { query: { agentId } }, who)).toMatchObject({
        worstCaseMicros: 200_000,
      });
    } finally {
      await world.db.query('delete from rates where table_id = $1', [tableId]);
      await world.db.query('delete from rate_tables where id = $1', [tableId]);
    }
  });

  it('of a long file is about its first rows, and says so', async () => {
    const rows = Array.from({ length: 100_001 }, (_, i) => `+1415${2_000_000 + i}`).join('\n');
    const { who, body } = await organization(`phone\n${rows}\n`);
    const { sample, ...rest } = await preview(who, body);
    expect(rest).toMatchObject({
      ...{ complete: false, refusal: null, rows: { total: 100_000, good: 100_000 } },
    });
    expect(sample).toHaveLength(20);
  });

  it('of a file that a campaign would refuse is answered with the reason', async () => {
    const { who, body } = await organization('name\nGrace\n');
    expect(await preview(who, body)).toMatchObject({
      refusal: { code: 'FILE_INVALID', message: expect.stringContaining('phone_number') },
      columns: [{ header: 'name', use: 'variable', variables: ['name'], isUsed: true }],
      ...{ rows: { total: 0 }, sample: [] },
    });
  });

  it('warns of placeholders that nothing fills, of cells without a value, and of renamed columns', async () => {
    const { who, agentId, body } = await organization(
      'phone,name,Notes,Notes\n+14155550100,N/A,a,b\n+14155550101,#N/A,c,d\n',
    );
    world.impossible.set(agentId, ['{{first-name}}']);
    const { warnings, sample, rows } = await preview(who, body);
    expect(rows.good).toBe(2);
    expect(sample.map(({ variables }) => variables)).toEqual([
      { name: 'N/A', Notes: 'a', Notes_2: 'b' },
      { Notes: 'c', Notes_2: 'd' },
    ]);
    expect(warnings).toMatchObject([
      { code: 'COLUMN_RENAMED', column: 'Notes_2' },
      { code: 'NO_VALUE', column: 'name', rows: 2, firstRow: 2 },
      { code: 'PLACEHOLDER_UNFILLED', message: expect.stringContaining('{{plan}}') },
      { code: 'PLACEHOLDER_IMPOSSIBLE', message: expect.stringContaining('{{first-name}}') },
    ]);
  });

  it('checks the overrides of rows by the models of the agent', async () => {
    const { who, agentId, body } = await organization(
      'phone,language\n+14155550100,DE\n+14155550101,Klingon\n',
    );
    const found = world.agents.get(agentId);
    if (found !== undefined) world.agents.set(agentId, { ...found, allowedOverrides: ['agent_language'] });
    const { columns, errors, sample } = await preview(who, body);
    expect(columns[1]).toMatchObject({ use: 'override', isUsed: true });
    expect(sample.map(({ row }) => row)).toEqual([2]);
    expect(errors).toMatchObject([
      { row: 3, column: 'language', message: expect.stringContaining('such as') },
    ]);
  });

  it('leaves nothing behind: no campaign, and no number in use', async () => {
    const { who, body } = await organization(people);
    await preview(who, body);
    expect(await world.ask(contract.outboundCallsListBatches, { query: {} }, who)).toEqual([]);
    const { organizationId } = who;
    for (const table of ['campaigns', 'campaign_numbers', 'campaign_recipients']) {
      const found = await world.db.query(`select 1 from ${table} where organization_id = $1`, [
        organizationId,
      ]);
      expect([table, found.rows]).toEqual([table, []]);
    }
  });

  it.each([
    ['AGENT_NOT_FOUND', { agentId: randomUUID() }],
    ['NUMBER_NOT_FOUND', { fromNumber: '+14155550198' }],
    ['UPLOAD_NOT_FOUND', { sourceFileKey: 'org/x/batches/1/a.csv' }],
  ])('is refused with %s as the campaign would be', async (expected, change) => {
    world.unowned.add('+14155550198');
    const { who, body } = await organization(people);
    await expect(preview(who, { ...body, ...change })).rejects.toMatchObject({ code: expected });
  });

  it('of a file of another organization is refused', async () => {
    const theirs = await organization(people);
    const { who, body } = await organization(people);
    const asked = preview(who, { ...body, sourceFileKey: theirs.body.sourceFileKey });
    await expect(asked).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  });
});

describe('numbers of a file', () => {
  it.each([
    [
      'with a lost plus are read as the numbers that they were',
      '+4930123456',
      ['4915123456701', '49 160 12345602', '491751234504', '493012345605'],
      ['+4915123456701', '+4916012345602', '+491751234504', '+493012345605'],
    ],
    [
      'in full-width digits are read',
      '+14155550142',
      ['＋１４１５５５５０１００', '（４１５）５５５－０１０１'],
      ['+14155550100', '+14155550101'],
    ],
    [
      'of everybody in Britain at the price of a landline, and of no charge, are called',
      '+442079460900',
      ['0300 123 4567', '0800 123 4567'],
      ['+443001234567', '+448001234567'],
    ],
  ])('%s', async (_, fromNumber, cells, numbers) => {
    const { who, body } = await organization(`phone\n${cells.join('\n')}\n`);
    const reading = await preview(who, { ...body, fromNumber });
    expect(reading.errors).toEqual([]);
    expect(reading.sample.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers);
  });

  it('that must not be dialled are told before the campaign and after it, each with its reason', async () => {
    const cells = [
      '0000000000,',
      '1234567890,',
      '1111111111,',
      '415555014,',
      '415 155 0100,',
      '+1 415 555 0104 x123,',
      '4155550107#5,',
      '+44 7012 345678,',
      '+12125550100,EST',
      '+12125550101,+02:00',
      '+12125550102,america/new_york',
      '+12125550103,UTC',
    ];
    const { who, body } = await organization(`phone,timezone\n${cells.join('\n')}\n`);
    const { errors, rows, sample } = await preview(who, body);
    expect(rows).toMatchObject({ total: 12, good: 2, unusable: { INVALID_PHONE: 10 } });
    expect(errors.map(({ row, column, message }) => [row, column, message])).toEqual([
      ...[2, 3, 4, 5, 6].map((row) => [row, 'phone', `row ${row}, phone: is not a phone number`]),
      ...[7, 8].map((row) => [row, 'phone', expect.stringContaining('extension')]),
      [9, 'phone', expect.stringContaining('premium-rate')],
      [10, 'timezone', expect.stringMatching(/"EST" .* Europe\/London/)],
      [11, 'timezone', expect.stringMatching(/"\+02:00" is an offset/)],
    ]);
    expect(sample.map(({ timezones }) => timezones)).toEqual([['America/New_York'], ['America/New_York']]);
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const asked = { ...body, name: 'Spring', scheduledAt };
    const { id } = await world.ask(contract.outboundCallsCreateBatch, { body: asked }, who);
    await eventually(async () => {
      const campaign = await world.ask(contract.outboundCallsGetBatch, { params: { campaignId: id } }, who);
      expect(campaign).toMatchObject({ status: 'scheduled', file: { accepted: 2, rejected: 10 } });
      expect(campaign.file.errors).toEqual(errors);
    });
  });
});

describe('a file of a campaign', () => {
  it('keeps its warnings, and leaves empty cells out of the calls', async () => {
    const { who, body } = await organization('phone,name,plan\n+14155550110,,\n+14155550111,Zoë,N/A\n');
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const asked = { ...body, name: 'Spring', scheduledAt };
    const { id } = await world.ask(contract.outboundCallsCreateBatch, { body: asked }, who);
    await eventually(async () => {
      const { file } = await world.ask(contract.outboundCallsGetBatch, { params: { campaignId: id } }, who);
      expect(file).toMatchObject({
        accepted: 2,
        warnings: [{ code: 'NO_VALUE', column: 'plan', rows: 1, firstRow: 3 }],
      });
    });
    const people = await peopleOf(id, who);
    expect(people.map(({ variables }) => variables)).toEqual([{}, { name: 'Zoë', plan: 'N/A' }]);
  });
});

describe('a mapping of columns', () => {
  const columns = { phoneNumber: 'Mobil', name: 'Kunde', variables: { name: 'Kunde' } };
  const german = 'Mobil;Kunde\n+14155550100;Grace Hopper\n';

  it('means for the campaign what it means for its preview', async () => {
    const { who, body } = await organization(german);
    const { sample } = await preview(who, { ...body, columns });
    expect(sample).toMatchObject([{ name: 'Grace Hopper', variables: { name: 'Grace Hopper' } }]);
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const asked = { ...body, name: 'Spring', scheduledAt, columns };
    const { id } = await world.ask(contract.outboundCallsCreateBatch, { body: asked }, who);
    await eventually(async () => {
      expect(await peopleOf(id, who)).toMatchObject([
        { phoneNumber: '+14155550100', name: 'Grace Hopper', variables: { name: 'Grace Hopper' } },
      ]);
    });
  });
});
