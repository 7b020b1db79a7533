// The overview, the person's own account, and the settings of the organization.
import { expect, it } from '@jest/globals';
import { eventually, totpOf } from '@parlance/fixtures';
import {
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  signIn,
} from '../testing/console-world.js';
import { beginSecondFactor } from '../testing/second-factor.js';

interface Settings {
  readonly timezone: string;
  readonly maxConcurrentCalls: number;
  readonly callingWindow: unknown;
  readonly quickCallBudget: unknown;
}

const world = inTheConsole();

describeConsole('somebody who looks after the organization', () => {
  it('changes its settings, and the platform has what the page showed', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/settings');
    const { page } = visitor;
    // A button that waits can be reached with keys, and tells the reason.
    const save = page.getByRole('button', { name: 'Save the settings' });
    await eventually(async () => expect(await save.getAttribute('aria-disabled')).toBe('true'));
    await save.focus();
    await page.getByRole('tooltip', { name: 'Nothing has changed yet.' }).waitFor();
    await page.getByLabel('Time zone').fill('auckland');
    await page.getByRole('option', { name: 'Pacific/Auckland' }).click();
    await page.getByLabel('Calls at once').fill('3');
    await page.getByLabel('Quick calls of one day may cost at most').fill('12.5');
    await page.getByLabel('Call at certain hours only').check({ force: true });
    await page.getByLabel('Saturday').check();
    await page.getByLabel('Until', { exact: true }).fill('09:00');
    await save.click();
    // A rule between two fields, which the contract alone knows.
    await page.getByText(/must differ from start/i).waitFor();
    await expectWellMade(page, 'settings');
    await page.getByLabel('Until', { exact: true }).fill('20:00');
    await page.getByLabel('Zones that a campaign').selectOption('replace');
    await page.getByRole('button', { name: 'Save the settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await world().ask<Settings>(person, '/settings')).toMatchObject({
      timezone: 'Pacific/Auckland',
      maxConcurrentCalls: 3,
      quickCallBudget: { maxCostMicros: 12_500_000 },
      callingWindow: { days: [0, 1, 2, 3, 4, 5], start: '09:00', end: '20:00' },
      namedTimezones: 'replace',
    });
    await page.getByText('0 KB of 107.4 GB').waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('saves what was changed and nothing else, and a form without changes shows what others save', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/settings');
    const { page } = visitor;
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON());
    });
    const other = async (data: object): Promise<void> => {
      const headers = { cookie: person.cookie, origin: world().platform.url };
      const answer = await visitor.context.request.patch(`${world().platform.api}/settings`, {
        data,
        headers,
      });
      expect(answer.ok()).toBe(true);
    };
    const shows = (label: string, value: string): Promise<void> =>
      eventually(async () => expect(await page.getByLabel(label).inputValue()).toBe(value));
    await page.getByLabel('Calls at once').fill('4');
    await eventually(async () =>
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('settings.update'),
    );
    await other({ dailyAttemptsPerNumber: 7 });
    await page.reload();
    const isBack = page.getByText('Your unsaved changes are back.');
    await isBack.waitFor();
    await shows('Calls at once', '4');
    await shows('Attempts a day for one number', '7');
    await page.getByRole('button', { name: 'Save the settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await isBack.waitFor({ state: 'detached' });
    expect(sent).toEqual([{ maxConcurrentCalls: 4 }]);
    expect(await world().ask(person, '/settings')).toMatchObject({
      maxConcurrentCalls: 4,
      dailyAttemptsPerNumber: 7,
    });
    await other({ dailyAttemptsPerNumber: 9 });
    await shows('Attempts a day for one number', '9');
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('sets up a second factor with a code that no other host sees, and signs in with it', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/account');
    const { page } = visitor;
    const { dialog, secret } = await beginSecondFactor(page, person.password);
    await dialog.getByLabel('Code of the app').fill(totpOf(secret));
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByText('Each signs you in once').waitFor();
    const [backup = ''] = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('Your second factor is on.').waitFor();
    await expectWellMade(page, 'account');
    await expectQuiet(visitor);
    await visitor.leave();

    const again = await world().open('/agents');
    await signIn(again.page, person);
    await again.page.getByRole('button', { name: 'Use a backup code' }).click();
    await again.page.getByLabel('Backup code').fill(backup);
    await again.page.getByRole('button', { name: 'Continue' }).click();
    await again.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await again.leave();
  });

  it('ends a session of another device', async () => {
    const person = await world().person();
    const other = await world().open('/agents');
    await signIn(other.page, person);
    await other.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    const visitor = await world().openAs(person, '/account');
    const { page } = visitor;
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('Every other session has ended.').waitFor();
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'End this session' }).count()).toBe(0),
    );
    await other.leave();
    await visitor.leave();
  });
});
