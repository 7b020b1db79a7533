// The ways into the console.
import { randomUUID } from 'node:crypto';
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

describeConsole('somebody who comes in', () => {
  it('signs in, comes to the address that was asked for, and signs out again', async () => {
    const person = await world().person();
    const visitor = await world().open('/agents');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, { ...person, password: 'a wrong password' });
    await page.getByRole('alert').waitFor();
    await eventually(async () =>
      expect(await page.getByRole('alert').textContent()).toContain('UNAUTHENTICATED'),
    );
    await signIn(page, person);
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Account of Ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${world().platform.url}/agents`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('goes on where the session has ended, and loses nothing that was typed', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Night desk');
    await visitor.context.clearCookies();
    await page.getByRole('button', { name: 'Create the agent' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expectWellMade(page, 'session-ended');
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    // The request that was waiting goes on by itself.
    await page.getByText('The agent Night desk is there.').waitFor();
    await eventually(async () =>
      expect(await world().ask<readonly { name: string }[]>(person, '/agents')).toMatchObject([
        { name: 'Night desk' },
      ]),
    );
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('sees nothing that another person has typed at the same tab', async () => {
    const [before, after] = [await world().person(), await world().person('Bob')];
    const visitor = await world().openAs(before, '/agents/new');
    const { page } = visitor;
    const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await page.getByLabel('Name').fill('Night desk');
    await eventually(async () => expect(await kept()).toContain('Night desk'));
    await visitor.context.clearCookies();
    await page.goto(`${world().platform.url}/agents/new`);
    await signIn(page, after);
    await page.getByRole('button', { name: 'Create the agent' }).waitFor();
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe(''));
    await eventually(async () => expect(await kept()).not.toContain('Night desk'));
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('waits with a platform that is busy or not reached, and then goes on without a click', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/new');
    const { page, context } = visitor;
    await page.getByLabel('Name').fill('Night desk');
    const everything = '**/api/v1/**';
    let refused = 0;
    await page.route(everything, (route) => {
      refused += 1;
      return route.fulfill({
        status: 503,
        headers: { 'retry-after': '2', 'x-request-id': 'req-busy' },
        json: {
          success: false,
          error: { code: 'SERVICE_UNAVAILABLE', message: 'Busy.', requestId: 'req-busy', retryable: true },
        },
      });
    });
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText(/The platform is busy; the page tries again in \d s/).waitFor();
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Night desk'));
    await expectWellMade(page, 'busy');
    // An outage goes on until something is answered.
    await page
      .getByText(/The platform is busy/)
      .first()
      .waitFor();
    await eventually(async () => expect(refused).toBeGreaterThan(1));
    await page.unroute(everything);
    await page.getByText('The agent Night desk is there.').waitFor();
    await page
      .getByText(/The platform is busy/)
      .first()
      .waitFor({ state: 'detached' });

    await context.setOffline(true);
    await page.getByText(/You are offline; the page tries again in \d s/).waitFor();
    await context.setOffline(false);
    await page
      .getByText(/You are offline/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await world().ask<readonly object[]>(person, '/agents')).toHaveLength(1);
    await visitor.leave();
  });

  it('chooses a new password by the link of a mail, and the old one opens nothing any more', async () => {
    const person = await world().person();
    const visitor = await world().open('/sign-in');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The form of the sign-in has such a field too, and stays until the next screen is there.
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('A mail is on its way').waitFor();
    await page.goto(await world().linkTo(person.email, '/account/reset-password'));
    const password = randomUUID();
    await page.getByLabel('New password').fill(password);
    await expectWellMade(page, 'reset-password');
    await page.getByRole('button', { name: 'Set it' }).click();
    await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, person);
    await page.getByRole('alert').getByText('UNAUTHENTICATED').waitFor();
    await signIn(page, { ...person, password });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('is told the request of a failure, to quote it', async () => {
    const person = await world().person();
    const visitor = await world().openAs(person, '/agents/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Night desk');
    await page.route('**/api/v1/agents', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 500,
            headers: { 'x-request-id': 'req-broken' },
            json: {
              success: false,
              error: {
                code: 'INTERNAL_ERROR',
                message: 'It broke.',
                requestId: 'req-broken',
                retryable: false,
              },
            },
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByRole('alert').getByText('Code INTERNAL_ERROR · Request req-broken').waitFor();
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Night desk'));
    await visitor.leave();
  });
});
