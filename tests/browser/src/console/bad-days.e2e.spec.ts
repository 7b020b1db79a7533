// Faults while a person works: a session that ends during an upload, a wrong clock, a rule that the page cannot check.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { describeConsole, expectQuiet, inTheConsole, signIn } from '../testing/console-world.js';

const world = inTheConsole();

describeConsole('somebody on a bad day', () => {
  it('goes on after a session that ends during an upload, with the file and with all that was typed', async () => {
    const person = await world().person();
    await world().ask(person, '/agents', { name: 'Front desk', isActive: true, templateId: 'business' });
    const visitor = await world().openAs(person, '/knowledge');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add knowledge' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add knowledge' });
    // The file is on its way until the session is gone.
    let release = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      (url) => url.pathname.includes('refunds') || url.search.includes('X-Amz-Signature'),
      async (route) => {
        if (route.request().method() === 'PUT') await gone;
        await route.continue();
      },
    );
    const storing = page.waitForRequest((request) => request.method() === 'PUT');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'refunds.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Refunds\n\nA refund takes ten working days.\n'),
    });
    await storing;
    await visitor.context.clearCookies();
    release();
    await dialog.getByText('refunds.md is uploaded.').waitFor();
    await dialog.getByRole('button', { name: 'Add the file' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('row', { name: /refunds\.md/ }).waitFor();
    expect([await visitor.policyReports(), visitor.errors()]).toEqual([[], []]);
    await visitor.leave();
  });

  it('asks for the sign-in also after a newer release has taken the file of the question away', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/new');
    const { page, context } = visitor;
    await page.getByLabel('Name').fill('Night desk');
    const scripts = (): Promise<readonly string[]> =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    await eventually(async () =>
      expect(await scripts()).toContainEqual(expect.stringContaining('/sign-in-again-')),
    );
    await context.route(/\/sign-in-again-/, (route) => route.fulfill({ status: 404 }));
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create the agent' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The agent Night desk is there.').waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('sends no change from a tab whose organization another tab has switched', async () => {
    const person = await world().person();
    await world().askAuth(person, '/organization/create', {
      name: 'Night shop',
      slug: `night-${randomUUID()}`,
    });
    const visitor = await world().openAs(person, '/agents');
    const { page, context } = visitor;
    const other = await context.newPage();
    await other.goto(`${world().platform.url}/agents/new`);
    await other.getByLabel('Name').fill('Front desk');
    const sent: string[] = [];
    other.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await page.getByRole('button', { name: /^Organization: / }).click();
    await page.getByRole('menuitemcheckbox', { checked: false }).click();
    await page.getByText(/^You now work in /).waitFor();
    const dialog = other.getByRole('dialog', { name: /^You now work in / });
    await dialog.getByText(/sends no change until you reload it/).waitFor();
    // Also a key that reaches the form below sends nothing.
    await other.evaluate(() => document.querySelector('form')?.requestSubmit());
    await dialog.getByRole('button', { name: 'Reload the page' }).waitFor();
    // A request that the page sends afterwards is reported after all earlier ones.
    await other.evaluate(() => fetch('/api/v1/caller').then(({ status }) => status));
    expect(sent).toEqual([]);
    await visitor.leave();
  });

  it.each([
    ['late', -1],
    ['early', 1],
  ] as const)('reads right times on a computer whose clock is an hour %s', async (_, hours) => {
    const person = await world().person();
    await world().ask(person, '/suppressions', { phoneNumbers: ['+14155550103'] });
    const visitor = await world().open('/do-not-call');
    await visitor.context.addInitScript((shiftMs) => {
      const Real = Date;
      const shifted = (): number => Real.now() + shiftMs;
      const Wrong = new Proxy(Real, {
        construct: (target, given) =>
          given.length === 0 ? new target(shifted()) : Reflect.construct(target, given),
        get: (target, name) => (name === 'now' ? shifted : Reflect.get(target, name)),
      });
      Reflect.set(globalThis, 'Date', Wrong);
    }, hours * 3_600_000);
    await visitor.page.goto(`${world().platform.url}/do-not-call`);
    await signIn(visitor.page, person);
    const row = visitor.page.getByRole('row', { name: /\+14155550103/ });
    await row.waitFor();
    await eventually(async () => {
      const text = await row.innerText();
      expect(text).toMatch(/just now|minutes? ago/);
      expect(text).not.toMatch(/hour/);
    });
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('is told at its field what the platform alone can check', async () => {
    const person = await world().person();
    const agent = await world().ask<{ id: string }>(person, '/agents', {
      ...{ name: 'Front desk', isActive: true, templateId: 'business' },
    });
    const visitor = await world().openAs(person, `/widgets/new?agent=${agent.id}`);
    const { page } = visitor;
    await page.getByLabel('Name').fill('Shop');
    // Everybody may register below it, which the list of public suffixes says.
    await page.getByLabel('Websites that may show it').fill('https://*.co.uk');
    await page.getByLabel('Websites that may show it').press('Enter');
    await page.getByRole('button', { name: 'Make the widget' }).click();
    await page.getByText(/must be an https origin such as/).waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Websites that may show it').getAttribute('aria-invalid')).toBe('true'),
    );
    await eventually(async () =>
      expect(await page.getByRole('alert').textContent()).toContain('INVALID_ORIGIN'),
    );
    expect(await world().ask(person, `/agents/${agent.id}/widgets`)).toEqual([]);
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
