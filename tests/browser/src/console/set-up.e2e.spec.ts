// An empty installation lets in the person with the set-up code, once.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  ConsoleWorld,
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  setupCode,
} from '../testing/console-world.js';

const world = inTheConsole(() => ConsoleWorld.startEmpty());

describeConsole('somebody who sets an installation up', () => {
  it('gets in with the code and not without it, and owns the first organization', async () => {
    const visitor = await world().open('/set-up');
    const { page } = visitor;
    const fill = async (code: string): Promise<void> => {
      await page.getByLabel('Set-up code').fill(code);
      await page.getByLabel('Your name').fill('Grace');
      await page.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
      await page.getByLabel('Password').fill(randomUUID());
      await page.getByRole('button', { name: 'Make the account' }).click();
    };
    await fill('a code that is wrong');
    await page.getByRole('alert').getByText('SIGN_UP_CLOSED').waitFor();
    await fill(setupCode);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // Only an owner or admin may.
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog', { name: 'Invite somebody' }).waitFor();
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it('reads the rules of the set-up in words before anything is sent', async () => {
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
});
