// The ways into the platform, told as stories over HTTP: from an empty installation to an organization with a second
// factor. Two gateways share one installation; a third one lets anybody sign up.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@parlance/contracts';
import { eventually, type TestEngines, testEngines } from '@parlance/testing';
import { Mailbox, type ReceivedMail } from './testing/mailbox.js';
import { cookiesOf, type Person, type Reply, type Send, TestGateway } from './testing/test-gateway.js';
import { totpCode } from './testing/totp.js';

const setupCode = 'a-code-of-the-operator';
const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

let engines: TestEngines;
let mailbox: Mailbox;
let gateway: TestGateway;
let second: TestGateway;
let open: TestGateway;
let closed: TestGateway;
let owner: Person;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  mailbox = new Mailbox();
  await mailbox.start();
  const authSecret = 's'.repeat(20) + Math.random().toString(36).padEnd(30, '0');
  const start = (variables: Readonly<Record<string, string>>) =>
    TestGateway.start({
      postgresUrl,
      natsUrl: engines.natsUrl,
      variables: {
        ...mailbox.variables,
        AUTH_SECRET: authSecret,
        SETUP_CODE: setupCode,
        SIGN_UP: 'invite',
        EMAIL_VERIFICATION: 'required',
        ...variables,
      },
    });
  gateway = await start({});
  second = await start({});
  open = await start({ SIGN_UP: 'open' });
  closed = await start({ SIGN_UP: 'closed' });
}, 60_000);

afterAll(async () => {
  await Promise.all([gateway, second, open, closed].map((running) => running?.stop()));
  await mailbox?.remove();
  await engines?.stop();
});

const said = ({ status, body }: Reply): string => `${status} ${body?.error?.code ?? ''}`.trim();
const post = (path: string, body: unknown, person?: Person, at = gateway): Promise<Reply> =>
  at.send(path, { method: 'POST', body, ...(person === undefined ? {} : { headers: person.session }) });
const get = (path: string, person: Person, at = gateway): Promise<Reply> =>
  at.send(path, { headers: person.session });
const signUp = (email: string, at = gateway, headers: Send['headers'] = {}): Promise<Reply> =>
  at.send('/auth/sign-up/email', {
    method: 'POST',
    headers,
    body: { name: 'Ada', email, password: 'a long password' },
  });
const signIn = (email: string, at = gateway): Promise<Person> =>
  at.signIn({ email, password: 'a long password' });

let count = 0;
const newAddress = (name: string): string => {
  count += 1;
  return `${name}-${count}@example.com`;
};

/** The newest mail with this subject. */
const mailTo = (email: string, subject: RegExp): Promise<ReceivedMail> =>
  eventually(
    async () => {
      const mail = (await mailbox.mailsTo(email)).filter((each) => subject.test(each.subject)).at(-1);
      if (mail === undefined) throw new Error(`no such mail to ${email}`);
      return mail;
    },
    { timeoutMs: 60_000 },
  );
const follow = (mail: ReceivedMail): Promise<Response> => fetch(mail.link);
const verify = async (email: string): Promise<void> => {
  expect((await follow(await mailTo(email, /Verify/))).status).toBe(200);
};
const invite = (email: string, role: unknown, by = owner): Promise<Reply> =>
  post('/auth/organization/invite-member', { email, role, organizationId: by.organizationId }, by);
const accept = (invitationId: string, person: Person): Promise<Reply> =>
  post('/auth/organization/accept-invitation', { invitationId }, person);

/** A person with a verified address and this role in the owner's organization, which is active. */
const join = async (role: string): Promise<Person> => {
  const email = newAddress(role);
  const { body } = await invite(email, role);
  await signUp(email);
  await verify(email);
  const person = await signIn(email);
  expect((await accept(body.id, person)).status).toBe(200);
  return { ...person, organizationId: owner.organizationId };
};

// All at once, because each of them waits for mails.
const wanted = ['viewer', 'admin', 'admin', 'member', 'member', 'member', 'member', 'member'];
let joining: Map<string, Promise<Person>[]> | undefined;
const colleague = (role: string): Promise<Person> => {
  joining ??= joinAll();
  return joining.get(role)?.pop() ?? join(role);
};
const joinAll = (): Map<string, Promise<Person>[]> => {
  const people = new Map<string, Promise<Person>[]>();
  for (const role of wanted) people.set(role, [...(people.get(role) ?? []), join(role)]);
  return people;
};

