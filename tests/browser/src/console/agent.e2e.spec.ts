// One agent: its configuration is changed, two people change it at once, and a version is restored.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import {
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
} from '../testing/console-world.js';

interface Configuration {
  readonly version: number;
  readonly firstMessage: string;
  readonly systemPrompt: string;
  readonly voiceId: string;
  readonly variables: Readonly<Record<string, object>>;
  readonly limits: { readonly maxDurationSeconds: number };
  readonly post_call_webhook: { readonly url: string; readonly headers: object } | null;
}

const world = inTheConsole();

describeConsole('somebody who works on one agent', () => {
  const agentOf = async (person: Person): Promise<string> => {
    const agent = { name: 'Front desk', isActive: true, templateId: 'business' };
    return (await world().ask<{ id: string }>(person, '/agents', agent)).id;
  };
  const configurationOf = (person: Person, agentId: string) =>
    world().ask<Configuration>(person, `/agents/${agentId}/config`);
  /** Saves a version with these fields changed, as another person of the organization would. */
  const saveElsewhere = async (person: Person, agentId: string, change: object): Promise<void> => {
    const {
      agentId: _,
      version,
      createdAt,
      updatedAt,
      ...settings
    } = await world().ask<Record<string, unknown>>(person, `/agents/${agentId}/config`);
    await world().ask(person, `/agents/${agentId}/config`, { ...settings, ...change });
  };

  it('changes what it says, sees what differs from before, and goes back', async () => {
    const person = await world().person();
    const agentId = await agentOf(person);
    const before = await configurationOf(person, agentId);
    const visitor = await world().openAs(person, '/agents');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Front desk' }).click();
    const greeting = page.getByRole('textbox', { name: 'Greeting' });
    await greeting.fill('Good morning from the console.');
    await page.getByLabel('Longest call').fill('5');
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Must be 60 or more.').waitFor();
    await page.getByLabel('Longest call').fill('900');
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Version 2 is in force.').waitFor();
    expect(await configurationOf(person, agentId)).toMatchObject({
      version: 2,
      firstMessage: 'Good morning from the console.',
      systemPrompt: before.systemPrompt,
      limits: { maxDurationSeconds: 900 },
    });

    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('row', { name: /Limits/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for version 1' }).click();
    await page.getByRole('menuitem', { name: 'Compare with the one in force' }).click();
    await page.getByRole('dialog').getByText('Good morning from the console.').waitFor();
    await expectWellMade(page, 'agent-versions-compare');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog', { name: 'Restore version 1?' }).waitFor();
    await expectWellMade(page, 'agent-versions-restore');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 is in force again, as version 3.').waitFor();
    await page.getByRole('row', { name: /Repeats version 1/ }).waitFor();
    expect(await configurationOf(person, agentId)).toMatchObject({
      version: 3,
      firstMessage: before.firstMessage,
      limits: before.limits,
    });
    await page.getByRole('tab', { name: 'Configuration' }).click();
    await eventually(async () => expect(await greeting.inputValue()).toBe(before.firstMessage));
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('loses no text when somebody else saves first: both changes come together', async () => {
    const person = await world().person();
    const agentId = await agentOf(person);
    const visitor = await world().openAs(person, `/agents/${agentId}`);
    const { page } = visitor;
    const greeting = page.getByRole('textbox', { name: 'Greeting' });
    await greeting.fill('My greeting');
    await saveElsewhere(person, agentId, {
      firstMessage: 'Their greeting',
      limits: { maxDurationSeconds: 600 },
    });
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    const question = page.getByRole('dialog', { name: 'Somebody else has saved' });
    await question.getByText('Both of you changed: Greeting').waitFor();
    await question.getByText('Their greeting').waitFor();
    await expectWellMade(page, 'agent-conflict');
    expect(await configurationOf(person, agentId)).toMatchObject({ firstMessage: 'Their greeting' });
    await question.getByRole('button', { name: 'Bring both together' }).click();
    await eventually(async () => expect(await greeting.inputValue()).toBe('My greeting'));
    await eventually(async () => expect(await page.getByLabel('Longest call').inputValue()).toBe('600'));
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Version 3 is in force.').waitFor();
    expect(await configurationOf(person, agentId)).toMatchObject({
      version: 3,
      firstMessage: 'My greeting',
      limits: { maxDurationSeconds: 600 },
    });
    await visitor.leave();
  });

  it('keeps a header that is not shown, and no draft holds a new one', async () => {
    const person = await world().person();
    const agentId = await agentOf(person);
    const visitor = await world().openAs(person, `/agents/${agentId}`);
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Greeting' }).waitFor();
    await page.getByRole('textbox', { name: 'Address' }).last().fill('https://example.com/hook');
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByLabel('Name of the header').fill('X-Key');
    await page.getByLabel('Value of X-Key', { exact: true }).fill('a credential');
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello');
    const drafts = (): Promise<string> => page.evaluate(() => JSON.stringify(sessionStorage));
    await eventually(async () => expect(await drafts()).toContain('Hello'));
    expect(await drafts()).not.toContain('a credential');
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Version 2 is in force.').waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Value of X-Key', { exact: true }).inputValue()).toBe('•••'),
    );
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello again');
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Version 3 is in force.').waitFor();
    expect((await configurationOf(person, agentId)).post_call_webhook).toMatchObject({
      url: 'https://example.com/hook',
      headers: { 'X-Key': '•••' },
    });
    await visitor.leave();
  });

  it('writes to the agent and is answered; voice asks for a microphone before it opens a room', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, `/agents/${await agentOf(person)}?tab=try`);
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'business_name' }).fill('The bakery');
    await page.getByRole('button', { name: 'Begin to write' }).click();
    const lines = page.getByRole('log', { name: 'Conversation with the agent' }).getByRole('listitem');
    await lines.first().getByText('The bakery').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Who are you? <b>مرحبا</b>');
    await page.keyboard.press('Enter');
    await lines.nth(1).getByText('Who are you? <b>مرحبا</b>').waitFor();
    await lines.nth(2).getByText('Agent', { exact: true }).waitFor();
    await page
      .getByRole('log', { name: 'Conversation with the agent' })
      .and(page.locator('[aria-busy=false]'))
      .waitFor();
    await page.getByText('Rules answer', { exact: true }).waitFor();
    await page.getByText('No language model is configured').waitFor();
    await expectWellMade(page, 'agent-try-text');
    const callPath =
      (await page.getByRole('link', { name: 'Open it in the call log' }).getAttribute('href')) ?? '';
    await page.getByRole('button', { name: 'Begin anew' }).click();
    await lines.nth(1).waitFor({ state: 'detached' });
    await lines.first().getByText('The bakery').waitFor();
    // The first conversation ended with that, and is a preview in the call log with its words.
    await eventually(async () =>
      expect(await world().ask(person, callPath)).toMatchObject({
        ...{ channel: 'preview', status: 'completed', endedReason: 'user_hangup', messageCount: 3 },
      }),
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Begin to talk' }).click();
    await page
      .getByText(/^(The browser does not let this page use|This computer has no) .*microphone/)
      .waitFor();
    expect(asked.filter((path) => path.endsWith('/preview-session'))).toEqual([]);
    await expectWellMade(page, 'agent-try-without-microphone');
    await visitor.leave();
  });

  it('begins no conversation before the variables are known, and keeps one when they change', async () => {
    const person = await world().person();
    const agentId = await agentOf(person);
    const visitor = await world().openAs(person, '/agents');
    const { page } = visitor;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isRequested = page.waitForRequest(`**/agents/${agentId}/config`);
    await page.route(`**/agents/${agentId}/config`, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${world().platform.url}/agents/${agentId}?tab=try`);
    await isRequested;
    const begin = page.getByRole('button', { name: 'Begin to write' });
    expect(await begin.count()).toBe(0);
    release();
    await page.getByRole('textbox', { name: 'business_name' }).fill('The bakery');
    await begin.click();
    const lines = page.getByRole('log', { name: 'Conversation with the agent' }).getByRole('listitem');
    await lines.first().getByText('The bakery').waitFor();

    const added = { default: 'Berlin', description: 'Where the business is' };
    const { variables } = await configurationOf(person, agentId);
    await saveElsewhere(person, agentId, { variables: { ...variables, city: added } });
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'city' }).inputValue()).toBe('Berlin'),
    );
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'business_name' }).inputValue()).toBe('The bakery'),
    );
    await lines.first().getByText('The bakery').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Still there?');
    await page.keyboard.press('Enter');
    await lines.nth(2).getByText('Agent', { exact: true }).waitFor();
    await visitor.leave();
  });

  it('is told that there is no such agent, with a way back', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/0b7e3f0e-7c37-4c7b-9c71-2f6b8f3f0d11');
    await visitor.page.getByText('There is no such agent').waitFor();
    await visitor.page.getByRole('link', { name: 'All agents' }).last().click();
    await visitor.page.getByRole('heading', { name: 'Agents' }).waitFor();
    await visitor.leave();
  });
});
