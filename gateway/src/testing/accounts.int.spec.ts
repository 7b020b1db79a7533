// The ways into the platform, told as stories over HTTP: from an empty installation to an organization with a second
// factor.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { needsVerified, operations } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { Installation, said, setupCode } from './installation.js';
import { secondFactorCases } from './second-factor-cases.js';
import { cookiesOf, type Person } from './test-gateway.js';

const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

let world: Installation;
beforeAll(async () => {
  world = await Installation.start();
});
afterAll(() => world?.stop());

describe('an empty installation', () => {
  it('refuses every sign-up without the setup code, even the first', async () => {
    expect(said(await world.signUp('stranger@example.com'))).toBe('403 SIGN_UP_CLOSED');
    for (const code of ['', 'wrong', setupCode.toUpperCase(), `${setupCode} x`])
      expect(said(await world.signUp('stranger@example.com', world.gateway, { 'x-setup-code': code }))).toBe(
        '403 SIGN_UP_CLOSED',
      );
    expect(said(await world.signUp('stranger@example.com', world.open, { 'x-setup-code': 'wrong' }))).toBe(
      '403 SIGN_UP_CLOSED',
    );
  });

  it('lets exactly one of many in as the first, through whichever gateway, and counts it as verified', async () => {
    const racers = Array.from({ length: 8 }, (_, index) => `first-${index}@example.com`);
    const replies = await Promise.all(
      racers.map((email, index) =>
        world.signUp(email, index % 2 === 0 ? world.gateway : world.second, { 'x-setup-code': setupCode }),
      ),
    );
    const [winner = ''] = racers.filter((_, index) => replies[index]?.status === 200);
    expect(replies.map(said).sort()).toEqual(['200', ...Array(7).fill('403 SIGN_UP_CLOSED')]);
    world.owner = await world.signIn(winner);
    const { body } = await world.get('/auth/get-session', world.owner);
    expect(body.user.emailVerified).toBe(true);
    expect((await world.gateway.createKey(world.owner, ['agent:read'])).key).toMatch(/^parl_/);
    expect(await world.mailbox.mailsTo(winner)).toEqual([]);
  });

  it('is empty no more: the setup code opens nothing', async () => {
    expect(said(await world.signUp('late@example.com', world.gateway, { 'x-setup-code': setupCode }))).toBe(
      '403 SIGN_UP_CLOSED',
    );
  });
});

describe('a stranger', () => {
  it('comes in by an invitation, and neither dials nor buys nor makes keys before the address is verified', async () => {
    const email = world.newAddress('newcomer');
    expect(said(await world.signUp(email))).toBe('403 SIGN_UP_CLOSED');
    expect((await world.invite(email.toUpperCase(), 'viewer')).body.email).toBe(email);
    const mail = await world.mailTo(email, /invited/);
    expect(mail.link).toMatch(/\/account\/invitation#[0-9a-f-]{36}$/);
    const invitationId = mail.link.split('#')[1] ?? '';

    const signedUp = await world.signUp(email);
    expect([signedUp.status, cookiesOf(signedUp)]).toEqual([200, '']);
    const person = await world.signIn(email);
    for (const row of operations.filter(needsVerified)) {
      const path = row.path.replaceAll(/\{\w+\}/g, unknownId);
      const body = row.method === 'GET' ? {} : { body: {} };
      const sent = { method: row.method, headers: person.session, ...body };
      const reply = await world.gateway.send(path, sent);
      expect([row.id, said(reply)]).toEqual([row.id, '403 EMAIL_NOT_VERIFIED']);
    }
    expect((await world.get('/agents', person)).status).not.toBe(403);
    const key = { name: 'k', permissions: ['*'] };
    expect(said(await world.post('/auth/api-key/create', key, person))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await world.invite('friend@example.com', 'member', person))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await world.accept(invitationId, person))).toBe('403 EMAIL_NOT_VERIFIED');

    const page = await world.verify(email);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await world.post('/auth/api-key/create', key, person)).status).toBe(200);
    expect((await world.accept(invitationId, person)).status).toBe(200);
    const quick = await world.post('/outbound-calls/quick', {}, person);
    expect(said(quick)).toBe('403 PERMISSION_DENIED');
  });

  it('cannot learn from a sign-up whether an address has an account; the owner of the address is told', async () => {
    const [taken, free] = [world.owner.email, world.newAddress('free')];
    const answers = await Promise.all([world.signUp(taken, world.open), world.signUp(free, world.open)]);
    const shapes = answers.map(({ status, headers, body }) => ({
      status,
      cookies: headers.getSetCookie(),
      body: { ...body, user: { ...body.user, id: '', email: '', createdAt: '', updatedAt: '' } },
    }));
    expect(shapes[0]).toEqual(shapes[1]);
    expect((await world.mailTo(taken, /already/)).link).toMatch(/\/account\/reset-password$/);
    await expect(world.signIn(taken)).resolves.toBeDefined();
    for (const path of ['/auth/request-password-reset', '/auth/send-verification-email']) {
      const [known, unknown] = await Promise.all([
        world.post(path, { email: taken }),
        world.post(path, { email: world.newAddress('nobody') }),
      ]);
      expect([known.status, known.body]).toEqual([200, unknown.body]);
    }
  });

  it('gets a page and no verified address for a link that is not good', async () => {
    for (const token of ['x', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA']) {
      const reply = await world.gateway.send(`/auth/verify-email?token=${token}`);
      expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('no longer good')]);
    }
    const elsewhere = await world.gateway.send('/auth/verify-email?token=x&callbackURL=https://evil.example');
    expect(said(elsewhere)).toBe('400 VALIDATION_ERROR');
  });
});

