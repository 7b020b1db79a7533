// The list of agents: the pattern of every other list.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import {
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  signIn,
} from '../testing/console-world.js';

const world = inTheConsole();

describeConsole('somebody who works with agents', () => {
  it('makes one, renames it and deletes it, and the platform has the same agents as the page', async () => {
    const person = await world().person();
    const agents = () => world().ask<readonly { name: string; isActive: boolean }[]>(person, '/agents');
    const visitor = await world().openAs(person, '/agents');
    const { page } = visitor;
    await page.getByText('No agent yet').waitFor();
    await page.getByRole('link', { name: 'New agent' }).first().click();
    await page.getByRole('heading', { name: 'New agent' }).waitFor();
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('Write at least 2 characters.').waitFor();
    await page.getByLabel('Name').fill('Front desk');
    await expectWellMade(page, 'agents-new');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    // It can be tried at once.
    await page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Begin to write' }).waitFor();
    await page.getByRole('link', { name: 'All agents' }).click();
    await page.getByRole('row', { name: /Front desk/ }).waitFor();
    expect(await agents()).toMatchObject([{ name: 'Front desk', isActive: true }]);

    await page.getByRole('button', { name: 'Actions for Front desk' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Reception');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('row', { name: /Reception/ }).waitFor();
    expect(await agents()).toMatchObject([{ name: 'Reception' }]);

    // Each action is a command too: one that a menu sends at once, one after a question, and one of a form.
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (start: string): Promise<void> =>
      await eventually(async () =>
        expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(start),
      );
    await page.getByRole('button', { name: 'Actions for Reception' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl: Switch off' }).click();
    await copied('{"isActive":false}');

    await page.getByRole('button', { name: 'Actions for Reception' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).click();
    await copied('curl -s -X DELETE');
    await page.getByRole('dialog', { name: 'Delete the agent “Reception”?' }).waitFor();
    await expectWellMade(page, 'agents-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No agent yet').waitFor();
    expect(await agents()).toEqual([]);
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('gets back what was typed just before a reload, and is asked before it is lost', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Night desk');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved changes are back.').waitFor();
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Night desk'));
    await page.getByRole('link', { name: 'Overview' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toBe('/agents/new');
    await page.getByRole('link', { name: 'Overview' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visitor.leave();
  });

  it('sees what somebody else does, in every tab, over one connection', async () => {
    const person = await world().person();
    const visitor = await world().open('/agents');
    const streams: string[] = [];
    visitor.context.on('request', (request) => {
      if (request.url().includes('/events/stream')) streams.push(request.url());
    });
    await signIn(visitor.page, person);
    await visitor.page.getByText('No agent yet').waitFor();
    await eventually(async () => expect(streams).toHaveLength(1));
    const second = await visitor.context.newPage();
    await second.goto(`${world().platform.url}/agents`);
    await second.getByText('No agent yet').waitFor();
    await world().ask(person, '/agents', { name: 'Night desk', isActive: true, templateId: null });
    for (const page of [visitor.page, second]) {
      await page.bringToFront();
      await page.getByRole('row', { name: /Night desk/ }).waitFor();
    }
    expect(streams).toHaveLength(1);
    // The connection goes to the tab that is left.
    await visitor.page.close();
    await eventually(async () => expect(streams).toHaveLength(2));
    await world().ask(person, '/agents', { name: 'Day desk', isActive: true, templateId: null });
    await second.getByRole('row', { name: /Day desk/ }).waitFor();
    await visitor.leave();
  });

  it('reaches everything with keys: the palette, a screen, and its heading gets the focus', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type('new ag');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New agent' }).waitFor();
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New agent'),
    );
    await eventually(async () => expect(await page.title()).toBe('New agent · Parlance'));

    // A record, by a part of its name: each list is asked once, however much is typed.
    await world().ask(person, '/agents', { name: 'Night desk', isActive: true, templateId: null });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('combobox').pressSequentially('ight', { delay: 20 });
    await palette.getByRole('option', { name: 'Night desk' }).waitFor();
    await palette.getByText('1 record', { exact: true }).waitFor();
    await expectWellMade(page, 'palette-records');
    expect(asked.filter((path) => path === '/api/v1/tools')).toHaveLength(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Night desk', level: 1 }).waitFor();

    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Shows this list').waitFor();
    await expectWellMade(page, 'keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
