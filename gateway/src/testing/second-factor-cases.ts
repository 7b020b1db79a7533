// The cases of the second factor, for the one installation that the stories of accounts share.
import { expect, it } from '@jest/globals';
import { totpOfUri } from '@parlance/fixtures';
import { type Installation, said } from './installation.js';
import { cookiesOf, type Person, type Reply } from './test-gateway.js';

/** @param world the installation, which has an owner by the time that a case runs */
export const secondFactorCases = (world: () => Installation): void => {
  const password = 'a long password';
  const withCookie = (person: Person, reply: Reply): Person => ({
    ...person,
    session: { ...person.session, cookie: cookiesOf(reply) },
  });
  /** Sets a second factor up. @returns the person with the new session, the app's secret and the backup codes */
  const enrol = async (person: Person) => {
    const begun = await world().post('/auth/two-factor/enable', { password }, person);
    expect(begun.status).toBe(200);
    const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = begun.body;
    const code = totpOfUri(totpURI);
    const done = await world().post('/auth/two-factor/verify-totp', { code }, person);
    expect(done.status).toBe(200);
    return { person: withCookie(person, done), totpURI, backupCodes, code };
  };
  /** The password was right; the cookie stands for the challenge. */
  const challenge = async ({ email }: Person, at = world().gateway): Promise<Person> => {
    const half = await world().post('/auth/sign-in/email', { email, password }, undefined, at);
    expect([half.status, half.body]).toEqual([200, { twoFactorRedirect: true }]);
    const cookie = cookiesOf(half)
      .split('; ')
      .filter((pair) => pair.includes('two_factor'))
      .join('; ');
    return { ...world().owner, email, session: { cookie, origin: at.gateway.url } };
  };

  it('is asked at sign-in, and no code opens anything twice', async () => {
    const enrolled = await enrol(await world().colleague('member'));
    const first = await challenge(enrolled.person);
    expect(said(await world().get('/agents', first))).toBe('401 UNAUTHENTICATED');
    // The code that completed the enrolment was seen then.
    expect(said(await world().post('/auth/two-factor/verify-totp', { code: enrolled.code }, first))).toBe(
      '401 UNAUTHENTICATED',
    );
    const code = totpOfUri(enrolled.totpURI, 1);
    const halves = await Promise.all(
      [world().gateway, world().second].map((at) => challenge(enrolled.person, at)),
    );
    const tries = halves.map((half, index) =>
      world().post(
        '/auth/two-factor/verify-totp',
        { code },
        half,
        index === 0 ? world().gateway : world().second,
      ),
    );
    expect((await Promise.all(tries)).map(said).sort()).toEqual(['200', '401 UNAUTHENTICATED']);

    const [backup = ''] = enrolled.backupCodes;
    const byPaper = await world().post('/auth/two-factor/verify-backup-code', { code: backup }, first);
    expect(byPaper.status).toBe(200);
    expect((await world().get('/agents', withCookie(first, byPaper))).status).not.toBe(401);
    const again = await challenge(enrolled.person);
    expect(said(await world().post('/auth/two-factor/verify-backup-code', { code: backup }, again))).toBe(
      '401 UNAUTHENTICATED',
    );
  });

  it('locks after ten wrong codes, over any number of challenges', async () => {
    const { person, totpURI } = await enrol(await world().colleague('member'));
    const right = totpOfUri(totpURI, 1);
    const wrong = Array.from({ length: 13 }, (_, index) => String(100_000 + index)).filter(
      (code) => ![right, totpOfUri(totpURI), totpOfUri(totpURI, -1)].includes(code),
    );
    let half = person;
    for (const [index, code] of wrong.slice(0, 10).entries()) {
      if (index % 4 === 0) half = await challenge(person);
      expect(said(await world().post('/auth/two-factor/verify-totp', { code }, half))).toBe(
        '401 UNAUTHENTICATED',
      );
    }
    const late = await challenge(person);
    const refused = await world().post('/auth/two-factor/verify-totp', { code: right }, late);
    expect(said(refused)).toBe('429 RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600);
    const mail = await world().mailTo(person.email, /knows your password/);
    expect(mail.link).toMatch(/\/account\/reset-password$/);
  });

  it('judges ten codes of the many that come at once over several challenges and gateways', async () => {
    const { person, totpURI } = await enrol(await world().colleague('member'));
    const good = [-1, 0, 1].map((step) => totpOfUri(totpURI, step));
    const places = [world().gateway, world().second];
    const halves = await Promise.all(
      Array.from({ length: 6 }, (_, index) => challenge(person, places[index % 2])),
    );
    const tries = Array.from({ length: 24 }, (_, index) => String(200_000 + index))
      .filter((code) => !good.includes(code))
      .map((code, index) =>
        world().post(
          '/auth/two-factor/verify-totp',
          { code },
          halves[index % halves.length],
          places[index % 2],
        ),
      );
    const replies = (await Promise.all(tries)).map(said);
    expect(replies.filter((reply) => reply === '401 UNAUTHENTICATED')).toHaveLength(10);
    expect(replies.filter((reply) => reply === '429 RATE_LIMITED')).toHaveLength(tries.length - 10);
  });

  it('is taken before an account is deleted, and a code of before is no good for it', async () => {
    const { person, totpURI, code: seen } = await enrol(await world().colleague('member'));
    const remove = (body: object) => world().post('/auth/delete-user', body, person);
    const code = totpOfUri(totpURI, 1);
    const wrong = code === '100000' ? '100001' : '100000';
    expect(said(await remove({ password }))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect(said(await remove({ password: 'not the password', code }))).toBe('401 UNAUTHENTICATED');
    for (const bad of [seen, wrong])
      expect(said(await remove({ password, code: bad }))).toBe('401 UNAUTHENTICATED');
    expect((await world().get('/auth/get-session', person)).body.user.email).toBe(person.email);
    await world().withEmptyServices(async () => expect(said(await remove({ password, code }))).toBe('200'));
    expect((await world().get('/auth/get-session', person)).body).toBeNull();
    expect(said(await world().post('/auth/sign-in/email', { email: person.email, password }))).toBe(
      '401 UNAUTHENTICATED',
    );
  });

  it('can be required by an owner who has one; keys go on, sessions without it only enrol', async () => {
    const member = await world().colleague('member');
    const admin = await world().colleague('admin');
    const { key } = await world().gateway.createKey(world().owner, ['agent:read']);
    const demand = (required: unknown, person: Person) =>
      world().post('/auth/organization/require-second-factor', { required }, person);
    expect(said(await demand(true, world().owner))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect(said(await demand('yes', world().owner))).toBe('400 VALIDATION_ERROR');
    expect(said(await demand(true, admin))).toBe('403 PERMISSION_DENIED');
    expect(said(await demand(true, member))).toBe('403 OWNER_SESSION_REQUIRED');

    world().owner = (await enrol(world().owner)).person;
    const required = await demand(true, world().owner);
    expect([required.status, required.body.secondFactorRequired]).toEqual([200, true]);
    expect((await world().get('/agents', world().owner)).status).not.toBe(403);
    for (const person of [member, admin])
      expect(said(await world().get('/agents', person))).toBe('403 SECOND_FACTOR_REQUIRED');
    expect(said(await world().invite(world().newAddress('late'), 'viewer', admin))).toBe(
      '403 SECOND_FACTOR_REQUIRED',
    );
    expect((await world().gateway.send('/agents', { headers: { 'x-api-key': key } })).status).not.toBe(403);

    // Another active organization is no way around it.
    const own = (await world().get('/auth/organization/list', member)).body.find(
      ({ id }: { id: string }) => id !== world().owner.organizationId,
    );
    const moved = await world().post('/auth/organization/set-active', { organizationId: own.id }, member);
    expect(moved.status).toBe(200);
    expect((await world().get('/agents', member)).status).not.toBe(403);
    const others = await world().get(
      `/auth/organization/list-members?organizationId=${world().owner.organizationId}`,
      member,
    );
    expect(said(others)).toBe('403 SECOND_FACTOR_REQUIRED');

    const enrolled = await enrol(admin);
    expect((await world().get('/agents', enrolled.person)).status).not.toBe(403);
    const off = await world().post('/auth/two-factor/disable', { password }, enrolled.person);
    expect(off.status).toBe(200);
    expect(said(await world().get('/agents', withCookie(enrolled.person, off)))).toBe(
      '403 SECOND_FACTOR_REQUIRED',
    );
    expect((await demand(false, world().owner)).status).toBe(200);
  });
};