describe('a viewer', () => {
  it("cannot become an admin with an admin's invitation", async () => {
    const viewer = await world.colleague('viewer');
    const invited = world.newAddress('new-admin');
    const invitation = await world.invite(invited, 'admin');
    expect(invitation.status).toBe(200);
    const organizationId = world.owner.organizationId;
    const lists = await world.get(
      `/auth/organization/list-invitations?organizationId=${organizationId}`,
      viewer,
    );
    expect(said(lists)).toBe('403 OWNER_SESSION_REQUIRED');
    const full = await world.get(
      `/auth/organization/get-full-organization?organizationId=${organizationId}`,
      viewer,
    );
    expect([full.status, JSON.stringify(full.body)]).toEqual([200, expect.not.stringContaining(invited)]);
    expect(said(await world.get(`/auth/organization/get-invitation?id=${invitation.body.id}`, viewer))).toBe(
      '404 NOT_FOUND',
    );
    expect(said(await world.accept(invitation.body.id, viewer))).toBe('404 NOT_FOUND');

    // The id leaked all the same, and the address is free: without its mailbox it opens nothing.
    expect((await world.signUp(invited, world.open)).status).toBe(200);
    const impostor = await world.signIn(invited);
    expect(said(await world.accept(invitation.body.id, impostor))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await world.get('/auth/organization/list-user-invitations', impostor))).toBe(
      '403 EMAIL_NOT_VERIFIED',
    );
    const members = await world.get(
      `/auth/organization/list-members?organizationId=${organizationId}`,
      world.owner,
    );
    expect(JSON.stringify(members.body)).not.toContain(invited);
  });
});

