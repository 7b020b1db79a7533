// The ways into the console.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/testing';
import { type ConsoleWorld, expectQuiet, expectWellMade, phone, signIn } from '../testing/console-world.js';

export const consoleEntry = (world: () => ConsoleWorld): void =>
  describe('somebody who comes in', () => {
    it('sets the platform up with the code of its first start', async () => {
      const visitor = await world().open('/set-up');
      const { page } = visitor;
      const codes: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/sign-up/email')) codes.push(request.headers()['x-setup-code']);
      });
      await page.getByLabel('Set-up code').fill('AAAA-BBBB-CCCC-DDDD');
      await page.getByLabel('Your name').fill('Grace');
      await page.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
      await page.getByLabel('Password').fill('short');
      await page.getByRole('button', { name: 'Make the account' }).click();
      // The contract's own rule, in words, before anything is sent.
      await page.getByText('Write at least 8 characters.').waitFor();
      expect(codes).toEqual([]);
      await expectWellMade(page, 'set-up');
      await page.getByLabel('Password').fill(randomUUID());
      await page.getByRole('button', { name: 'Make the account' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(codes).toEqual(['AAAA-BBBB-CCCC-DDDD']);
      await expectQuiet(visitor);
      await visitor.leave();
    });

    it('signs in, comes to the address that was asked for, and signs out again', async () => {
      const person = await world().person();
      const visitor = await world().open('/agents');
      const { page } = visitor;
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expectWellMade(page, 'sign-in');
      await signIn(page, { ...person, password: 'a wrong password' });
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain('UNAUTHENTICATED');
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

    it.each(['light', 'dark'] as const)(
      'sees pages without a fault, %s, on a phone too',
      async (colorScheme) => {
        for (const path of ['/sign-in', '/account/reset-password', '/account/invitation', '/sign-up']) {
          const visitor = await world().open(path, { ...phone, colorScheme });
          await visitor.page.getByRole('heading', { level: 1 }).waitFor();
          await expectWellMade(visitor.page, `phone-${colorScheme}${path.replaceAll('/', '-')}`);
          await expectQuiet(visitor);
          await visitor.leave();
        }
      },
    );

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
  });
