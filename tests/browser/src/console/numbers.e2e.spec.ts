// Numbers are bought at the simulated provider, given to an agent, and given back. Some are never called.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { inTime } from '../page/in-time.js';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';
import { drawn } from '../testing/screens.js';

interface OwnedNumber {
  readonly phoneNumber: string;
  readonly status: string;
  readonly agentName: string | null;
  readonly monthlyPriceMicros: number;
}

const world = inTheConsole();

describeConsole('somebody who needs telephone numbers', () => {
  it('buys one for its quoted price, lets an agent answer it, and gives it back', async () => {
    const person = await world().person();
    await world().ask(person, '/agents', { name: 'Front desk', isActive: true, templateId: 'business' });
    const numbers = () => world().ask<readonly OwnedNumber[]>(person, '/numbers');
    const visitor = await world().openAs(person, '/numbers');
    const { page } = visitor;
    await page.getByText('No number yet').waitFor();
    await page.getByRole('link', { name: 'Buy a number' }).first().click();
    await page.getByText('Choose where the number is from').waitFor();
    await page.getByLabel('Area code').fill('0415');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Write one to six digits, without a zero in front.').waitFor();
    await page.getByLabel('Area code').fill('415');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const row = page.getByRole('row', { name: /\+1415/ }).first();
    await row.waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('country') === 'US');
    await eventually(async () =>
      expect(await row.innerText()).toMatch(/\$\d+\.\d+[\s\S]*holds for \d+:\d\d/),
    );

    const [, phoneNumber = ''] = /(\+1415\d+)/.exec(await row.innerText()) ?? [];
    const [price = ''] = /\$\d+\.\d+/.exec(await row.innerText()) ?? [];
    await page.getByRole('button', { name: `Buy ${phoneNumber}` }).click();
    await page.getByRole('dialog', { name: `Buy ${phoneNumber} for ${price} a month?` }).waitFor();
    await expectWellMade(page, 'numbers-buy');
    await page.getByRole('button', { name: `Buy for ${price} a month` }).click();
    await page.getByRole('heading', { name: 'Numbers', exact: true }).waitFor();
    await page.getByRole('row', { name: new RegExp(`\\${phoneNumber}.*Active`) }).waitFor();
    const [owned] = await numbers();
    expect(owned).toMatchObject({ phoneNumber, status: 'active', agentName: null });
    expect(`$${((owned?.monthlyPriceMicros ?? 0) / 1_000_000).toFixed(2)}`).toBe(price);

    const actions = page.getByRole('button', { name: `Actions for ${phoneNumber}` });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Choose the agent that answers' }).click();
    await page.getByRole('dialog').getByLabel('Agent').selectOption({ label: 'Front desk' });
    await expectWellMade(page, 'numbers-assign');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Front desk/ }).waitFor();
    expect(await numbers()).toMatchObject([{ phoneNumber, agentName: 'Front desk' }]);

    await actions.click();
    await page.getByRole('menuitem', { name: 'Give back' }).click();
    await page.getByText(/Front desk answers no calls to this number any more/).waitFor();
    await expectWellMade(page, 'numbers-release');
    await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click();
    await page.getByText(`${phoneNumber} is given back.`).waitFor();
    await eventually(async () =>
      expect((await numbers()).filter(({ status }) => status === 'active')).toEqual([]),
    );
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('keeps people from being called, several at once, until they are taken off the list', async () => {
    const person = await world().person();
    const list = () =>
      world().ask<readonly { phoneNumber: string; reason: string | null }[]>(person, '/suppressions');
    const visitor = await world().openAs(person, '/do-not-call');
    const { page } = visitor;
    await page.getByText('The list is empty').waitFor();
    await page.getByRole('button', { name: 'Add numbers' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Numbers').fill('+14155550100\n+14155550101, twelve');
    await dialog.getByRole('button', { name: 'Add 3 numbers' }).click();
    await dialog.getByText('“twelve” is not a telephone number with its country code.').waitFor();
    await expectWellMade(page, 'do-not-call-add');
    await dialog.getByLabel('Numbers').fill('+14155550100\n+14155550101');
    await dialog.getByLabel('Reason').fill('Asked for it on the phone');
    await dialog.getByRole('button', { name: 'Add 2 numbers' }).click();
    await page.getByRole('row', { name: /\+14155550101/ }).waitFor();
    expect((await list()).map(({ phoneNumber }) => phoneNumber).sort()).toEqual([
      '+14155550100',
      '+14155550101',
    ]);
    await expectWellMade(page, 'do-not-call');

    await page.getByLabel('Look for a number').fill('+14155550100');
    await page.getByRole('row', { name: /\+14155550101/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for +14155550100' }).click();
    await page.getByRole('menuitem', { name: 'Take off the list' }).click();
    await page.getByRole('dialog', { name: 'Take +14155550100 off the list?' }).waitFor();
    await page.getByRole('dialog').getByLabel('Reason').fill('Wants to hear from us');
    await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click();
    await page.getByText('This number is not on the list.').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History of +14155550100' });
    await history.getByText('Taken off the list · You').waitFor();
    await history.getByText('Wants to hear from us').waitFor();
    await history.getByText('Added · You').waitFor();
    await expectWellMade(page, 'do-not-call-history');
    await page.keyboard.press('Escape');
    expect(await list()).toMatchObject([
      { phoneNumber: '+14155550101', reason: 'Asked for it on the phone' },
    ]);
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('keeps the place in a long list while numbers are added to it', async () => {
    const person = await world().person();
    const numbers = Array.from({ length: 240 }, (_, index) => `+1415555${String(1_000 + index)}`);
    // Newest first: the last one that is added stands at the beginning.
    for (let at = 0; at < numbers.length; at += 60)
      await world().ask(person, '/suppressions', { phoneNumbers: numbers.slice(at, at + 60) });
    const visitor = await world().openAs(person, '/do-not-call');
    const { page } = visitor;
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.method() === 'GET' && pathname.endsWith('/suppressions')) asked.push(search);
    });
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(1).waitFor();
    await eventually(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(asked.filter((search) => search.includes('cursor=')).length).toBeGreaterThanOrEqual(3);
    });
    await page.getByText('Loading more').waitFor({ state: 'detached' });
    await page.evaluate(() => scrollTo(0, 5_000));
    /** The number in the middle of the window, and the top of its row. */
    const middle = (): Promise<readonly [number: string, top: number]> =>
      page.evaluate(() => {
        const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr');
        const [number = ''] = /\+\d+/.exec(row?.innerText ?? '') ?? [];
        return [number, row?.getBoundingClientRect().top ?? 0] as const;
      });
    const before = await eventually(async () => {
      const now = await middle();
      expect(now[0]).toMatch(/^\+1415555/);
      // The rows are drawn, and stand still.
      await inTime('frames of the list', page.evaluate(drawn));
      expect(await middle()).toEqual(now);
      return now;
    });
    asked.length = 0;

    // Through the page, so that it knows of the change.
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLButtonElement>('main button'))
        if (button.textContent?.includes('Add numbers')) button.click();
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Numbers').fill('+14155559998\n+14155559999');
    await dialog.getByRole('button', { name: 'Add 2 numbers' }).click();
    await dialog.waitFor({ state: 'detached' });
    const show = page.getByRole('button', { name: '2 new: show' });
    await show.waitFor();
    expect(await page.getByRole('row', { name: /\+14155559999/ }).count()).toBe(0);
    await eventually(async () => expect(await middle()).toEqual(before));
    // However many events tell of the change: the beginning and the pages in view are asked, and none of the other pages.
    expect(new Set(asked).size).toBeLessThanOrEqual(3);
    await expectWellMade(page, 'long-list-new');
    await show.click();
    await page.getByRole('row', { name: /\+14155559999/ }).waitFor();
    await show.waitFor({ state: 'detached' });
    await eventually(async () => expect(await rows.nth(1).innerText()).toMatch(/\+1415555999[89]/));
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
