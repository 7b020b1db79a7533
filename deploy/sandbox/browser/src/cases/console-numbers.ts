// Numbers are bought at the simulated provider, given to an agent, and given back. Some are never called.
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/testing';
import { type ConsoleWorld, expectQuiet, expectWellMade } from '../testing/console-world.js';

interface OwnedNumber {
  readonly phoneNumber: string;
  readonly status: string;
  readonly agentName: string | null;
  readonly monthlyPriceMicros: number;
}

export const consoleNumbers = (world: () => ConsoleWorld): void =>
  describe('somebody who needs telephone numbers', () => {
    it('buys one for its quoted price, lets an agent answer it, and gives it back', async () => {
      const person = await world().person();
      await world().ask(person, '/agents', { name: 'Front desk', isActive: true, templateId: 'business' });
      const numbers = () => world().ask<readonly OwnedNumber[]>(person, '/numbers');
      const visitor = await world().openAs(person, '/numbers');
      const { page } = visitor;
      await page.getByText('No number yet').waitFor();
      await expectWellMade(page, 'numbers-empty');
      await page.getByRole('link', { name: 'Buy a number' }).first().click();
      await page.getByText('Choose where the number is from').waitFor();
      await page.getByLabel('Area code').fill('0415');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText('Write one to six digits, without a zero in front.').waitFor();
      await page.getByLabel('Area code').fill('415');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      const row = page.getByRole('row', { name: /\+1415/ }).first();
      await row.waitFor();
      expect(new URL(page.url()).searchParams.get('country')).toBe('US');
      expect(await row.innerText()).toMatch(/\$\d+\.\d+[\s\S]*holds for \d+:\d\d/);
      await expectWellMade(page, 'numbers-found');

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
      await page.getByRole('menuitem', { name: 'Choose who answers' }).click();
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
      await expectWellMade(page, 'do-not-call-empty');
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
      await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click();
      await page.getByText('This number is not on the list.').waitFor();
      expect(await list()).toMatchObject([
        { phoneNumber: '+14155550101', reason: 'Asked for it on the phone' },
      ]);
      await expectQuiet(visitor);
      await visitor.leave();
    });
  });
