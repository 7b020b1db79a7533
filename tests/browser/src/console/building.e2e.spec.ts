// The pages for an agent's resources: a secret, a tool that uses it, and documents.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';

const world = inTheConsole();

describeConsole('somebody who builds with tools and knowledge', () => {
  const agent = { name: 'Front desk', isActive: true, templateId: 'business' };

  it('stores a secret, makes a tool that uses it, tries it out, and gives it to an agent', async () => {
    const practice = new DataFolder(world().platform.dataDir).state().practice;
    if (practice === undefined) throw new Error('no practice runs here');
    const person = await world().person();
    const { id: agentId } = await world().ask<{ id: string }>(person, '/agents', agent);
    const visitor = await world().openAs(person, '/secrets');
    const { page } = visitor;
    await page.getByText('No secret yet').waitFor();
    await page.getByRole('button', { name: 'New secret' }).first().click();
    await page.getByLabel('Name').fill('practice');
    await page.getByLabel('Value').fill(practice.token);
    await page.getByRole('button', { name: 'Store the secret' }).click();
    await page.getByText('This does not have the form that is needed.').waitFor();
    await page.getByLabel('Name').fill('PRACTICE_TOKEN');
    await expectWellMade(page, 'secrets-new');
    await page.getByRole('button', { name: 'Store the secret' }).click();
    await page.getByRole('row', { name: /PRACTICE_TOKEN/ }).waitFor();
    expect(await page.content()).not.toContain(practice.token);

    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByText('No tool yet').waitFor();
    await page.getByRole('link', { name: 'New tool' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('appointments');
    await page.getByLabel('Purpose').fill('Tells whether somebody has an appointment.');
    await page.getByRole('textbox', { name: 'Address' }).fill(`${practice.url}/appointments`);
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByLabel('Name of the header').fill('Authorization');
    await page
      .getByLabel('Value of Authorization', { exact: true })
      .fill('Bearer {{secrets.PRACTICE_TOKEN}}');
    for (const [index, name] of ['name', 'doctor'].entries()) {
      await page.getByRole('button', { name: 'Add a parameter' }).click();
      const fields = page.getByRole('group', { name: `Parameter ${index + 1}` });
      await fields.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await fields.getByLabel('Purpose').fill(`The ${name}.`);
    }
    await expectWellMade(page, 'tools-new');
    await page.getByRole('button', { name: 'Create the tool' }).click();
    await page.getByRole('tab', { name: 'Test' }).waitFor();
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
    await page.getByRole('textbox', { name: 'doctor', exact: true }).fill('Dr. Grey');
    await page.getByRole('button', { name: 'Run the tool' }).click();
    await page.getByText('The tool works').waitFor();
    await page.getByText('"booked"').first().waitFor();
    expect(await page.content()).not.toContain(practice.token);
    await expectWellMade(page, 'tools-test');

    await page.getByRole('tab', { name: 'Agents' }).click();
    await page.getByRole('button', { name: 'Attach Front desk' }).click();
    await page.getByText('May use it').waitFor();
    const tools = await world().ask<readonly object[]>(person, `/tools/agent/${agentId}`);
    expect(tools).toMatchObject([{ name: 'appointments', request: { url: `${practice.url}/appointments` } }]);

    await page.getByRole('link', { name: 'Secrets' }).click();
    await page.getByRole('row', { name: /tool appointments/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for PRACTICE_TOKEN' }).click();
    await page.getByText('Used by tool appointments. Take it out there first.').waitFor();
    await page.getByRole('menuitem', { name: 'Give it a new value' }).click();
    await page.getByLabel('Value', { exact: true }).fill('another token');
    await page.getByRole('button', { name: 'Replace the value' }).click();
    await page.getByText('PRACTICE_TOKEN has a new value, version 2.').waitFor();
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('link', { name: 'appointments' }).click();
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Run the tool' }).click();
    await page.getByText('The tool failed').waitFor();
    await expectWellMade(page, 'tools-test-failed');
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('gives an agent a document and a text, changes them, and sees what it would find in them', async () => {
    const person = await world().person();
    const { id: agentId } = await world().ask<{ id: string }>(person, '/agents', agent);
    const visitor = await world().openAs(person, '/knowledge');
    const { page } = visitor;
    await page.getByText('No knowledge yet').waitFor();
    await page.getByRole('button', { name: 'Add knowledge' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add knowledge' });
    await dialog.getByRole('button', { name: 'Add the file' }).click();
    await dialog.getByText('Choose a file.').waitFor();
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'refunds.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from(
        '# Refunds\n\nA refund takes ten working days, and goes to the account that has paid.\n',
      ),
    });
    await dialog.getByText('refunds.md is uploaded.').waitFor();
    await expectWellMade(page, 'knowledge-add-file');
    await dialog.getByRole('button', { name: 'Add the file' }).click();
    await page.getByRole('row', { name: /refunds\.md.*Ready/ }).waitFor();

    await page.getByRole('button', { name: 'Add knowledge' }).click();
    await dialog.getByLabel('From').selectOption('url');
    await dialog.getByRole('button', { name: 'Add the address' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await expectWellMade(page, 'knowledge-add-url');
    await dialog.getByLabel('From').selectOption('text');
    await dialog.getByLabel('Title').fill('Parking');
    await dialog
      .getByLabel('Text', { exact: true })
      .fill('Visitors park behind the house, where the blue gate is.');
    await dialog.getByRole('button', { name: 'Add the text' }).click();
    await page.getByRole('row', { name: /Parking.*Ready/ }).waitFor();

    await page.getByLabel('Question').fill('How long does a refund take?');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('A refund takes ten working days').first().waitFor();
    await expectWellMade(page, 'knowledge-found');
    const sources = await world().ask<readonly object[]>(person, `/kb?agentId=${agentId}`);
    expect(sources).toHaveLength(2);

    const edit = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    const updates: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') updates.push(request.postDataJSON());
    });
    await edit('refunds.md');
    const form = page.getByRole('dialog', { name: 'Edit refunds.md' });
    await form.getByLabel('Name').fill('Money back');
    await form.getByText('Another file in place of refunds.md').waitFor();
    await form.locator('input[type=file]').setInputFiles({
      name: 'returns.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Returns\n\nA refund takes three working days.\n'),
    });
    await form.getByText('returns.md is uploaded.').waitFor();
    await expectWellMade(page, 'knowledge-edit-file');
    await eventually(async () =>
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('returns.md'),
    );
    // A reload loses neither the form nor what stands in it.
    await page.reload();
    await form.getByText('returns.md is uploaded.').waitFor();
    await eventually(async () => expect(await form.getByLabel('Name').inputValue()).toBe('Money back'));
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await form.getByRole('button', { name: 'Copy as curl' }).click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /-X PATCH '[^']+\/kb\/[^']+'.*"name":"Money back","fileKey"/s,
      ),
    );
    await form.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Money back is changed.').waitFor();
    await page.getByRole('row', { name: /Money back.*Ready/ }).waitFor();
    await eventually(async () =>
      expect(await world().ask(person, `/kb?agentId=${agentId}`)).toContainEqual(
        expect.objectContaining({ name: 'Money back', fileName: 'returns.md', status: 'ready' }),
      ),
    );
    await page.getByLabel('Question').fill('How long does a refund take?');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('A refund takes three working days').first().waitFor();
    // A new name alone reads nothing again.
    await edit('Parking');
    await page.getByRole('dialog').getByLabel('Name').fill('Where to park');
    await page.getByRole('dialog').getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Where to park is changed.').waitFor();
    expect(updates).toEqual([
      { name: 'Money back', fileKey: expect.stringContaining('/returns.md') },
      { name: 'Where to park' },
    ]);
    await page.getByRole('button', { name: 'Actions for Where to park' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete “Where to park”?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Where to park is deleted.').waitFor();
    expect(await world().ask(person, `/kb?agentId=${agentId}`)).toMatchObject([{ name: 'Money back' }]);
    expect([await visitor.policyReports(), visitor.errors()]).toEqual([[], []]);
    await visitor.leave();
  });
});
