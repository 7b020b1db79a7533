// A list of several pages, while calls of it change.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { makeCampaign } from '../testing/campaign.js';
import { describeConsole, expectQuiet, inTheConsole } from '../testing/console-world.js';

const minutes = 60_000;
const slow = { timeoutMs: 2 * minutes, intervalMs: 500 };

/** Telephones that are busy; enough for four pages of calls. At the end of the list, the second one is far out of view. */
const callees = [...Array(160).keys()].map(
  (index) => `+1${index < 100 ? 415 : 212}555${String(index % 100).padStart(2, '0')}70`,
);

const world = inTheConsole();

describeConsole('a long list of calls', () => {
  it(
    'changes a row where it stands, and asks for no page that is out of view',
    async () => {
      const person = await world().person();
      const ask = <Data>(path: string, body?: object): Promise<Data> => world().ask(person, path, body);
      const { id: agentId } = await ask<{ id: string }>('/agents', {
        ...{ name: 'Front desk', isActive: true, templateId: 'business' },
      });
      const fromNumber = await world().buyNumber(person);
      // No faster: other files use the same platform meanwhile.
      const campaign = { name: 'Reminders', agentId, fromNumber, callsPerSecond: 20 };
      const campaignId = await makeCampaign(
        world(),
        person,
        { ...campaign, circuitBreaker: { enabled: false } },
        ['phone_number', ...callees].join('\n'),
      );
      await eventually(
        async () =>
          expect(await ask(`/outbound-calls/batches/${campaignId}`)).toMatchObject({ status: 'completed' }),
        slow,
      );

      const visitor = await world().openAs(person, '/outbound-calls');
      const { page } = visitor;
      /** Cursors of the pages, in the order in which they were asked. */
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/outbound-calls')) asked.push(searchParams.get('cursor') ?? '');
      });
      await page.getByRole('row', { name: /Busy/ }).first().waitFor();
      // The list grows with each page that arrives, and so does the way to its end.
      await eventually(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        expect(await page.locator(`tr[aria-rowindex="${callees.length + 1}"]`).count()).toBe(1);
      });
      const [second = ''] = asked.filter((cursor) => cursor !== '');
      const last = page.locator(`tr[aria-rowindex="${callees.length + 1}"]`);
      const attempts = last.locator('td[data-label=Attempts]');
      const id = (await last.getByRole('link').first().getAttribute('href'))?.split('/').at(-1) ?? '';
      await eventually(async () => expect(await attempts.innerText()).toBe('1'));
      asked.length = 0;
      const answer = await fetch(`${world().platform.api}/outbound-calls/${id}/retry`, {
        method: 'POST',
        headers: { cookie: person.cookie, origin: world().platform.url },
      });
      expect(answer.ok).toBe(true);
      // The second attempt stands in the same row, at the end of the list.
      await eventually(
        async () =>
          expect([await last.getByText('Busy', { exact: true }).count(), await attempts.innerText()]).toEqual(
            [1, '2'],
          ),
        slow,
      );
      await eventually(async () =>
        expect(await last.getByRole('link').first().getAttribute('href')).toContain(id),
      );
      expect(asked.length).toBeGreaterThan(0);
      expect(asked).not.toContain(second);
      await expectQuiet(visitor);
      await visitor.leave();
    },
    4 * minutes,
  );
});
