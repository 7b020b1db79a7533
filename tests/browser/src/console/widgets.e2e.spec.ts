import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { type Site, startSite } from '../page/site.js';
import { visit } from '../page/visit.js';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';

interface Widget {
  readonly id: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly embedSnippet: string;
  readonly theme: { readonly primaryColor: string; readonly texts: { readonly launcher: string } };
}

const world = inTheConsole();

describeConsole('somebody with a website', () => {
  const siteWith = (site: Site, snippet: string): string =>
    site.show('/shop', {
      head: '',
      body: `<main><h1>A shop</h1></main>${snippet}`,
      policy: {
        'script-src': `'self' ${world().platform.url}`,
        'connect-src': world().platform.url,
      },
    });

  it('makes a widget, sees its look before saving it, and places it on the website', async () => {
    const site = await startSite();
    const person = await world().person();
    const agent = await world().ask<{ id: string }>(person, '/agents', {
      ...{ name: 'Front desk', isActive: true, templateId: 'business' },
    });
    const visitor = await world().openAs(person, '/widgets');
    const { page } = visitor;
    await page.getByText('This agent is on no website yet').waitFor();
    await page.getByRole('link', { name: 'New widget' }).first().click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Websites that may show it').fill(site.origin);
    await page.getByLabel('Websites that may show it').press('Enter');
    await expectWellMade(page, 'widgets-new');
    await page.getByRole('button', { name: 'Make the widget' }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();

    const preview = page.frameLocator('iframe[title="Preview of the widget"]');
    await preview.getByRole('button', { name: 'Talk to us' }).waitFor();
    const widgets = () => world().ask<readonly Widget[]>(person, `/agents/${agent.id}/widgets`);
    await page.getByLabel('Button', { exact: true }).fill('Ask the shop');
    await page.locator('input[name="theme.primaryColor"]').fill('#0f766e');
    // The preview follows the typed text; the platform knows nothing of it yet.
    await preview.getByRole('button', { name: 'Ask the shop' }).waitFor();
    expect((await widgets())[0]?.theme.texts.launcher).toBe('Talk to us');
    await preview.getByRole('button', { name: 'Ask the shop' }).click();
    await expectWellMade(page, 'widget-preview');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The widget Shop is saved.').waitFor();
    const [saved] = await widgets();
    expect(saved).toMatchObject({
      name: 'Shop',
      allowedOrigins: [site.origin],
      theme: { primaryColor: '#0f766e', texts: { launcher: 'Ask the shop' } },
    });
    const snippet = (await page.getByRole('region', { name: 'Tags to copy' }).textContent()) ?? '';
    expect(snippet).toBe(saved?.embedSnippet);
    await expectQuiet(visitor);

    const shop = await visit(world().chromium.browser, siteWith(site, snippet), {
      hosts: [new URL(world().platform.url).host],
    });
    await shop.page.getByRole('button', { name: 'Ask the shop' }).waitFor();
    await shop.leave();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete the widget “Shop”?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('This agent is on no website yet').waitFor();
    await eventually(async () => expect(await widgets()).toEqual([]));
    await visitor.leave();
    await site.stop();
  });
});
