// The browser's back button on screens with steps. It goes one step back, forward comes to the step again, and nothing typed is lost.
// The steps of a campaign have a case of their own.
import { expect, it } from '@jest/globals';
import { eventually, totpOf } from '@parlance/fixtures';
import { startMcpServerWithLogin } from '@parlance/tests-e2e';
import type { Page } from 'playwright-core';
import { describeConsole, expectQuiet, inTheConsole, signIn } from '../testing/console-world.js';
import { goTo } from '../testing/screens.js';
import { beginSecondFactor } from '../testing/second-factor.js';

const at = (page: Page, pathname: string): Promise<void> =>
  page.waitForURL((url) => url.pathname === pathname);

/** The draft of a form is kept a moment after the last key. */
const untilKept = (page: Page, text: string): Promise<void> =>
  eventually(async () =>
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(text),
  );

const world = inTheConsole();

describeConsole('the back button', () => {
  it('keeps what is typed at the set-up and the sign-in, but no password', async () => {
    const visitor = await world().open('/sign-in');
    const { page } = visitor;
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a secret of Ada');
    await untilKept(page, 'ada@example.com');
    await page.getByRole('link', { name: /Set it up/ }).click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('first@example.com');
    await page.getByLabel('Set-up code').fill('a code of the log');
    await untilKept(page, 'first@example.com');
    await page.goBack();
    await at(page, '/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.com'),
    );
    await page.goForward();
    await at(page, '/set-up');
    await page.getByLabel('Set-up code').waitFor();
    await eventually(async () => expect(await page.getByLabel('Your name').inputValue()).toBe('Ada'));
    await eventually(async () =>
      expect(await page.getByLabel('E-mail address').inputValue()).toBe('first@example.com'),
    );
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(
      /a secret of Ada|a code of the log/,
    );
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('goes from the code of a second factor to the password, and keeps codes that are shown once', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents');
    const { page } = visitor;
    await goTo(page, '/account');
    const { dialog, secret } = await beginSecondFactor(page, person.password);
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await at(page, '/account');
    // The app has read the code already, so it is the same one.
    await page.getByRole('button', { name: 'Set it up' }).click();
    await dialog.getByRole('img', { name: 'Code for an authenticator app' }).waitFor();
    await eventually(async () => expect(await dialog.locator('pre').textContent()).toBe(secret));
    await dialog.getByLabel('Code of the app').fill(totpOf(secret));
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByText('Each signs you in once').waitFor();
    const codes = (await dialog.locator('pre').textContent()) ?? '';
    await page.goBack();
    await at(page, '/account');
    await eventually(async () => expect(await dialog.locator('pre').textContent()).toBe(codes));
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('Your second factor is on.').waitFor();
    await expectQuiet(visitor);
    await visitor.leave();

    const again = await world().open('/agents');
    await signIn(again.page, person);
    const code = again.page.getByLabel('Code of your second factor');
    await code.waitFor();
    await again.page.goBack();
    await again.page.getByLabel('Password', { exact: true }).waitFor();
    await eventually(async () =>
      expect(await again.page.getByLabel('E-mail address').inputValue()).toBe(person.email),
    );
    await again.page.goForward();
    await code.waitFor();
    await again.page.getByRole('button', { name: 'Use a backup code' }).click();
    await again.page.getByLabel('Backup code').fill(codes.split('\n')[0] ?? '');
    await again.page.getByRole('button', { name: 'Continue' }).click();
    await again.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    // A step back is to the sign-in, which somebody who is inside has behind them.
    await again.page.goBack();
    await again.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await again.leave();
  });

  it('comes back to an invitation, with the address that was typed', async () => {
    const owner = await world().person();
    const guest = await world().person('Grace');
    const { id } = await world().askAuth<{ id: string }>(owner, '/organization/invite-member', {
      ...{ email: guest.email, role: 'viewer' },
    });
    const visitor = await world().open('/sign-in');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate((to) => location.assign(to), `/account/invitation#${id}`);
    await page.getByRole('heading', { name: 'Join an organization' }).waitFor();
    await page.getByLabel('E-mail address').fill(guest.email);
    await untilKept(page, guest.email);
    await page.goBack();
    await at(page, '/sign-in');
    await page.goForward();
    await page.getByRole('heading', { name: 'Join an organization' }).waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(guest.email),
    );
    await page.getByLabel('Password', { exact: true }).fill(guest.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('You are invited to').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('asks before it leaves a connection that is being made, and leads from one that is made to the list', async () => {
    const server = await startMcpServerWithLogin();
    const person = await world().person();
    const visitor = await world().openAs(person, '/mcp-servers');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Connect your own server' }).first().click();
    await page.getByLabel('Name').fill('Notes');
    await page.getByLabel('Address').fill(server.url);
    await page.getByLabel('The server wants').selectOption('oauth2');
    await untilKept(page, server.url);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.goBack();
    await question.getByRole('button', { name: 'Stay' }).click();
    await at(page, '/mcp-servers/connect');
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Notes'));
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await at(page, '/mcp-servers');
    await page.goForward();
    await page.getByText('Your unsaved changes are back.').waitFor();
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Notes'));
    await eventually(async () =>
      expect(await page.getByLabel('The server wants').inputValue()).toBe('oauth2'),
    );
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Needs a login').waitFor();
    await page.getByRole('button', { name: 'Log in at the server' }).click();
    const login = page.getByRole('dialog', { name: 'Log in at Notes' });
    await login.waitFor();
    // Out of the dialog first, and then to the list: the form has done its work.
    await page.goBack();
    await login.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.goBack();
    await at(page, '/mcp-servers');
    await page.goForward();
    await page.getByText('Needs a login').waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
    await server.stop();
  });

  it('goes from search to search of a number, and out of the question before it is bought', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/numbers');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Buy a number' }).first().click();
    const areaCode = page.getByLabel('Area code');
    const search = async (code: string): Promise<void> => {
      await areaCode.fill(code);
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page
        .getByRole('row', { name: new RegExp(`\\+1${code}`) })
        .first()
        .waitFor();
    };
    await search('415');
    await search('212');
    await areaCode.fill('303');
    await page.goBack();
    await page
      .getByRole('row', { name: /\+1415/ })
      .first()
      .waitFor();
    await eventually(async () => expect(await areaCode.inputValue()).toBe('415'));
    await page.goForward();
    await page
      .getByRole('row', { name: /\+1212/ })
      .first()
      .waitFor();
    await eventually(async () => expect(await areaCode.inputValue()).toBe('303'));
    await page
      .getByRole('button', { name: /^Buy \+1212/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: /^Buy \+1212/ });
    await question.waitFor();
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await page.waitForURL(/areaCode=%22212%22/);
    expect(await world().ask(person, '/numbers')).toEqual([]);
    await page
      .getByRole('button', { name: /^Buy \+1212/ })
      .first()
      .click();
    await question.getByRole('button', { name: /^Buy for/ }).click();
    await page.getByRole('row', { name: /\+1212.*Active/ }).waitFor();
    await page.goBack();
    await at(page, '/numbers/buy');
    await page.goForward();
    await page.getByRole('row', { name: /\+1212.*Active/ }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
