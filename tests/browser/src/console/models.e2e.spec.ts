// Models of the organization: added, tested, chosen for an agent, changed and deleted.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { eventually } from '@parlance/fixtures';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';

const world = inTheConsole();
let server: RunningOpenAi;

beforeAll(async () => {
  server = await startOpenAi({ apiKey: 'sk-own-key', models: ['llama', 'kokoro'] });
});
afterAll(() => server?.stop());

describeConsole('somebody who brings models of their own', () => {
  it('adds one with a key, tests it, sees why it fails, and deletes it', async () => {
    const person = await world().person();
    for (const [name, value] of Object.entries({ GOOD_KEY: 'sk-own-key', OLD_KEY: 'sk-revoked' }))
      await world().ask(person, '/secrets', { name, value });
    const visitor = await world().openAs(person, '/models');
    const { page } = visitor;
    await page.getByText('No model of your own yet').waitFor();
    await page.getByRole('link', { name: 'New model' }).first().click();
    await page.getByRole('heading', { name: 'New model' }).waitFor();
    await page.getByLabel('Short name').fill('llama');
    await page.getByLabel('Name', { exact: true }).fill('Llama at home');
    await page.getByLabel('Address').fill(server.url);
    await page.getByLabel('Model at the server').fill('llama');
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'OLD_KEY' });
    await page.getByLabel('A million tokens of prompts').fill('0.4');
    await page.getByRole('button', { name: 'Add the model' }).click();
    await page.getByText('is required').waitFor();
    await page.getByLabel('A million tokens of answers').fill('1.6');
    await expectWellMade(page, 'models-new');
    await page.getByRole('button', { name: 'Add the model' }).click();
    await page.getByRole('heading', { name: 'Llama at home', level: 1 }).waitFor();

    const test = page.getByRole('button', { name: 'Test this model' });
    const outcome = page.getByRole('region', { name: 'Result of the test' });
    await test.click();
    await outcome.getByText('It does not work').waitFor();
    await outcome.getByText('HTTP status 401').waitFor();
    await expectWellMade(page, 'models-test-failed');
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'GOOD_KEY' });
    await page.getByRole('button', { name: 'Save the model' }).click();
    await page.getByText('Llama at home is saved.').waitFor();
    await test.click();
    await outcome.getByText('It works').waitFor();
    await outcome.getByText(/^It answered: ./).waitFor();
    expect(await world().ask(person, '/models')).toMatchObject([
      { id: 'custom/llama', prices: { perMillionInputTokens: 400_000, perMillionOutputTokens: 1_600_000 } },
    ]);

    await page.getByRole('link', { name: 'All models' }).click();
    await page.getByRole('row', { name: /Llama at home/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Llama at home' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No model of your own yet').waitFor();
    expect(await world().ask(person, '/models')).toEqual([]);
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('finds it beside those of the catalog, listens to its voice, and chooses it for an agent', async () => {
    const person = await world().person();
    const { id: agentId } = await world().ask<{ id: string }>(person, '/agents', {
      name: 'Front desk',
      isActive: true,
      templateId: 'business',
    });
    const { id: secretId } = await world().ask<{ id: string }>(person, '/secrets', {
      name: 'GOOD_KEY',
      value: 'sk-own-key',
    });
    const common = { baseUrl: server.url, secretId };
    const voices = [{ id: 'heart', name: 'Heart', languages: ['en'] }];
    const fallbacks = ['openai/gpt-4.1'];
    const llm = { id: 'custom/llama', kind: 'llm', name: 'Llama at home', model: 'llama', fallbacks };
    const tts = { id: 'custom/kokoro', kind: 'tts', name: 'Kokoro at home', model: 'kokoro', voices };
    await world().ask(person, '/models', { ...common, ...llm });
    await world().ask(person, '/models', { ...common, ...tts });
    const visitor = await world().openAs(person, `/agents/${agentId}`);
    const { page } = visitor;
    const choose = async (field: string, typed: string, option: RegExp): Promise<void> => {
      const box = page.getByRole('combobox', { name: field, exact: true });
      await box.click();
      await box.fill(typed);
      await page.getByRole('option', { name: option }).click();
    };
    const thinking = page.getByRole('combobox', { name: 'Thinking', exact: true });
    await thinking.click();
    const openAi = page.getByRole('listbox', { name: 'Thinking' }).getByRole('group', { name: 'OpenAI' });
    await openAi.getByRole('option', { name: /GPT-4.1 mini.*all languages.*a minute.*ms/ }).waitFor();
    await expectWellMade(page, 'agent-models');
    await page.keyboard.press('Escape');
    await choose('Thinking', 'custom', /Llama at home.*custom.*not priced/);
    await page.getByText('If it fails: GPT-4.1.').waitFor();
    await choose('Speaking', 'kokoro', /Kokoro at home/);
    await choose('Voice', 'heart', /Heart/);
    await page.getByRole('button', { name: 'Listen to the voice' }).click();
    const sound = page.getByLabel('It said');
    await eventually(async () =>
      expect(
        await sound.evaluate((element) => (element as unknown as { readonly duration: number }).duration),
      ).toBeGreaterThan(0.2),
    );
    await page.getByRole('button', { name: 'Save the configuration' }).click();
    await page.getByText('Version 2 is in force.').waitFor();
    expect(await world().ask(person, `/agents/${agentId}/config`)).toMatchObject({
      llmModel: 'custom/llama',
      ttsModel: 'custom/kokoro',
      voiceId: 'custom/kokoro/heart',
    });
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await page.getByRole('row', { name: /Llama at home.*Front desk/ }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
