import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authOperations } from '@parlance/contracts';
import { testEngines } from '@parlance/fixtures';
import { type Fixture, startFixture } from '../testing/fixture.js';
import type { Person, Reply, Send, TestGateway } from '../testing/test-gateway.js';

let fixture: Fixture;
let gateway: TestGateway;
let owner: Person;

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }));
  ({ gateway, person: owner } = fixture);
});

afterAll(() => fixture?.stop());

const said = ({ status, body }: Reply): unknown => [status, body?.error?.code];
const ask = (path: string, options: Send = {}): Promise<Reply> =>
  gateway.send(path, { headers: owner.session, ...options });

/** Sends a path as it is written; fetch would resolve its dots and slashes. */
const sendRaw = (path: string, method: string): Promise<{ status: number; code: unknown }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.gateway.url);
    const headers = { 'content-type': 'application/json', ...owner.session };
    const asked = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { error?: { code?: unknown } } | null;
        resolve({ status: answer.statusCode ?? 0, code: body?.error?.code });
      });
    });
    asked.once('error', reject);
    asked.end();
  });

describe('the door', () => {
  it.each([
    '/auth/x/../get-session',
    '/auth/./get-session',
    '/auth/%67et-session',
    '/auth/organization%2flist',
    '/auth/organization%2Flist',
    '/auth/%2e%2e/auth/get-session',
    '/auth/organization\\list',
    '/auth//get-session',
    '//auth/get-session',
    '/auth/get-session/',
    '/auth/Get-Session',
    '/AUTH/get-session',
    '/auth/get-session;a=b',
    '/auth/get-session%20',
    '/auth/get-session%00',
    '/auth/get-session#top',
    '/auth/organization/../get-session',
    '/auth',
    '/auth/',
  ])('knows its paths as they are written and no other spelling: %s', async (path) => {
    expect(await sendRaw(`/api/v1${path}`, 'GET')).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it.each([
    ['GET', '/auth/ok'],
    ['GET', '/auth/error'],
    ['POST', '/auth/sign-in/social'],
    ['GET', '/auth/callback/github'],
    ['POST', '/auth/change-email'],
    ['POST', '/auth/organization/has-permission'],
    ['POST', '/auth/organization/check-slug'],
    ['POST', '/auth/organization/create-team'],
    ['POST', '/auth/organization/add-member'],
    ['GET', '/auth/api-key/get'],
    ['POST', '/auth/api-key/verify'],
  ])('does not have what better-auth has and no row names: %s %s', async (method, path) => {
    expect(await sendRaw(`/api/v1${path}`, method)).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it('answers another method with those that a path has', async () => {
    const reply = await gateway.send('/auth/sign-in/email');
    expect([...(said(reply) as unknown[]), reply.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST',
    ]);
    const posted = await gateway.send('/auth/get-session', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
    expect((await gateway.send('/auth/get-session', { method: 'HEAD' })).status).toBe(200);
  });

  it('asks first for a signed-in person, in every row that needs one, and takes no key for a person', async () => {
    const { key } = await gateway.createKey(owner);
    for (const { path, method, who } of authOperations) {
      if (who === 'anybody') continue;
      const stranger = await gateway.send(`/auth${path}`, { method });
      expect([path, said(stranger)]).toEqual([path, [401, 'UNAUTHENTICATED']]);
      const headers = { 'x-api-key': key, ...owner.session };
      const program = await gateway.send(`/auth${path}`, { method, headers });
      expect([path, said(program)]).toEqual([path, [403, 'OWNER_SESSION_REQUIRED']]);
    }
  });

  it('shows no session token, no hash and nothing else that its rows do not name', async () => {
    const current = await ask('/auth/get-session');
    expect(Object.keys(current.body.session).sort()).toEqual([
      'activeOrganizationId',
      'createdAt',
      'expiresAt',
      'id',
      'ipAddress',
      'updatedAt',
      'userAgent',
      'userId',
    ]);
    const signedIn = await gateway.send('/auth/sign-in/email', {
      method: 'POST',
      body: { email: owner.email, password: owner.password },
    });
    expect([signedIn.status, Object.keys(signedIn.body)]).toEqual([200, ['user']]);
  });
});

describe('a refusal of better-auth', () => {
  const post = (path: string, body: unknown): Promise<Reply> => ask(path, { method: 'POST', body });
  const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

  it('comes out in the one error form, with codes of this platform', async () => {
    const wrong = await gateway.send('/auth/sign-in/email', {
      method: 'POST',
      body: { email: owner.email, password: 'not the password' },
    });
    expect(wrong.body).toEqual({
      success: false,
      message: expect.any(String),
      error: { code: 'UNAUTHENTICATED', requestId: wrong.headers.get('x-request-id') },
    });
    const taken = await gateway.send('/auth/sign-up/email', {
      method: 'POST',
      body: { name: 'Ada', email: owner.email, password: 'correct horse' },
    });
    expect(said(taken)).toEqual([409, 'NAME_TAKEN']);
    const changed = await post('/auth/change-password', {
      currentPassword: 'not the password',
      newPassword: 'correct horse',
    });
    expect(said(changed)).toEqual([400, 'VALIDATION_ERROR']);
    expect(changed.body.error.details.issues).toEqual([
      { path: 'body.currentPassword', code: 'invalid_password', message: 'was refused' },
    ]);
    const lonely = await post('/auth/organization/leave', { organizationId: owner.organizationId });
    expect(said(lonely)).toEqual([409, 'CONFLICT']);
  });

  it('is a name that is taken, also for all but one who take it at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slug = `o-${crypto.randomUUID()}`;
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => post('/auth/organization/create', { name: 'Twin', slug })),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const refused of replies.filter(({ status }) => status !== 200))
        expect(said(refused)).toEqual([409, 'NAME_TAKEN']);
    }
  });

  it('is the same for ids that are absent and ids that belong to others', async () => {
    const stranger = await gateway.signUp();
    const listed = await gateway.send('/auth/organization/list-members', { headers: stranger.session });
    const [theirs] = listed.body.members;
    const answers = async (of: { readonly member: string; readonly organization: string }) => {
      const { member: memberId, organization: organizationId } = of;
      const replies = [
        await post('/auth/organization/update-member-role', { memberId, role: 'viewer' }),
        await post('/auth/organization/remove-member', { memberIdOrEmail: memberId }),
        await post('/auth/organization/cancel-invitation', { invitationId: memberId }),
        await post('/auth/organization/update', { organizationId, data: { name: 'Mine' } }),
        await ask(`/auth/organization/list-members?organizationId=${organizationId}`),
        await ask(`/auth/organization/list-invitations?organizationId=${organizationId}`),
      ];
      return replies.map(({ status, body: { success, message, error } }) => {
        const { requestId: _, ...shown } = error;
        return { status, success, message, ...shown };
      });
    };
    const foreign = await answers({ member: theirs.id, organization: stranger.organizationId });
    expect(foreign).toEqual(await answers({ member: unknownId, organization: unknownId }));
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });
});
