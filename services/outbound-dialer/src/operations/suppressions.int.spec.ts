// The do-not-call lists in a real database: entries, their facts, and the list of the operator.
import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, Keyring, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { runServiceCommand } from '@parlance/ops';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { type HashNumbers, installationHashes } from '../personal-data/installation-hashes.js';
import { sealNumbersInTheClear } from '../suppressions/sealed-numbers.js';
import { suppressedAmong } from '../suppressions/suppressed-numbers.js';
import { factsOf, forgetFacts } from '../suppressions/suppression-facts.js';
import { listSuppressions, removeSuppression, suppress, suppressedOf } from '../suppressions/suppressions.js';
import { operations } from './operations.js';

let engines: TestEngines;
let db: Database;
let url: Secret;
let hashNumbers: HashNumbers;
let personalData: PersonalData;
const keys = { KEK_ID: 'kek-1', KEK: randomBytes(32).toString('base64') };
const at = new Date('2026-06-01T12:00:00.000Z');
const number = '+14155550100';

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  ({ url } = await engines.databaseFor('outbound-dialer'));
  db = createDatabase({ url, applicationName: 'test', max: 5 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  const keyring = new Keyring({ id: keys.KEK_ID, key: new Secret(keys.KEK) });
  personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  hashNumbers = installationHashes(personalData);
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const hashOf = async (phoneNumber: string): Promise<string> => (await hashNumbers([phoneNumber]))[0] ?? '';
const byPerson = { source: 'request', actor: 'user:u1', callId: null, reason: 'asked by mail', at } as const;
const byCall = (callId: string) =>
  ({ source: 'call', actor: `call:${callId}`, callId, reason: null, at }) as const;
const add = async (
  organization: string,
  how: typeof byPerson | ReturnType<typeof byCall>,
  phoneNumber: string | null = number,
) => {
  const numberHash = await hashOf(phoneNumber ?? number);
  return db.transaction((tx) =>
    suppress(tx, personalData, organization, [{ id: randomUUID(), phoneNumber, numberHash }], how),
  );
};
const listOf = (organization: string) =>
  listSuppressions({ db, personalData }, organization, undefined, { limit: 5 });
const isSuppressed = async (organization: string, phoneNumber = number): Promise<boolean> =>
  (await suppressedOf(db, organization, [phoneNumber], [await hashOf(phoneNumber)])).has(phoneNumber);
const remover = (role: 'owner' | 'member') =>
  ({ actor: 'user:u2', role, reason: 'changed their mind', at }) as const;
const remove = (organization: string, id: string, role: 'owner' | 'member') =>
  db.transaction((tx) => removeSuppression(tx, organization, id, remover(role), hashNumbers));

describe('the do-not-call list of an organization', () => {
  it('says who added and removed a number, and why, without the number', async () => {
    const organization = randomUUID();
    const [entry] = await add(organization, byPerson);
    expect(entry).toMatchObject({ phoneNumber: number, source: 'request', addedBy: 'user:u1' });
    // Once more changes nothing.
    expect(await add(organization, byPerson)).toMatchObject([{ id: entry?.id }]);
    expect(await isSuppressed(organization)).toBe(true);
    await remove(organization, entry?.id ?? '', 'member');
    expect(await isSuppressed(organization)).toBe(false);
    expect(await factsOf(db, organization, await hashOf(number))).toMatchObject([
      { change: 'removed', actor: 'user:u2', reason: 'changed their mind' },
      { change: 'added', actor: 'user:u1', reason: 'asked by mail', callId: null },
    ]);
    const { rows } = await db.query<{ text: string }>('select f::text as text from suppression_facts f');
    expect(rows.filter(({ text }) => text.includes(number.slice(1)))).toEqual([]);
  });

  it('keeps what a person asked for in a call from members, and takes the call down once', async () => {
    const organization = randomUUID();
    const [entry] = await add(organization, byCall('call-1'));
    await add(organization, byCall('call-1'));
    await expect(remove(organization, entry?.id ?? '', 'member')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(await isSuppressed(organization)).toBe(true);
    await remove(organization, entry?.id ?? '', 'owner');
    expect(await factsOf(db, organization, await hashOf(number))).toMatchObject([
      { change: 'removed', source: 'request' },
      { change: 'added', source: 'call', callId: 'call-1' },
    ]);
  });

  it('holds for a number of which the hash alone is kept, and for an entry that an older replica made', async () => {
    const [erased, old] = [randomUUID(), randomUUID()];
    await add(erased, byPerson, null);
    expect(await isSuppressed(erased)).toBe(true);
    expect(await listOf(erased)).toMatchObject([{ phoneNumber: '' }]);
    await db.query(
      'insert into suppressions (id, organization_id, phone_number, created_at) values ($1, $2, $3, now())',
      [randomUUID(), old, number],
    );
    expect(await isSuppressed(old)).toBe(true);
    expect(await add(old, byPerson)).toMatchObject([{ phoneNumber: number, source: 'request' }]);
  });

  it('forgets facts after five years', async () => {
    const organization = randomUUID();
    await add(organization, byPerson);
    await forgetFacts(db, new Date('2031-05-31T00:00:00.000Z'));
    expect(await factsOf(db, organization, await hashOf(number))).toHaveLength(1);
    await forgetFacts(db, new Date('2031-06-02T00:00:00.000Z'));
    expect(await factsOf(db, organization, await hashOf(number))).toEqual([]);
  });
});

describe('numbers on the list', () => {
  const rowsOf = async (organization: string) =>
    (
      await db.query<{ row: string; phoneNumber: string | null; isSealed: boolean; hash: string | null }>(
        `select s::text as row, phone_number as "phoneNumber", sealed_number is not null as "isSealed", number_hash as hash
         from suppressions s where organization_id = $1`,
        [organization],
      )
    ).rows;
  /** Those of the numbers of a file that are left out. */
  const leftOut = async (organization: string, numbers: readonly string[]) => [
    ...(await suppressedAmong({ db, hashNumbers }, organization)(numbers)),
  ];
  const inClear = (organization: string, phoneNumber: string) =>
    db.query(
      'insert into suppressions (id, organization_id, phone_number, created_at) values ($1, $2, $3, $4)',
      [randomUUID(), organization, phoneNumber, at],
    );
  const seal = (now: Date) =>
    sealNumbersInTheClear({ db, personalData, hashNumbers }, now, new AbortController().signal);

  it('are sealed, and are still listed, found, and compared with the rows of files', async () => {
    const organization = randomUUID();
    await add(organization, byPerson);
    await add(organization, byPerson, '+442079460958');
    for (const { row } of await rowsOf(organization)) expect(row).not.toMatch(/4155550100|2079460958/);
    expect((await listOf(organization)).map(({ phoneNumber }) => phoneNumber).sort()).toEqual([
      number,
      '+442079460958',
    ]);
    const found = { phoneNumber: number, numberHash: await hashOf(number) };
    expect(await listSuppressions({ db, personalData }, organization, found, { limit: 5 })).toMatchObject([
      { phoneNumber: number },
    ]);
    const numbers = [number, '+442079460958', '+442079460959'];
    expect(await leftOut(organization, numbers)).toEqual(numbers.slice(0, 2));
    expect(await leftOut(randomUUID(), numbers)).toEqual([]);
    expect(await isSuppressed(organization)).toBe(true);
    await personalData.forget(`outboundNumbers-${organization}`);
    const later = createPersonalData({
      keyring: new Keyring({ id: keys.KEK_ID, key: new Secret(keys.KEK) }),
      store: pgSubjectKeys(db),
    });
    const afterwards = await listSuppressions({ db, personalData: later }, organization, undefined, {
      limit: 5,
    });
    expect(afterwards.map(({ phoneNumber }) => phoneNumber)).toEqual(['', '']);
  });

  it('stay in the clear for a day after an upgrade, for replicas that find entries by them, and are sealed then', async () => {
    const organization = randomUUID();
    const age = (of: string, hours: number) =>
      db.query(
        `update schema_migrations set applied_at = $2::timestamptz - $3 * interval '1 hour' where name = $1`,
        [of, at, hours],
      );
    await age('0001_outbound_calls.sql', 1_000);
    await age('0023_sealed_suppressions.sql', 1);
    await add(organization, byPerson);
    expect(await rowsOf(organization)).toMatchObject([{ phoneNumber: number, isSealed: false }]);
    // An older replica adds two numbers, one of which is on the list by its hash alone.
    await inClear(organization, '+14155550101');
    await inClear(organization, '+14155550102');
    await add(organization, byPerson, '+14155550103');
    await db.query(
      `update suppressions set phone_number = null, number_hash = $2 where organization_id = $1 and phone_number = $3`,
      [organization, await hashOf('+14155550102'), '+14155550103'],
    );
    expect(await seal(at)).toBe(false);
    expect((await rowsOf(organization)).filter(({ phoneNumber }) => phoneNumber !== null)).toHaveLength(3);
    const dayLater = new Date(at.getTime() + 24 * 3_600_000);
    expect(await seal(dayLater)).toBe(true);
    expect(await seal(dayLater)).toBe(true);
    const rows = await rowsOf(organization);
    expect(rows.map(({ phoneNumber }) => phoneNumber)).toEqual([null, null, null]);
    for (const one of [number, '+14155550101', '+14155550102'])
      expect(await isSuppressed(organization, one)).toBe(true);
    const numbers = [number, '+14155550101', '+14155550102'];
    expect(await leftOut(organization, [...numbers, '+14155550103'])).toEqual(numbers);
    await age('0001_outbound_calls.sql', 1);
  });
});

describe('the list of the operator', () => {
  const run = async (args: readonly string[], file = '') => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const status = await runServiceCommand(operations, {
      args: ['suppressions', ...args],
      output,
      errors,
      input: Readable.from([file]),
      variables: { POSTGRES_URL: url.reveal(), ...keys },
    });
    return { status, output: String(output.read() ?? ''), errors: String(errors.read() ?? '') };
  };

  it('is imported from a file of ten thousand numbers, holds for every organization, and gives a number free again', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => `+1212${5_000_000 + index}`);
    const file = ['number;listed', ...numbers.map((one) => `${one};2026-01-01`), 'nonsense', ''].join('\n');
    const first = await run(['import', '-', '--source', 'registry'], file);
    expect(first).toMatchObject({ status: 0, errors: '' });
    expect(first.output).toContain('10000 numbers read, 10000 of them new on the list (source: registry).');
    expect(first.output).toContain('1 lines hold no number with a plus: 10002');
    expect((await run(['import', '-', '--source', 'again'], file)).output).toContain('0 of them new');
    expect((await run([])).output).toMatch(/10000 .* registry/);
    expect(await isSuppressed(randomUUID(), '+12125004321')).toBe(true);
    // A person may opt out of one organization, and an admin of it may change that. The operator's list holds regardless.
    const organization = randomUUID();
    const [entry] = await add(organization, byCall('call-2'), '+12125004322');
    await remove(organization, entry?.id ?? '', 'owner');
    expect(await isSuppressed(organization, '+12125004322')).toBe(true);
    expect((await run(['remove', '+12125004321', '--reason', 'listed by mistake'])).output).toContain(
      'may be called',
    );
    expect(await isSuppressed(randomUUID(), '+12125004321')).toBe(false);
    expect(await factsOf(db, '*', await hashOf('+12125004321'))).toMatchObject([
      { change: 'removed', source: 'operator', reason: 'listed by mistake' },
      { change: 'added', source: 'operator', reason: 'registry' },
    ]);
  });

  it.each([
    [['import'], 'suppressions import <file.csv>'],
    [['import', '-'], '--source is needed'],
    [['remove', 'nonsense', '--reason', 'x'], 'is not a number'],
    [['export', 'x'], '"export" is not known'],
  ])('says what is wrong with %j', async (args, expected) => {
    expect(await run(args)).toMatchObject({ status: 2, errors: expect.stringContaining(expected) });
  });
});