describe('an admin', () => {
  let admin: Person;
  beforeAll(async () => {
    admin = await world.colleague('admin');
  });

  const members = async (): Promise<{ id: string; role: string; user: { email: string } }[]> => {
    const path = `/auth/organization/list-members?organizationId=${world.owner.organizationId}`;
    return (await world.get(path, world.owner)).body.members;
  };
  const memberId = async ({ email }: Person): Promise<string> =>
    (await members()).find((member) => member.user.email === email)?.id ?? '';

  it('can make no member an owner, and can neither change nor remove an owner', async () => {
    expect(said(await world.invite(world.newAddress('friend'), 'owner', admin))).toBe(
      '403 PERMISSION_DENIED',
    );
    const [own, owners] = [await memberId(admin), await memberId(world.owner)];
    const role = (id: string, to: unknown) =>
      world.post('/auth/organization/update-member-role', { memberId: id, role: to }, admin);
    expect(said(await role(own, 'owner'))).toBe('403 PERMISSION_DENIED');
    expect(said(await role(owners, 'viewer'))).toBe('403 PERMISSION_DENIED');
    const removed = await world.post('/auth/organization/remove-member', { memberIdOrEmail: owners }, admin);
    expect(removed.status).toBeGreaterThanOrEqual(400);
    expect((await members()).find(({ id }) => id === owners)?.role).toBe('owner');
  });

  it("can neither take back nor replace nor renew an owner's promise of the role owner", async () => {
    const email = world.newAddress('next-owner');
    const { body: promised } = await world.invite(email, 'owner');
    const cancel = (invitationId: string, by: Person) =>
      world.post('/auth/organization/cancel-invitation', { invitationId }, by);
    const renewal = { email, role: 'member', organizationId: world.owner.organizationId, resend: true };
    expect(said(await cancel(promised.id, admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await world.invite(email.toUpperCase(), 'viewer', admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await world.post('/auth/organization/invite-member', renewal, admin))).toBe(
      '403 PERMISSION_DENIED',
    );
    const path = `/auth/organization/list-invitations?organizationId=${world.owner.organizationId}`;
    const waiting = (await world.get(path, world.owner)).body.filter(
      (each: { email: string }) => each.email === email,
    );
    expect(waiting).toEqual([
      expect.objectContaining({
        id: promised.id,
        role: 'owner',
        status: 'pending',
        expiresAt: promised.expiresAt,
      }),
    ]);

    const ordinary = await world.invite(world.newAddress('friend'), 'admin');
    expect((await cancel(ordinary.body.id, admin)).body.status).toBe('canceled');
    // Once an owner has taken the promise back, an admin may invite the address to less.
    expect((await cancel(promised.id, world.owner)).body.status).toBe('canceled');
    expect((await world.invite(email, 'viewer', admin)).status).toBe(200);
  });

  it.each([
    ['two roles in one text', 'admin, owner'],
    ['two roles without a space', 'admin,owner'],
    ['two roles in a list', ['admin', 'owner']],
    ['one role in a list', ['admin']],
    ['another spelling', 'Owner'],
    ['a space', ' owner'],
    ['no role', ''],
    ['a role that is not ours', 'root'],
    ['a number', 7],
    ['nothing', null],
  ])('gives exactly one role of the list, not %s', async (_, role) => {
    expect(said(await world.invite(world.newAddress('two-roles'), role, admin))).toBe('400 VALIDATION_ERROR');
    const change = { memberId: await memberId(admin), role };
    expect(said(await world.post('/auth/organization/update-member-role', change, admin))).toBe(
      '400 VALIDATION_ERROR',
    );
  });
});

describe('an address', () => {
  it.each([
    ['a line break', 'ada@example.com\n'],
    ['a header', 'ada@example.com\r\nBcc: eve@example.com'],
    ['two addresses', 'ada@example.com,eve@example.com'],
    ['a name', 'Ada <ada@example.com>'],
    ['no domain', 'ada'],
    ['a control character', 'ada\u0000@example.com'],
    ['too many characters', `${'a'.repeat(250)}@example.com`],
    ['letters that look alike', 'аda@example.com'],
    ['a list', ['ada@example.com']],
    ['nothing', null],
  ])('is refused with %s, wherever it is written', async (_, email) => {
    const attempts = [
      world.signUp(email as string, world.open),
      world.invite(email as string, 'member'),
      world.post('/auth/request-password-reset', { email }),
      world.post('/auth/send-verification-email', { email }),
      world.post('/auth/sign-in/email', { email, password: 'a long password' }),
    ];
    expect((await Promise.all(attempts)).map(said)).toEqual(Array(5).fill('400 VALIDATION_ERROR'));
  });
});

describe('a password', () => {
  it('that is reset by mail ends every session of the account at once, and the link opens nothing twice', async () => {
    const person = await world.colleague('member');
    const elsewhere = await world.signIn(person.email, world.second);
    for (const [who, at] of [
      [person, world.gateway],
      [elsewhere, world.second],
    ] as const)
      expect((await world.get('/agents', who, at)).status).not.toBe(401);
    await world.post('/auth/request-password-reset', { email: person.email });
    const [, token = ''] = (await world.mailTo(person.email, /new password/)).link.split('#');
    const reset = { token, newPassword: 'another long password' };
    expect((await world.post('/auth/reset-password', reset)).status).toBe(200);
    await eventually(async () => {
      expect(said(await world.get('/agents', person))).toBe('401 UNAUTHENTICATED');
      expect(said(await world.get('/agents', elsewhere, world.second))).toBe('401 UNAUTHENTICATED');
    });
    expect(said(await world.post('/auth/reset-password', reset))).toBe('400 VALIDATION_ERROR');
    await expect(world.signIn(person.email)).rejects.toThrow('401');
  });

  it('that is changed ends every other session, whatever the request says', async () => {
    const person = await world.colleague('member');
    const elsewhere = await world.signIn(person.email, world.second);
    const changed = await world.post(
      '/auth/change-password',
      { currentPassword: 'a long password', newPassword: 'a longer password', revokeOtherSessions: false },
      person,
    );
    expect(changed.status).toBe(200);
    await eventually(async () =>
      expect(said(await world.get('/agents', elsewhere, world.second))).toBe('401 UNAUTHENTICATED'),
    );
    const kept = { ...person, session: { ...person.session, cookie: cookiesOf(changed) } };
    expect((await world.get('/agents', kept)).status).not.toBe(401);
  });
});

describe('a second factor', () => secondFactorCases(() => world));

describe('sign-up', () => {
  it('is closed to invited addresses too where the operator closes it', async () => {
    const email = world.newAddress('too-late');
    expect((await world.invite(email, 'member')).status).toBe(200);
    expect(said(await world.signUp(email, world.closed, { 'x-setup-code': setupCode }))).toBe(
      '403 SIGN_UP_CLOSED',
    );
  });
});