describe('an empty installation', () => {
  it('refuses every sign-up without the setup code, even the first', async () => {
    expect(said(await signUp('stranger@example.com'))).toBe('403 SIGN_UP_CLOSED');
    for (const code of ['', 'wrong', setupCode.toUpperCase(), `${setupCode} x`])
      expect(said(await signUp('stranger@example.com', gateway, { 'x-setup-code': code }))).toBe(
        '403 SIGN_UP_CLOSED',
      );
    expect(said(await signUp('stranger@example.com', open, { 'x-setup-code': 'wrong' }))).toBe(
      '403 SIGN_UP_CLOSED',
    );
  });

  it('lets exactly one of many in as the first, through whichever gateway, and counts it as verified', async () => {
    const racers = Array.from({ length: 8 }, (_, index) => `first-${index}@example.com`);
    const replies = await Promise.all(
      racers.map((email, index) =>
        signUp(email, index % 2 === 0 ? gateway : second, { 'x-setup-code': setupCode }),
      ),
    );
    const [winner = ''] = racers.filter((_, index) => replies[index]?.status === 200);
    expect(replies.map(said).sort()).toEqual(['200', ...Array(7).fill('403 SIGN_UP_CLOSED')]);
    owner = await signIn(winner);
    const { body } = await get('/auth/get-session', owner);
    expect(body.user.emailVerified).toBe(true);
    expect((await gateway.createKey(owner, ['agent:read'])).key).toMatch(/^parl_/);
    expect(await mailbox.mailsTo(winner)).toEqual([]);
  });

  it('is empty no more: the setup code opens nothing', async () => {
    expect(said(await signUp('late@example.com', gateway, { 'x-setup-code': setupCode }))).toBe(
      '403 SIGN_UP_CLOSED',
    );
  });
});

describe('a stranger', () => {
  it('comes in by an invitation, and neither dials nor buys nor makes keys before the address is verified', async () => {
    const email = newAddress('newcomer');
    expect(said(await signUp(email))).toBe('403 SIGN_UP_CLOSED');
    expect((await invite(email.toUpperCase(), 'viewer')).body.email).toBe(email);
    const mail = await mailTo(email, /invited/);
    expect(mail.link).toMatch(/\/account\/invitation#[0-9a-f-]{36}$/);
    const invitationId = mail.link.split('#')[1] ?? '';

    const signedUp = await signUp(email);
    expect([signedUp.status, cookiesOf(signedUp)]).toEqual([200, '']);
    const person = await signIn(email);
    for (const row of operations.filter((each) => 'verified' in each)) {
      const path = row.path.replaceAll(/\{\w+\}/g, unknownId);
      const reply = await gateway.send(path, { method: row.method, headers: person.session, body: {} });
      expect([row.id, said(reply)]).toEqual([row.id, '403 EMAIL_NOT_VERIFIED']);
    }
    expect((await get('/agents', person)).status).not.toBe(403);
    const key = { name: 'k', permissions: ['*'] };
    expect(said(await post('/auth/api-key/create', key, person))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await invite('friend@example.com', 'member', person))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await accept(invitationId, person))).toBe('403 EMAIL_NOT_VERIFIED');

    const page = await follow(await mailTo(email, /Verify/));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await post('/auth/api-key/create', key, person)).status).toBe(200);
    expect((await accept(invitationId, person)).status).toBe(200);
    const quick = await post('/outbound-calls/quick', {}, person);
    expect(said(quick)).toBe('403 PERMISSION_DENIED');
  }, 30_000);

  it('cannot learn from a sign-up whether an address has an account; the owner of the address is told', async () => {
    const [taken, free] = [owner.email, newAddress('free')];
    const answers = await Promise.all([signUp(taken, open), signUp(free, open)]);
    const shapes = answers.map(({ status, headers, body }) => ({
      status,
      cookies: headers.getSetCookie(),
      body: { ...body, user: { ...body.user, id: '', email: '', createdAt: '', updatedAt: '' } },
    }));
    expect(shapes[0]).toEqual(shapes[1]);
    expect((await mailTo(taken, /already/)).link).toMatch(/\/account\/reset-password$/);
    await expect(signIn(taken)).resolves.toBeDefined();
    for (const path of ['/auth/request-password-reset', '/auth/send-verification-email']) {
      const [known, unknown] = await Promise.all([
        post(path, { email: taken }),
        post(path, { email: newAddress('nobody') }),
      ]);
      expect([known.status, known.body]).toEqual([200, unknown.body]);
    }
  }, 30_000);

  it('gets a page and no verified address for a link that is not good', async () => {
    for (const token of ['x', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA']) {
      const reply = await gateway.send(`/auth/verify-email?token=${token}`);
      expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('no longer good')]);
    }
    const elsewhere = await gateway.send('/auth/verify-email?token=x&callbackURL=https://evil.example');
    expect(said(elsewhere)).toBe('400 VALIDATION_ERROR');
  });
});

