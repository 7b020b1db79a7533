// The mailroom, and the platform's way of sending, held against each other on the wire.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMailer, MailNotSent } from '@parlance/mail';
import PostalMime from 'postal-mime';
import { type Mailroom, startMailroom } from './index.js';

const from = { name: 'Parlance', address: 'parlance@localhost' };
const mail = {
  id: 'a-1',
  to: 'Ada@Example.com',
  subject: 'Grüße',
  text: 'Hello\n.\nbye',
  html: '<p>Hello</p>',
};

let dataDir: string;
let mailroom: Mailroom;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parlance-mailroom-'));
  mailroom = await startMailroom({ dataDir });
});

afterAll(async () => {
  await mailroom?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const kept = (): string[] => readdirSync(dataDir).sort();
const failure = (work: Promise<unknown>): Promise<MailNotSent> =>
  work.then(
    () => {
      throw new Error('it was sent');
    },
    (error: unknown) => {
      if (error instanceof MailNotSent) return error;
      throw error;
    },
  );

it('keeps each mail as one file that a mail program opens, readable by its owner alone', async () => {
  const mailer = createMailer({ url: mailroom.url, from });
  await Promise.all([mailer.send(mail), mailer.send({ ...mail, id: 'a-2' })]);
  const files = kept();
  expect(files).toHaveLength(2);
  for (const file of files) expect(file).toMatch(/^\d{8}T\d{9}Z-ada@example\.com\.eml$/);
  const [file = ''] = files;
  expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
  const parsed = await PostalMime.parse(readFileSync(join(dataDir, file)));
  expect(parsed).toMatchObject({
    from,
    to: [{ address: 'Ada@example.com' }],
    subject: 'Grüße',
    messageId: expect.stringMatching(/^<a-[12]@localhost>$/),
  });
  expect(parsed.text?.trim()).toBe(mail.text);
  expect(parsed.html).toContain('<p>Hello</p>');
});

it.each([
  ['an address with a line break', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ['two addresses', { to: 'ada@example.com, eve@example.com' }],
  ['a subject with a line break', { subject: 'Hello\r\nBcc: eve@example.com' }],
  ['an id with a line break', { id: 'a>\r\nBcc: eve@example.com' }],
])('refuses to send %s', async (_, wrong) => {
  const before = kept();
  const mailer = createMailer({ url: mailroom.url, from });
  expect((await failure(mailer.send({ ...mail, ...wrong }))).isRefused).toBe(true);
  expect(kept()).toEqual(before);
});

it('refuses a mail that is too large, and says so as an answer about the mail', async () => {
  const mailer = createMailer({ url: mailroom.url, from });
  const error = await failure(mailer.send({ ...mail, text: 'x'.repeat(70).concat('\n').repeat(20_000) }));
  expect([error.isRefused, error.status]).toEqual([true, 552]);
});

it('cannot send to a server that is away, or that says nothing, and tells it soon', async () => {
  const silent: Server = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const before = Date.now();
  const toSilence = createMailer({ url: `smtp://127.0.0.1:${port}`, from, timeoutMs: 200 });
  expect((await failure(toSilence.send(mail))).isRefused).toBe(false);
  await new Promise<void>((resolve) => silent.close(() => resolve()));
  const toNothing = createMailer({ url: `smtp://127.0.0.1:${port}`, from });
  const error = await failure(toNothing.send(mail));
  expect([error.isRefused, error.message]).toEqual([false, expect.not.stringContaining('ada')]);
  expect(Date.now() - before).toBeLessThan(25_000);
});
