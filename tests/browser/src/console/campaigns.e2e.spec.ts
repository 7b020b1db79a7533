// A campaign from its file to its outcome, called on the simulated telephones.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import { makeCampaign } from '../testing/campaign.js';
import {
  type ConsoleWorld,
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
  phone,
} from '../testing/console-world.js';

/** The last two digits choose the behaviour of a telephone: it answers, is busy, or has a voicemail. */
const people = [
  'mobile,name,doctor',
  '+14155550100,Ada Nguyen,Dr. Weber',
  '+14155550101,"Zoë ""<b>"" مرحبا",Dr. Anand',
  '+14155550170,Alan Silva,Dr. Weber',
  '+14155550185,Edsger Kim,Dr. Weber',
  '+14155550100,Ada again,Dr. Weber',
  '+14155550103,Do Not Call,Dr. Weber',
  'not a number,Barbara,Dr. Weber',
  ',Nobody,Dr. Weber',
].join('\n');

interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly callingWindow: object | null;
  readonly retryPolicy: { readonly maxAttempts: number };
  readonly budget: { readonly maxCostMicros: number } | null;
  readonly progress: Readonly<Record<string, number>>;
  readonly file: { readonly rows: number; readonly accepted: number; readonly errors: readonly object[] };
}

const minutes = 60_000;

const agentOf = async (world: ConsoleWorld, person: Person): Promise<string> =>
  (
    await world.ask<{ id: string }>(person, '/agents', {
      name: 'Front desk',
      isActive: true,
      templateId: 'business',
    })
  ).id;

const chooseFile = (page: Page, name: string, text: string): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const signInAgain = async (page: Page, { password }: Person): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
};

const next = (page: Page): Promise<void> => page.getByRole('button', { name: 'Next' }).click();

const stepTitle = (page: Page, title: string) => page.getByRole('heading', { name: title, exact: true });

const world = inTheConsole();