describe('a viewer', () => {
  it("cannot become an admin with an admin's invitation", async () => {
    const viewer = await colleague('viewer');
    const invited = newAddress('new-admin');
    const invitation = await invite(invited, 'admin');
    expect(invitation.status).toBe(200);
    const organizationId = owner.organizationId;
    const lists = await get(`/auth/organization/list-invitations?organizationId=${organizationId}`, viewer);
    expect(said(lists)).toBe('403 OWNER_SESSION_REQUIRED');
    const full = await get(
      `/auth/organization/get-full-organization?organizationId=${organizationId}`,
      viewer,
    );
    expect([full.status, JSON.stringify(full.body)]).toEqual([200, expect.not.stringContaining(invited)]);
    expect(said(await get(`/auth/organization/get-invitation?id=${invitation.body.id}`, viewer))).toBe(
      '404 NOT_FOUND',
    );
    expect(said(await accept(invitation.body.id, viewer))).toBe('404 NOT_FOUND');

    // The id leaked all the same, and the address is free: without its mailbox it opens nothing.
    expect((await signUp(invited, open)).status).toBe(200);
    const impostor = await signIn(invited);
    expect(said(await accept(invitation.body.id, impostor))).toBe('403 EMAIL_NOT_VERIFIED');
    expect(said(await get('/auth/organization/list-user-invitations', impostor))).toBe(
      '403 EMAIL_NOT_VERIFIED',
    );
    const members = await get(`/auth/organization/list-members?organizationId=${organizationId}`, owner);
    expect(JSON.stringify(members.body)).not.toContain(invited);
  }, 30_000);
});

