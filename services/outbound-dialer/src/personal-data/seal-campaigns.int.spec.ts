// Rows of campaigns' files that are sealed after they were written, on a real database.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, keyringOf, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { systemClock } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { organizationId, RecipientBooks } from '../testing/recipient-books.js';
import { remainsIn } from '../testing/remains.js';
import { readRecipientForm } from './recipient-form.js';
import { sealCampaigns } from './seal-campaigns.js';
import { openCell, openRecipient } from './sealed-recipients.js';

const { signal } = new AbortController();
let books: RecipientBooks;
let personalData: PersonalData;

beforeAll(async () => {
  books = await RecipientBooks.start();
  const keyring = keyringOf({ KEK_ID: 'kek-1', KEK: new Secret(randomBytes(32).toString('base64')) });
  personalData = createPersonalData({ keyring, store: pgSubjectKeys(books.db) });
});
afterAll(() => books?.stop());

const seal = (isSealed: boolean) =>
  sealCampaigns(
    { db: books.db, personalData, recipientForm: { isSealed: async () => isSealed } },
    organizationId,
    signal,
  );

/** A campaign with so many recipients in the clear, and one refused row. */
const campaignInTheClear = async (status: string, recipients: number): Promise<string> => {
  const id = await books.withRecipients(recipients);
  await books.db.query(
    `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
     values ($1, $2, $1, $3, now(), now(), 1, '{"personal":{"fromNumber":"+14155550100"}}')`,
    [id, organizationId, status],
  );
  await books.db.query(
    `insert into campaign_refused_rows (campaign_id, organization_id, row_number, phone_number, code, message)
     values ($1, $2, 1000000, '(415) 555-9${id.slice(0, 3)}', 'INVALID_PHONE', 'no number')`,
    [id, organizationId],
  );
  return id;
};

const recipientsOf = async (id: string) => {
  const { rows } = await books.db.query<{ phoneNumber: string; row: unknown }>(
    `select phone_number as "phoneNumber", row from campaign_recipients where campaign_id = $1 order by row_number`,
    [id],
  );
  return rows;
};
const numbersInTheClear = async (id: string): Promise<number> =>
  (await recipientsOf(id)).filter(({ phoneNumber }) => phoneNumber.startsWith('+')).length;
const cellOf = async (id: string) => {
  const { rows } = await books.db.query<{ phoneNumber: string | null; sealedCell: string | null }>(
    'select phone_number as "phoneNumber", sealed_cell as "sealedCell" from campaign_refused_rows where campaign_id = $1',
    [id],
  );
  return rows[0] ?? { phoneNumber: null, sealedCell: null };
};

describe('rows of campaigns in the clear', () => {
  it('are sealed in running campaigns, of which the recipients in a call are, too, and read as before', async () => {
    const id = await campaignInTheClear('running', 1_100);
    const cell = (await cellOf(id)).phoneNumber;
    await books.claim(id, 3);
    await seal(true);
    expect(await remainsIn(books.db, ['+14155551002', '+14155552101', cell ?? ''])).toEqual([]);
    expect(await openCell(personalData, id, await cellOf(id))).toBe(cell);
    const rows = await recipientsOf(id);
    const opened = await Promise.all(rows.map((row) => openRecipient(personalData, id, row)));
    expect(opened.map(({ phoneNumber }) => phoneNumber)).toEqual(
      Array.from({ length: 1_100 }, (_, index) => `+1415555${1_002 + index}`),
    );
    expect(await books.stateOf(id, 2)).toMatchObject({ state: 'queued' });
    await books.expectInOrder(id);
  });

  it('stay as they are while older dialers may run, until their campaign and its calls have ended', async () => {
    const running = await campaignInTheClear('running', 2);
    const ended = await campaignInTheClear('completed', 2);
    await seal(false);
    expect([await numbersInTheClear(running), await numbersInTheClear(ended)]).toEqual([2, 2]);
    await books.db.query(`update campaign_recipients set state = 'busy' where campaign_id = $1`, [ended]);
    await seal(false);
    expect([await numbersInTheClear(running), await numbersInTheClear(ended)]).toEqual([2, 0]);
    expect((await cellOf(ended)).sealedCell).toBeNull();
    await seal(true);
    expect([await numbersInTheClear(running), (await cellOf(ended)).phoneNumber]).toEqual([0, null]);
  });

  it('stay as they are while their file is read', async () => {
    const id = await campaignInTheClear('validating', 2);
    await seal(true);
    expect(await numbersInTheClear(id)).toBe(2);
  });

  it('that were erased stay empty', async () => {
    const id = await campaignInTheClear('running', 2);
    await books.db.query(
      `update campaign_recipients set phone_number = '' where campaign_id = $1 and row_number = 2`,
      [id],
    );
    await seal(true);
    expect((await recipientsOf(id))[0]).toEqual({ phoneNumber: '', row: { variables: {} } });
  });
});

describe('the form of recipients', () => {
  const older: Database[] = [];
  afterAll(() => Promise.all(older.map((db) => db.end())));

  it('is sealed once no process runs that reads the clear one alone, and a day after an upgrade', async () => {
    const isSealedAt = async (hours: number): Promise<boolean> => {
      const clock = { ...systemClock, now: () => new Date(Date.now() + hours * 3_600_000) };
      return (await readRecipientForm(books.db, clock)).isSealed(books.db);
    };
    expect(await isSealedAt(0)).toBe(true);
    const before = createDatabase({ url: books.url, applicationName: 'test', max: 2 });
    older.push(before);
    await before.hold('release:1');
    expect(await isSealedAt(0)).toBe(false);
    await before.end();
    await books.db.query(
      `update schema_migrations set applied_at = applied_at - interval '30 days' where name = '0001_outbound_calls.sql'`,
    );
    expect([await isSealedAt(23), await isSealedAt(25)]).toEqual([false, true]);
  });
});