describeConsole('somebody who runs a campaign', () => {
  it(
    'brings a file, sees whom it would call and what that may cost, and follows it to its outcome',
    async () => {
      const person = await world().person();
      const [, from] = [await agentOf(world(), person), await world().buyNumber(person)];
      await world().ask(person, '/suppressions', { phoneNumbers: ['+14155550103'] });
      const visitor = await world().openAs(person, '/campaigns');
      const { page } = visitor;
      await page.getByText('No campaign yet').waitFor();
      await page.getByRole('link', { name: 'New campaign' }).first().click();

      await next(page);
      await page.getByText('Choose a file first.').waitFor();
      await page.getByLabel('Name of the campaign').fill('Reminders');
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Front desk' });
      await page.getByLabel('Caller number').selectOption(from);
      await chooseFile(page, 'people.txt', people);
      await page.getByText('The name of the file must end in .csv or .xlsx.').waitFor();
      await chooseFile(page, 'people.csv', people);
      await page.getByText('people.csv is uploaded.').waitFor();
      await expectWellMade(page, 'campaigns-file');
      await next(page);

      // No header says which column has the numbers.
      await page.getByText(/A campaign of this file would fail/).waitFor();
      await expectWellMade(page, 'campaigns-refused');
      await next(page);
      await page.getByText(/The file has to be read/).waitFor();
      await page.getByLabel('Telephone numbers are in').selectOption('mobile');
      await page.getByText('+14155550185').waitFor();
      for (const reason of [
        'The number stands in an earlier row',
        'The number is on the do-not-call list',
        'No telephone number that can be called',
        'The telephone number is missing',
      ])
        await page.getByText(reason).first().waitFor();
      await expectWellMade(page, 'campaigns-check');
      await next(page);

      await stepTitle(page, 'When').waitFor();
      await page.getByText('Call in certain hours only').click();
      await page.getByLabel('Calls of one person at the most').fill('11');
      await next(page);
      await page.getByText('Must be 10 or less.').waitFor();
      await page.getByLabel('Calls of one person at the most').fill('1');
      await page.getByLabel('Budget').fill('1000');
      await expectWellMade(page, 'campaigns-plan');
      await next(page);

      await page.getByText(`Front desk calls 4 people from ${from}.`).waitFor();
      await page.getByText('4 rows of the file are not called.').waitFor();
      await page.getByText('Calls are made at any hour of any day.').waitFor();
      await page.getByText(/The campaign costs at most .+: one call for each person/).waitFor();
      await expectWellMade(page, 'campaigns-review');

      await page.goBack();
      await stepTitle(page, 'When').waitFor();
      await page.reload();
      await page.getByText('Your campaign is as you left it.').waitFor();
      await eventually(async () => expect(await page.getByLabel('Budget').inputValue()).toBe('1000.00'));
      await page.goBack();
      await page.getByLabel('Telephone numbers are in').waitFor();
      await eventually(async () =>
        expect(await page.getByLabel('Telephone numbers are in').inputValue()).toBe('mobile'),
      );
      await page.goForward();
      await stepTitle(page, 'When').waitFor();
      await next(page);
      await page.getByRole('button', { name: 'Start the campaign' }).click();

      await page.waitForURL(/\/[0-9a-f]{8}-[0-9a-f-]{27}$/);
      await page.getByRole('heading', { name: 'Reminders' }).waitFor();
      const campaignId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const read = () => world().ask<Campaign>(person, `/outbound-calls/batches/${campaignId}`);
      expect(await read()).toMatchObject({
        name: 'Reminders',
        callingWindow: null,
        retryPolicy: { maxAttempts: 1 },
        budget: { maxCostMicros: 1_000_000_000 },
      });
      await page
        .getByRole('status')
        .getByText('Completed')
        .waitFor({ timeout: 2 * minutes });
      await page.getByRole('row', { name: /Talked with the agent 2 50\s?%/ }).waitFor();
      await page.getByRole('row', { name: /Voicemail 1 25\s?%/ }).waitFor();
      await page.getByRole('row', { name: /Busy 1 25\s?%/ }).waitFor();
      await page.getByText('8 rows, 4 of them can be called').waitFor();
      expect(await read()).toMatchObject({
        status: 'completed',
        progress: { total: 4, completed: 2, voicemail: 1, busy: 1 },
        file: { rows: 8, accepted: 4 },
      });
      await page.getByRole('heading', { name: 'Outcomes by hour' }).waitFor();
      await page.getByText('Show the numbers as a table').click();
      const byHour = page.getByRole('table', { name: 'People of the campaign by outcome and hour' });
      const hours = byHour.getByRole('row');
      await hours.nth(1).waitFor();
      // Four people: two talked, one voicemail, one busy. The hour may have ended in between.
      await eventually(async () => {
        const counted = (await hours.allTextContents()).slice(1).map((row) => row.replace(/^\d\d:\d\d/, ''));
        const people = counted.flatMap((row) => [...row].map(Number));
        expect(people.reduce((sum, one) => sum + one, 0)).toBe(4);
      });
      const peopleTable = page.getByRole('table', {
        name: /^People of the campaign in the order of the file/,
      });
      await peopleTable.getByRole('row', { name: /\+14155550170.*Busy.*The line was busy\./ }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = readFileSync(await (await download).path(), 'utf8');
      expect(file.trimEnd().split('\r\n')).toHaveLength(9);
      await expectWellMade(page, 'campaigns-one');
      await page.getByRole('link', { name: 'Rows that are not called: 4' }).click();
      await eventually(async () =>
        expect(await peopleTable.getByRole('row', { name: /Refused/ }).count()).toBe(4),
      );
      await page.getByRole('link', { name: 'Busy' }).click();
      await eventually(async () => expect(await peopleTable.getByRole('row').count()).toBe(2));
      await page.getByRole('link', { name: 'Calls of this campaign' }).click();
      await page.getByText('Only calls of one campaign.').waitFor();
      await page
        .getByRole('row', { name: /\+14155550100/ })
        .getByRole('link')
        .click();
      await page.getByRole('link', { name: 'Open with all attempts' }).click();
      await page.getByRole('link', { name: /Row \d of the campaign/ }).click();
      await page.getByRole('heading', { name: 'Reminders' }).waitFor();
      await page.getByRole('link', { name: 'All campaigns' }).click();
      await page.getByRole('row', { name: /Reminders Completed 4 of 4/ }).waitFor();
      await page.getByLabel('State').selectOption('running');
      await page.getByText('No campaign fits these filters.').waitFor();
      await expectQuiet(visitor, '/batches/');
      await visitor.leave();
    },
    4 * minutes,
  );

  it('cancels one that waits, on a phone and in the dark', async () => {
    const person = await world().person();
    const [agentId, fromNumber] = [await agentOf(world(), person), await world().buyNumber(person)];
    const name = `${'A campaign with a name that goes on '.repeat(3)}<b>& مرحبا 👋`;
    const scheduledAt = new Date(Date.now() + 60 * minutes).toISOString();
    const csv = people.replace('mobile', 'phone_number');
    const id = await makeCampaign(world(), person, { name, agentId, fromNumber, scheduledAt }, csv);
    const visitor = await world().openAs(person, '/campaigns', { ...phone, colorScheme: 'dark' });
    const { page } = visitor;
    await page.getByRole('link', { name: /A campaign with a name/ }).waitFor();
    await expectWellMade(page, 'campaigns-phone');
    await page.getByRole('link', { name: /A campaign with a name/ }).click();
    await page.getByRole('status').getByText('Scheduled', { exact: true }).waitFor();
    await page
      .getByText(/has no phone number/)
      .first()
      .waitFor();
    await expectWellMade(page, 'campaigns-one-phone');
    await page.getByRole('button', { name: 'Cancel the campaign' }).click();
    await page.getByText(/5 people are not finished/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the campaign' }).click();
    await page.getByRole('status').getByText('Cancelled', { exact: true }).waitFor();
    await eventually(async () =>
      expect(await world().ask<Campaign>(person, `/outbound-calls/batches/${id}`)).toMatchObject({
        status: 'cancelled',
      }),
    );
    expect([await visitor.policyReports(), visitor.errors()]).toEqual([[], []]);
    await visitor.leave();
  });

  it(
    'goes on after sessions that end during the upload, and is told how many rows cannot be called beyond those that are listed',
    async () => {
      const person = await world().person();
      const [, from] = [await agentOf(world(), person), await world().buyNumber(person)];
      const visitor = await world().openAs(person, '/campaigns/new');
      const { page } = visitor;
      await page.getByLabel('Name of the campaign').fill('Reminders');
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Front desk' });
      await page.getByLabel('Caller number').selectOption(from);
      const broken = Array.from({ length: 1_412 }, (_, index) => `none,Person ${index}`);
      // The session ends when the file is chosen, and once more while the file is on its way.
      let release = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(
        ({ search }) => search.includes('X-Amz-Signature'),
        async (route) => {
          await ended;
          await route.continue();
        },
      );
      const storing = page.waitForRequest((request) => request.method() === 'PUT');
      await visitor.context.clearCookies();
      await chooseFile(page, 'people.csv', ['phone_number,name', '+14155550100,Ada', ...broken].join('\n'));
      await signInAgain(page, person);
      await storing;
      await visitor.context.clearCookies();
      release();
      await page.getByText('people.csv is uploaded.').waitFor();
      await next(page);
      await signInAgain(page, person);
      const words = page.getByText('The first 100 of 1,412 rows are listed.');
      await words.waitFor();
      await next(page);
      await stepTitle(page, 'When').waitFor();
      await next(page);
      await page.getByText('1,412 rows of the file are not called.').waitFor();
      await page.getByRole('button', { name: 'Start the campaign' }).click();
      await page.getByRole('heading', { name: 'Reminders' }).waitFor();
      await page.getByRole('link', { name: 'Rows that are not called: 1,412' }).waitFor();
      await expectWellMade(page, 'campaigns-many-faults');
      await visitor.leave();
    },
    2 * minutes,
  );

  it('shows a way back where a campaign is not there', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/campaigns/0197a000-0000-7000-8000-000000000000');
    await visitor.page.getByRole('heading', { name: 'There is no such campaign' }).waitFor();
    await expectWellMade(visitor.page, 'campaigns-not-found');
    await visitor.page.getByRole('main').getByRole('link', { name: 'All campaigns' }).first().click();
    await visitor.page.getByText('No campaign yet').waitFor();
    await visitor.leave();
  });
});