describe('an admin', () => {
  let admin: Person;
  beforeAll(async () => {
    admin = await colleague('admin');
  }, 30_000);

  const members = async (): Promise<{ id: string; role: string; user: { email: string } }[]> => {
    const path = `/auth/organization/list-members?organizationId=${owner.organizationId}`;
    return (await get(path, owner)).body.members;
  };
  const memberId = async ({ email }: Person): Promise<string> =>
    (await members()).find((member) => member.user.email === email)?.id ?? '';

  it('can make no member an owner, and can neither change nor remove an owner', async () => {
    expect(said(await invite(newAddress('friend'), 'owner', admin))).toBe('403 PERMISSION_DENIED');
    const [own, owners] = [await memberId(admin), await memberId(owner)];
    const role = (id: string, to: unknown) =>
      post('/auth/organization/update-member-role', { memberId: id, role: to }, admin);
    expect(said(await role(own, 'owner'))).toBe('403 PERMISSION_DENIED');
    expect(said(await role(owners, 'viewer'))).toBe('403 PERMISSION_DENIED');
    const removed = await post('/auth/organization/remove-member', { memberIdOrEmail: owners }, admin);
    expect(removed.status).toBeGreaterThanOrEqual(400);
    expect((await members()).find(({ id }) => id === owners)?.role).toBe('owner');
  });

  it("can neither take back nor replace nor renew an owner's promise of the role owner", async () => {
    const email = newAddress('next-owner');
    const { body: promised } = await invite(email, 'owner');
    const cancel = (invitationId: string, by: Person) =>
      post('/auth/organization/cancel-invitation', { invitationId }, by);
    const renewal = { email, role: 'member', organizationId: owner.organizationId, resend: true };
    expect(said(await cancel(promised.id, admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await invite(email.toUpperCase(), 'viewer', admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await post('/auth/organization/invite-member', renewal, admin))).toBe(
      '403 PERMISSION_DENIED',
    );
    const path = `/auth/organization/list-invitations?organizationId=${owner.organizationId}`;
    const waiting = (await get(path, owner)).body.filter((each: { email: string }) => each.email === email);
    expect(waiting).toEqual([
      expect.objectContaining({
        id: promised.id,
        role: 'owner',
        status: 'pending',
        expiresAt: promised.expiresAt,
      }),
    ]);

    const ordinary = await invite(newAddress('friend'), 'admin');
    expect((await cancel(ordinary.body.id, admin)).body.status).toBe('canceled');
    // Once an owner has taken the promise back, an admin may invite the address to less.
    expect((await cancel(promised.id, owner)).body.status).toBe('canceled');
    expect((await invite(email, 'viewer', admin)).status).toBe(200);
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
    expect(said(await invite(newAddress('two-roles'), role, admin))).toBe('400 VALIDATION_ERROR');
    const change = { memberId: await memberId(admin), role };
    expect(said(await post('/auth/organization/update-member-role', change, admin))).toBe(
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
      signUp(email as string, open),
      invite(email as string, 'member'),
      post('/auth/request-password-reset', { email }),
      post('/auth/send-verification-email', { email }),
      post('/auth/sign-in/email', { email, password: 'a long password' }),
    ];
    expect((await Promise.all(attempts)).map(said)).toEqual(Array(5).fill('400 VALIDATION_ERROR'));
  });
});

describe('a password', () => {
  it('that is reset by mail ends every session of the account at once, and the link opens nothing twice', async () => {
    const person = await colleague('member');
    const elsewhere = await signIn(person.email, second);
    for (const [who, at] of [
      [person, gateway],
      [elsewhere, second],
    ] as const)
      expect((await get('/agents', who, at)).status).not.toBe(401);
    await post('/auth/request-password-reset', { email: person.email });
    const [, token = ''] = (await mailTo(person.email, /new password/)).link.split('#');
    const reset = { token, newPassword: 'another long password' };
    expect((await post('/auth/reset-password', reset)).status).toBe(200);
    await eventually(async () => {
      expect(said(await get('/agents', person))).toBe('401 UNAUTHENTICATED');
      expect(said(await get('/agents', elsewhere, second))).toBe('401 UNAUTHENTICATED');
    });
    expect(said(await post('/auth/reset-password', reset))).toBe('400 VALIDATION_ERROR');
    await expect(signIn(person.email)).rejects.toThrow('401');
  }, 30_000);

  it('that is changed ends every other session, whatever the request says', async () => {
    const person = await colleague('member');
    const elsewhere = await signIn(person.email, second);
    const changed = await post(
      '/auth/change-password',
      { currentPassword: 'a long password', newPassword: 'a longer password', revokeOtherSessions: false },
      person,
    );
    expect(changed.status).toBe(200);
    await eventually(async () =>
      expect(said(await get('/agents', elsewhere, second))).toBe('401 UNAUTHENTICATED'),
    );
    const kept = { ...person, session: { ...person.session, cookie: cookiesOf(changed) } };
    expect((await get('/agents', kept)).status).not.toBe(401);
  }, 30_000);
});

describe('a second factor', () => {
  const password = 'a long password';
  const withCookie = (person: Person, reply: Reply): Person => ({
    ...person,
    session: { ...person.session, cookie: cookiesOf(reply) },
  });
  /** Sets one up. @returns the person with the new session, and what the app and the paper hold */
  const enrol = async (person: Person) => {
    const begun = await post('/auth/two-factor/enable', { password }, person);
    expect(begun.status).toBe(200);
    const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = begun.body;
    const code = totpCode(totpURI);
    const done = await post('/auth/two-factor/verify-totp', { code }, person);
    expect(done.status).toBe(200);
    return { person: withCookie(person, done), totpURI, backupCodes, code };
  };
  /** The password was right; the cookie stands for the challenge. */
  const challenge = async ({ email }: Person, at = gateway): Promise<Person> => {
    const half = await post('/auth/sign-in/email', { email, password }, undefined, at);
    expect([half.status, half.body]).toEqual([200, { twoFactorRedirect: true }]);
    const cookie = cookiesOf(half)
      .split('; ')
      .filter((pair) => pair.includes('two_factor'))
      .join('; ');
    return { ...owner, email, session: { cookie, origin: at.gateway.url } };
  };

  it('is asked at sign-in, and no code opens anything twice', async () => {
    const enrolled = await enrol(await colleague('member'));
    const first = await challenge(enrolled.person);
    expect(said(await get('/agents', first))).toBe('401 UNAUTHENTICATED');
    // The code that completed the enrolment was seen then.
    expect(said(await post('/auth/two-factor/verify-totp', { code: enrolled.code }, first))).toBe(
      '401 UNAUTHENTICATED',
    );
    const code = totpCode(enrolled.totpURI, 1);
    const halves = await Promise.all([gateway, second].map((at) => challenge(enrolled.person, at)));
    const tries = halves.map((half, index) =>
      post('/auth/two-factor/verify-totp', { code }, half, index === 0 ? gateway : second),
    );
    expect((await Promise.all(tries)).map(said).sort()).toEqual(['200', '401 UNAUTHENTICATED']);

    const [backup = ''] = enrolled.backupCodes;
    const byPaper = await post('/auth/two-factor/verify-backup-code', { code: backup }, first);
    expect(byPaper.status).toBe(200);
    expect((await get('/agents', withCookie(first, byPaper))).status).not.toBe(401);
    const again = await challenge(enrolled.person);
    expect(said(await post('/auth/two-factor/verify-backup-code', { code: backup }, again))).toBe(
      '401 UNAUTHENTICATED',
    );
  }, 30_000);

  it('locks after ten wrong codes, over any number of challenges', async () => {
    const { person, totpURI } = await enrol(await colleague('member'));
    const right = totpCode(totpURI, 1);
    const wrong = Array.from({ length: 13 }, (_, index) => String(100_000 + index)).filter(
      (code) => ![right, totpCode(totpURI), totpCode(totpURI, -1)].includes(code),
    );
    let half = person;
    for (const [index, code] of wrong.slice(0, 10).entries()) {
      if (index % 4 === 0) half = await challenge(person);
      expect(said(await post('/auth/two-factor/verify-totp', { code }, half))).toBe('401 UNAUTHENTICATED');
    }
    const late = await challenge(person);
    expect(said(await post('/auth/two-factor/verify-totp', { code: right }, late))).toBe('429 RATE_LIMITED');
  }, 30_000);

  it('can be required by an owner who has one; keys go on, sessions without it only enrol', async () => {
    const member = await colleague('member');
    const admin = await colleague('admin');
    const { key } = await gateway.createKey(owner, ['agent:read']);
    const demand = (required: unknown, person: Person) =>
      post('/auth/organization/require-second-factor', { required }, person);
    expect(said(await demand(true, owner))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect(said(await demand('yes', owner))).toBe('400 VALIDATION_ERROR');
    expect(said(await demand(true, admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await demand(true, member))).toBe('403 OWNER_SESSION_REQUIRED');

    owner = (await enrol(owner)).person;
    const required = await demand(true, owner);
    expect([required.status, required.body.secondFactorRequired]).toEqual([200, true]);
    expect((await get('/agents', owner)).status).not.toBe(403);
    for (const person of [member, admin])
      expect(said(await get('/agents', person))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect(said(await invite(newAddress('late'), 'viewer', admin))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect((await gateway.send('/agents', { headers: { 'x-api-key': key } })).status).not.toBe(403);

    // Another active organization is no way around it.
    const own = (await get('/auth/organization/list', member)).body.find(
      ({ id }: { id: string }) => id !== owner.organizationId,
    );
    const moved = await post('/auth/organization/set-active', { organizationId: own.id }, member);
    expect(moved.status).toBe(200);
    expect((await get('/agents', member)).status).not.toBe(403);
    const others = await get(
      `/auth/organization/list-members?organizationId=${owner.organizationId}`,
      member,
    );
    expect(said(others)).toBe('403 SECOND_FACTOR_REQUIRED');

    const enrolled = await enrol(admin);
    expect((await get('/agents', enrolled.person)).status).not.toBe(403);
    const off = await post('/auth/two-factor/disable', { password }, enrolled.person);
    expect(off.status).toBe(200);
    expect(said(await get('/agents', withCookie(enrolled.person, off)))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect((await demand(false, owner)).status).toBe(200);
  }, 30_000);
});

describe('sign-up', () => {
  it('is closed to invited addresses too where the operator closes it', async () => {
    const email = newAddress('too-late');
    expect((await invite(email, 'member')).status).toBe(200);
    expect(said(await signUp(email, closed, { 'x-setup-code': setupCode }))).toBe('403 SIGN_UP_CLOSED');
  });
});
