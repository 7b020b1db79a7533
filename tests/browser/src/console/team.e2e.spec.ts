// Members, invitations, roles and API keys.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { describeConsole, expectQuiet, expectWellMade, inTheConsole } from '../testing/console-world.js';

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
}

const world = inTheConsole();

describeConsole('an owner with members', () => {
  it('invites somebody who may only look, makes a member of the viewer, and removes the person', async () => {
    const owner = await world().person();
    const guest = await world().person('Grace');
    const visitor = await world().openAs(owner, '/members');
    const { page } = visitor;
    await page.getByRole('row', { name: /Ada/ }).waitFor();
    await page.getByText('No invitation waits for an answer.').waitFor();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByLabel('E-mail address').fill(guest.email);
    await dialog.getByLabel('Role').selectOption('viewer');
    await expectWellMade(page, 'members-invite');
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('row', { name: new RegExp(guest.email) }).waitFor();
    const [invitation] = await world().askAuth<readonly Invitation[]>(
      owner,
      '/organization/list-invitations',
    );
    expect(invitation).toMatchObject({ email: guest.email, role: 'viewer', status: 'pending' });

    // The link is the one of the mail.
    const { pathname, hash } = new URL(await world().linkTo(guest.email, '/account/invitation'));
    expect(hash).toBe(`#${invitation?.id}`);
    const guestVisit = await world().openAs(guest, `${pathname}${hash}`);
    await guestVisit.page.getByRole('button', { name: 'Join' }).click();
    await guestVisit.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await guestVisit.page.getByRole('navigation').getByRole('link', { name: 'Agents' }).click();
    const create = guestVisit.page.getByRole('link', { name: 'New agent' }).first();
    await create.waitFor();
    await eventually(async () => expect(await create.getAttribute('aria-disabled')).toBe('true'));
    await guestVisit.page.getByRole('link', { name: 'Members' }).click();
    await guestVisit.page
      .getByRole('region', { name: 'Invitations' })
      .getByText('Only an owner or admin can do this.')
      .waitFor();
    await expectWellMade(guestVisit.page, 'members-viewer');
    await guestVisit.page.getByRole('button', { name: /Organization: Ada/ }).click();
    await guestVisit.page.getByRole('menuitemcheckbox', { name: /Grace/ }).click();
    await guestVisit.page.getByText(/You now work in Grace/).waitFor();
    await guestVisit.page.getByRole('link', { name: 'Agents', exact: true }).click();
    // An owner again, in the organization of one's own.
    const own = guestVisit.page.getByRole('link', { name: 'New agent' }).first();
    await own.waitFor();
    await eventually(async () => expect(await own.getAttribute('aria-disabled')).toBeNull());
    await expectQuiet(guestVisit);

    await page.reload();
    await page.getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: 'Change the role' }).click();
    const roleDialog = page.getByRole('dialog', { name: 'Role of Grace' });
    await roleDialog.getByLabel('Role').selectOption('member');
    await roleDialog.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('Grace is member now.').waitFor();
    await page.getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
    await page
      .getByRole('dialog', { name: 'Remove Grace from the organization?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByText('Grace is removed.').waitFor();
    const { members } = await world().askAuth<{ members: readonly { user: { email: string } }[] }>(
      owner,
      '/organization/list-members',
    );
    expect(members.map(({ user }) => user.email)).toEqual([owner.email]);
    await expectQuiet(visitor);
    await guestVisit.leave();
    await visitor.leave();
  });

  it('takes an invitation back', async () => {
    const owner = await world().person();
    const email = `${randomUUID()}@example.com`;
    await world().askAuth(owner, '/organization/invite-member', { email, role: 'member' });
    const visitor = await world().openAs(owner, '/members');
    const { page } = visitor;
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('No invitation waits for an answer.').waitFor();
    const all = await world().askAuth<readonly Invitation[]>(owner, '/organization/list-invitations');
    expect(all.filter(({ status }) => status === 'pending')).toEqual([]);
    await visitor.leave();
  });
});

describeConsole('an owner with programs', () => {
  const refused = async (key: string): Promise<boolean> => {
    const answer = await fetch(`${world().platform.api}/agents`, { headers: { 'x-api-key': key } });
    return answer.status === 401;
  };

  it('makes a key that works, rotates it so that both work, and deletes the new one', async () => {
    const owner = await world().person();
    const visitor = await world().openAs(owner, '/api-keys');
    const { page } = visitor;
    await page.getByText('No API key yet').waitFor();
    await page.getByRole('link', { name: 'New API key' }).first().click();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await page.getByLabel('Name').fill('CRM sync');
    await page.getByRole('group', { name: 'Agents', exact: true }).getByLabel('look at').check();
    await expectWellMade(page, 'api-keys-new');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const once = page.getByRole('dialog', { name: 'Copy your key now' });
    const readKey = async (): Promise<string> =>
      (await once.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    await once.waitFor();
    const key = await readKey();
    await expectWellMade(page, 'api-keys-once');
    // Neither Escape nor a reload of the list loses the key by a slip: the dialog stays until the person says so.
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await once.isVisible()).toBe(true));
    expect(await refused(key)).toBe(false);
    await once.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /CRM sync.*1 subject/ }).waitFor();
    await eventually(async () => expect(await page.content()).not.toContain(key));

    await page.getByRole('button', { name: 'Actions for CRM sync' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page
      .getByRole('dialog', { name: 'Rotate CRM sync' })
      .getByRole('button', { name: 'Make the next key' })
      .click();
    await once.waitFor();
    const next = await readKey();
    expect(next).not.toBe(key);
    await once.getByRole('button', { name: 'I have stored it' }).click();
    expect([await refused(key), await refused(next)]).toEqual([false, false]);

    await page.getByRole('button', { name: 'Actions for CRM sync' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row', { name: /Deleted/ }).waitFor();
    await eventually(async () =>
      expect([await refused(key), await refused(next)].filter(Boolean)).toHaveLength(1),
    );
    await page.getByLabel('State').selectOption('active');
    await page.waitForURL(({ search }) => search === '?state=active');
    await expectQuiet(visitor);
    await visitor.leave();
  });
});
