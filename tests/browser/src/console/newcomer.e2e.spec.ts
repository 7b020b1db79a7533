// A new user, from the sign-up to the first answer of an agent.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';

/** Runs in the page before its own scripts; a page that is loaded anew counts on. */
const countClicks = () => {
  addEventListener(
    'click',
    ({ isTrusted, detail }) => {
      // A key that presses a button makes a click without a count.
      if (isTrusted && detail > 0)
        sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? '0') + 1));
    },
    true,
  );
};

const clicksOf = (page: Page): Promise<number> =>
  page.evaluate(() => Number(sessionStorage.getItem('clicks') ?? '0'));

const mostClicks = 5;

const world = inTheConsole();

describeConsole('a newcomer', () => {
  it('is answered by a first agent five clicks after the sign-up opens, and has a list of next steps', async () => {
    const visitor = await world().open('/sign-up');
    const { page, context } = visitor;
    await context.addInitScript(countClicks);
    await page.reload();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
    await page.getByLabel('Password').fill(randomUUID());
    await page.getByRole('button', { name: 'Make an account' }).click();

    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 5 done.').waitFor();
    await steps.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('Front desk');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByRole('button', { name: 'Begin to write' }).click();
    const message = page.getByLabel('Message', { exact: true });
    await message.or(page.getByRole('alert')).first().waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    await message.fill('When are you open?');
    await page.getByRole('button', { name: 'Send' }).click();
    const conversation = page.getByRole('log', { name: 'Conversation with the agent' });
    await conversation.getByRole('listitem').nth(2).getByText('Agent', { exact: true }).waitFor();
    await conversation.and(page.locator('[aria-busy=false]')).waitFor();
    await expectWellMade(page, 'first-conversation');
    expect(await clicksOf(page)).toBeLessThanOrEqual(mostClicks);

    await page.getByRole('link', { name: 'Overview' }).click();
    await steps.getByText('2 of 5 done.').waitFor();
    await eventually(async () => expect(await steps.getByRole('img', { name: 'Done' }).count()).toBe(2));
    await expectWellMade(page, 'first-steps-two-done');
    await steps.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('No call in this time').waitFor();
    expect(await steps.count()).toBe(0);
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
