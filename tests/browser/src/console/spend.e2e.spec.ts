// The spending, and a budget that is met and raised.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import {
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
} from '../testing/console-world.js';
import { goTo } from '../testing/screens.js';

const world = inTheConsole();

describeConsole('somebody who watches the money', () => {
  /** An agent with a number that was bought: both are chosen where somebody calls. */
  const prepare = async (person: Person): Promise<void> => {
    await world().ask(person, '/agents', { name: 'Front desk', isActive: true, templateId: 'business' });
    await world().buyNumber(person);
  };

  it('meets the budget of quick calls, raises it, and can call again', async () => {
    const person = await world().person();
    await prepare(person);
    const visitor = await world().openAs(person, '/spend');
    const { page } = visitor;
    const budget = page.getByRole('region', { name: 'Budget of quick calls' });
    await budget.getByText('No budget of your own').waitFor();
    const set = async (amount: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change the budget' }).click();
      const dialog = page.getByRole('dialog', { name: 'Budget of quick calls' });
      await dialog.getByLabel('At most, in one day').fill(amount);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await set('0.000001');
    await budget.getByText('a day').waitFor();
    expect(await world().ask(person, '/settings')).toMatchObject({
      quickCallBudget: { maxCostMicros: 1 },
    });

    const callNow = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Check and call' }).click();
      const question = page.getByRole('dialog', { name: 'Call +14155550100 now?' });
      await question.getByRole('button', { name: 'Call now' }).click();
      await question.waitFor({ state: 'detached' });
    };
    await goTo(page, '/outbound-calls/new');
    await page.getByText(/^At most \$/).waitFor();
    await page.getByLabel('Number to call').fill('+14155550100');
    await callNow();
    const refusal = page.getByRole('alert').filter({ hasText: 'SPEND_LIMIT_REACHED' });
    await refusal.getByText('This would cost more than may be spent.').waitFor();
    expect(await world().ask(person, '/outbound-calls')).toEqual([]);
    await expectWellMade(page, 'quick-call-refused');

    // The form keeps the number while its person looks after the budget.
    await page.getByRole('link', { name: 'Spend', exact: true }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await set('25');
    await budget.getByText('$25.00 a day').waitFor();
    await goTo(page, '/outbound-calls/new');
    await page.getByText('Your unsaved changes are back.').waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Number to call').inputValue()).toBe('+14155550100'),
    );
    await callNow();
    await page.getByRole('heading', { name: 'Call to +14155550100' }).waitFor();
    await goTo(page, '/spend');
    await page.getByLabel('Range').selectOption('7');
    await page.getByText('Last 7 days', { exact: true }).last().waitFor();
    await page.waitForURL(({ search }) => search === '?days=7');
    // The number that was bought is in the chart, and in its table.
    await page.getByText('Show the numbers as a table').click();
    await page.getByRole('table', { name: 'Spend on calls and numbers, by day' }).waitFor();
    await expectWellMade(page, 'spend');
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
