// The spending, and a budget that is met and raised.
import { describe, expect, it } from '@jest/globals';
import { type ConsoleWorld, expectQuiet, expectWellMade, type Person } from '../testing/console-world.js';

export const consoleSpend = (world: () => ConsoleWorld): void =>
  describe('somebody who watches the money', () => {
    interface Caller {
      readonly agentId: string;
      readonly fromNumber: string;
    }

    /** An agent with a number that was bought. */
    const ready = async (person: Person): Promise<Caller> => {
      const { id } = await world().ask<{ id: string }>(person, '/agents', {
        ...{ name: 'Front desk', isActive: true, templateId: 'business' },
      });
      const [offer] = await world().ask<readonly { phoneNumber: string; quoteId: string }[]>(
        person,
        '/numbers/search?provider=TWILIO&country=US&limit=1',
      );
      const bought = { provider: 'TWILIO', phoneNumber: offer?.phoneNumber, quoteId: offer?.quoteId };
      await world().ask(person, '/numbers', bought);
      return { agentId: id, fromNumber: offer?.phoneNumber ?? '' };
    };
    const call = ({ agentId, fromNumber }: Caller, person: Person): Promise<unknown> =>
      world().ask(person, '/outbound-calls/quick', { agentId, fromNumber, phoneNumber: '+14155550100' });

    it('meets the budget of quick calls, raises it, and can call again', async () => {
      const person = await world().person();
      const caller = await ready(person);
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
      await expect(call(caller, person)).rejects.toThrow('SPEND_LIMIT_REACHED');

      await set('25');
      await budget.getByText('$25.00 a day').waitFor();
      await expect(call(caller, person)).resolves.toMatchObject({ id: expect.any(String) });
      await page.getByLabel('Range').selectOption('7');
      await page.getByText('Last 7 days', { exact: true }).last().waitFor();
      expect(new URL(page.url()).search).toBe('?days=7');
      // The number that was bought is in the chart, and in its table.
      await page.getByText('Show the numbers as a table').click();
      await page.getByRole('table', { name: 'Spend on calls and numbers, by day' }).waitFor();
      await expectWellMade(page, 'spend');
      await expectQuiet(visitor);
      await visitor.leave();
    });
  });
