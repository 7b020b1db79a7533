// Mails wait in the outbox until a server has taken them: through an outage, once for all gateways, sealed meanwhile.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createMailer, type Mailer, MailNotSent } from '@parlance/mail';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { Mailbox } from '../testing/mailbox.js';
import { TestGateway, testEnv } from '../testing/test-gateway.js';
import { MailOutbox, MailSeal } from './mail-outbox.js';
import { mailCheck, startPostman } from './postman.js';

const logger = createLogger({ service: 'test', level: 'silent' });

let engines: TestEngines;
let db: Database;
let mailbox: Mailbox;
let gateways: readonly TestGateway[];
let seal: MailSeal;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  db = createDatabase({ url: postgresUrl, applicationName: 'test', max: 2 });
  mailbox = new Mailbox();
  await mailbox.start();
  const options = { postgresUrl, natsUrl: engines.natsUrl };
  const authSecret = 's'.repeat(20) + Math.random().toString(36).padEnd(30, '0');
  const variables = { ...mailbox.variables, EMAIL_VERIFICATION: 'required', AUTH_SECRET: authSecret };
  seal = new MailSeal(testEnv({ ...options, variables }).AUTH_SECRET);
  const first = await TestGateway.start({ ...options, variables });
  gateways = [first, await TestGateway.start({ ...options, variables })];
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await db?.end();
  await mailbox?.remove();
  await engines?.stop();
});

const signUp = (email: string, at = 0) =>
  gateways[at % gateways.length]?.send('/auth/sign-up/email', {
    method: 'POST',
    body: { name: 'Ada', email, password: 'a long password' },
  });

const waiting = async (): Promise<number> => {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from mail_outbox');
  return rows[0]?.count ?? -1;
};

describe('the outbox', () => {
  it('keeps mails while the server is away, sealed, and sends each once when it is back', async () => {
    await mailbox.stop();
    const people = Array.from({ length: 6 }, (_, index) => `waiting-${index}@example.com`);
    for (const [index, email] of people.entries()) expect((await signUp(email, index))?.status).toBe(200);
    expect(await waiting()).toBe(people.length);
    const { rows } = await db.query('select * from mail_outbox');
    expect(JSON.stringify(rows)).not.toMatch(/waiting-|example\.com|verify-email|token=/);

    await mailbox.start();
    await eventually(async () => expect(await waiting()).toBe(0), { timeoutMs: 60_000 });
    for (const email of people) expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  it('holds nothing of a sign-up that was refused', async () => {
    const refused = await gateways[0]?.send('/auth/sign-up/email', {
      method: 'POST',
      body: { name: 'Ada', email: 'refused@example.com', password: 'short' },
    });
    expect(refused?.status).toBe(400);
    expect(await mailbox.mailsTo('refused@example.com')).toEqual([]);
    expect(await waiting()).toBe(0);
  });
});

describe('a mailbox', () => {
  it('gets so many mails in a quarter of an hour and no more', async () => {
    const { url: postgresUrl } = await engines.databaseFor('gateway');
    const few = await TestGateway.start({
      postgresUrl,
      natsUrl: engines.natsUrl,
      variables: { GUESSES_PER_ACCOUNT: '3', EMAIL_VERIFICATION: 'required' },
    });
    const ask = (email: string) =>
      few.send('/auth/request-password-reset', { method: 'POST', body: { email } });
    const statuses: number[] = [];
    for (const email of ['a@example.com', 'A@example.com', 'a@example.com', 'a@example.com'])
      statuses.push((await ask(email)).status);
    expect([...statuses, (await ask('b@example.com')).status]).toEqual([200, 200, 200, 429, 200]);
    await few.stop();
  });
});

describe('a mail', () => {
  const content = { to: 'grace@example.com', subject: 'S', text: 'T', html: 'H' };
  let outbox: MailOutbox;
  const write = async (
    id: string,
    { sealed = seal.seal(id, content), expires = "interval '1 hour'" } = {},
  ) => {
    await db.query(
      `insert into mail_outbox (id, kind, sealed, expires_at) values ($1, 'test', $2, now() + ${expires})`,
      [id, sealed],
    );
  };
  const claimAll = async (): Promise<string[]> => {
    const claimed = await outbox.claim();
    return claimed === undefined ? [] : [claimed.id, ...(await claimAll())];
  };

  // The gateways of this file stop first: they would claim the mails that are tested here.
  beforeAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    gateways = [];
    await db.query('delete from mail_outbox');
    outbox = new MailOutbox(db, seal);
  });

  it('is claimed by one of many, and by no other until the claim ends', async () => {
    for (const id of ['one', 'two', 'three']) await write(id);
    const claimed = await Promise.all([claimAll(), claimAll(), claimAll()]);
    expect(claimed.flat().sort()).toEqual(['one', 'three', 'two']);
    await db.query(`update mail_outbox set next_attempt_at = now() where id = 'two'`);
    expect(await claimAll()).toEqual(['two']);
    await db.query('delete from mail_outbox');
  });

  const sendAll = async (mailer: Mailer): Promise<void> => {
    const postman = startPostman({ outbox, mailer, logger });
    await eventually(async () => expect(await waiting()).toBe(0));
    await postman?.stop();
  };

  it.each([
    ['has lost its meaning', { expires: "interval '-1 second'" }],
    ['was sealed under another secret', { sealed: 'v1.mail.AAAA.AAAA' }],
  ])('is given up when it %s', async (_, row) => {
    await write('given-up', row);
    const sent: string[] = [];
    await sendAll({ send: async ({ id }) => void sent.push(id) });
    expect(sent).toEqual([]);
  });

  it('is given up when the server refuses it for good, and never keeps others waiting', async () => {
    await write('refused');
    await write('fine');
    const sent: string[] = [];
    await sendAll({
      send: async ({ id }) => {
        if (id === 'refused') throw new MailNotSent('EENVELOPE', { isRefused: true, status: 550 });
        sent.push(id);
      },
    });
    expect(sent).toEqual(['fine']);
  });

  it('shows in /ready when it waits for long, with the number of waiting mails and no receiver', async () => {
    const away = createMailer({ url: 'smtp://127.0.0.1:1', from: { name: '', address: 'a@b' } });
    expect(await mailCheck({ outbox, mailer: undefined, logger })).toBe('skipped');
    await write('late');
    expect(await mailCheck({ outbox, mailer: away, logger })).toBeUndefined();
    await db.query(`update mail_outbox set created_at = now() - interval '1 minute'`);
    await expect(mailCheck({ outbox, mailer: away, logger })).rejects.toThrow(
      '1 mail waits: the SMTP server does not take them',
    );
    await expect(mailCheck({ outbox, mailer: undefined, logger })).rejects.toThrow('no SMTP_URL is set');
    await db.query('delete from mail_outbox');
  });
});
