// A secret leaves for the origins that it names, whoever asks for more: each operation that can name a secret, as each role and
// as keys, with redirects. Judged by what arrives at the systems on the other side.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operations, type Role, rolePermissions } from '@parlance/contracts';
import { z } from 'zod';
import { type Account, Accounts } from './testing/accounts.js';
import { type ListeningSystem, startListeningSystem } from './testing/listening-system.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

type Headers = Readonly<Record<string, string>>;
interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail when they look wrong
  readonly data: any;
}

const rows: readonly Operation[] = operations;
const [planted, literal] = [`planted-${randomUUID()}`, `literal-${randomUUID()}`];

let platform: SharedPlatform;
let accounts: Accounts;
let owner: Account;
/** The secret names its origin. */
let home: ListeningSystem;
/** No secret names it. */
let elsewhere: ListeningSystem;
let secretId: string;
let agentId: string;
let config: object;
/** Everybody who may not allow an origin, by name. */
const others = new Map<string, Headers>();

const ask = async (
  method: string,
  path: string,
  body: unknown,
  credentials: Headers = owner.headers,
): Promise<Answer> => {
  const response = await fetch(`${platform.api}${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: platform.url, ...credentials },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = Object(JSON.parse(await response.text()));
  return { status: response.status, code: answer.error?.code, data: answer.data ?? answer };
};

const done = async (asked: Promise<Answer>): Promise<Answer['data']> => {
  const { status, code, data } = await asked;
  expect([status < 300, code]).toEqual([true, undefined]);
  return data;
};

/** A person with this role in the owner's organization, which is active. */
const personWith = async (role: Role): Promise<Headers> => {
  const person = await accounts.create(role);
  const invited = { email: person.email, role };
  const { id: invitationId, organizationId } = await done(
    ask('POST', '/auth/organization/invite-member', invited, { cookie: owner.cookie }),
  );
  const session = { cookie: person.cookie };
  await done(ask('POST', '/auth/organization/accept-invitation', { invitationId }, session));
  await done(ask('POST', '/auth/organization/set-active', { organizationId }, session));
  return session;
};

beforeAll(async () => {
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  [home, elsewhere] = [await startListeningSystem(), await startListeningSystem()];
  home.redirectTo = `${elsewhere.url}/redirected`;
  owner = await accounts.create('owner-of-secrets');
  const secret = { name: 'KEY', value: planted, allowedOrigins: [home.url] };
  secretId = (await done(ask('POST', '/secrets', secret))).id;
  agentId = await accounts.agent(owner);
  const {
    agentId: _a,
    version: _v,
    createdAt: _c,
    updatedAt: _u,
    ...rest
  } = await done(ask('GET', `/agents/${agentId}/config`, undefined));
  config = rest;
  for (const role of ['member', 'viewer'] as const) others.set(role, await personWith(role));
  const mayChange = rolePermissions.owner.filter(
    (permission) => permission !== 'secrets:use' && /^(?:agent|tools|secrets|callLogs)/.test(permission),
  );
  others.set('key of an owner', { 'x-api-key': await accounts.key(owner, mayChange) });
  others.set('key that only reads', { 'x-api-key': await accounts.key(owner, ['tools:read']) });
}, 240_000);
afterAll(async () => {
  await Promise.all([home?.stop(), elsewhere?.stop()]);
  await platform?.release();
});

const headers = { authorization: 'Bearer {{secrets.KEY}}', 'x-id': '', 'user-agent': '{{secrets.KEY}}' };
const headersOf = () => ({ ...headers, 'x-id': { secretId }, 'x-literal': literal });
const toolAt = (url: string) => ({
  name: `tool_${randomUUID().slice(0, 8)}`,
  description: 'Looks something up.',
  request: { method: 'GET', url: `${url}?key={{secrets.KEY}}`, headers: headersOf() },
});
const modelAt = (baseUrl: string) => ({
  ...{ id: `custom/m-${randomUUID().slice(0, 8)}`, kind: 'llm', name: 'Model', model: 'm', baseUrl },
});

/** Names the secret at an address, and has the platform send there. */
type Attempt = (url: string, as: Headers) => Promise<Answer>;

const testedAs = async (made: Answer, as: Headers, path: string, body: object): Promise<Answer> => {
  if (made.status < 300) await ask('POST', path, body, as);
  return made;
};

const attempts: Readonly<Record<string, Attempt>> = {
  'tools.create': async (url, as) => {
    const made = await ask('POST', '/tools', toolAt(url), as);
    return testedAs(made, as, `/tools/${made.data.id}/test`, { arguments: {} });
  },
  'tools.update': async (url, as) => {
    const { id } = await done(ask('POST', '/tools', { ...toolAt(url), request: { method: 'GET', url } }));
    const changed = await ask('PATCH', `/tools/${id}`, { request: toolAt(url).request }, as);
    return testedAs(changed, as, `/tools/${id}/test`, { arguments: {} });
  },
  'agents.saveConfig': async (url, as) => {
    const post_call_webhook = {
      url,
      headers: headersOf(),
      body: { key: '{{secrets.KEY}}', id: { secretId } },
    };
    const saved = await ask('POST', `/agents/${agentId}/config`, { ...config, post_call_webhook }, as);
    return testedAs(saved, as, '/webhooks/test', { agentId });
  },
  'mcp.connect': (url, as) =>
    ask('POST', '/mcp/connections', { name: 'Server', url, auth: { type: 'bearer', secretId } }, as),
  'mcp.update': async (url, as) => {
    const { id } = await done(ask('POST', '/mcp/connections', { name: 'Server', url }));
    const mentioning = { 'x-key': '{{secrets.KEY}}', 'x-id': { secretId } };
    const changed = await ask('PATCH', `/mcp/connections/${id}`, { headers: mentioning }, as);
    return testedAs(changed, as, `/mcp/connections/${id}/refresh`, {});
  },
  'models.create': async (url, as) => {
    const model = modelAt(url);
    const made = await ask('POST', '/models', { ...model, secretId }, as);
    return testedAs(made, as, '/models/test', { modelId: model.id });
  },
  'models.update': async (url, as) => {
    const model = modelAt(url);
    await done(ask('POST', '/models', model));
    const changed = await ask('PATCH', `/models/${model.id}`, { secretId }, as);
    return testedAs(changed, as, '/models/test', { modelId: model.id });
  },
};

/** Operations whose secrets stay in the platform. */
const neverSent: Readonly<Record<string, string>> = {
  'widgets.create': 'verifies the tokens of visitors',
  'widgets.update': 'verifies the tokens of visitors',
};

const namesSecrets = ({ body }: Operation): boolean =>
  body !== undefined &&
  /secretId"|SecretId"|"headers"/.test(
    JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })),
  );

const leaked = (system: ListeningSystem, value: string): number =>
  system.received.filter((request) => request.includes(value)).length;

describe('every operation that can name a secret', () => {
  it('is tried here', () => {
    const naming = rows.filter(({ auth }) => auth.kind === 'org').filter(namesSecrets);
    expect(naming.map(({ id }) => id).sort()).toEqual(
      [...Object.keys(attempts), ...Object.keys(neverSent)].sort(),
    );
  });

  it.each(Object.entries(attempts))('%s sends it to the origin that it names', async (_, attempt) => {
    const before = leaked(home, planted);
    const { status } = await attempt(`${home.url}/ok`, owner.headers);
    expect(status).toBeLessThan(300);
    expect(leaked(home, planted)).toBeGreaterThan(before);
  });

  it.each(Object.entries(attempts))('%s sends it nowhere else for anybody', async (_, attempt) => {
    for (const [name, as] of others) {
      const { status, code } = await attempt(`${elsewhere.url}/steal`, as);
      const isAdmitted = name === 'member' || name === 'key of an owner';
      expect([name, status, code]).toEqual([
        name,
        403,
        isAdmitted ? 'SECRET_ORIGIN_NOT_ALLOWED' : 'PERMISSION_DENIED',
      ]);
    }
    expect(leaked(elsewhere, planted)).toBe(0);
  });

  it.each(Object.entries(attempts))('%s lets no redirect carry it away', async (_, attempt) => {
    for (const as of [owner.headers, ...others.values()]) await attempt(`${home.url}/redirect`, as);
    expect(leaked(elsewhere, planted)).toBe(0);
    expect(leaked(elsewhere, literal)).toBe(0);
  });
});

describe('a header value that an owner typed', () => {
  it('is needed again for another origin, and goes with nobody', async () => {
    const { id, request } = await done(ask('POST', '/tools', toolAt(`${home.url}/ok`)));
    const url = `${elsewhere.url}/steal`;
    const moved = { request: { ...request, url, headers: { 'x-literal': '•••' } } };
    for (const as of [owner.headers, others.get('member'), others.get('key of an owner')]) {
      expect(await ask('PATCH', `/tools/${id}`, moved, as)).toMatchObject({
        status: 422,
        code: 'HEADER_VALUE_NEEDED',
      });
      await ask('POST', `/tools/${id}/test`, { arguments: {} }, as);
    }
    expect(leaked(home, literal)).toBeGreaterThan(0);
    expect(leaked(elsewhere, literal)).toBe(0);
  });

  it('does not go to another address of a test', async () => {
    await done(attempts['agents.saveConfig']?.(`${home.url}/ok`, owner.headers) ?? Promise.reject());
    const body = { agentId, url: `${elsewhere.url}/steal` };
    expect((await ask('POST', '/webhooks/test', body)).status).toBe(200);
    expect(elsewhere.received.length).toBeGreaterThan(0);
    expect(leaked(elsewhere, literal) + leaked(elsewhere, planted)).toBe(0);
  });
});

describe('an origin', () => {
  it('that somebody allows is used at once, and refused as soon as it is taken away', async () => {
    const other = await startListeningSystem();
    try {
      const update = (allowedOrigins: string[], as?: Headers) =>
        ask('PATCH', `/secrets/${secretId}`, { allowedOrigins }, as);
      for (const as of others.values())
        expect((await update([other.url], as)).code).toBe('PERMISSION_DENIED');
      await done(update([home.url, other.url]));
      const member = others.get('member') ?? {};
      const made = await done(ask('POST', '/tools', toolAt(`${other.url}/ok`), member));
      await done(ask('POST', `/tools/${made.id}/test`, { arguments: {} }, member));
      expect(leaked(other, planted)).toBe(1);
      await done(update([home.url]));
      const refused = await done(ask('POST', `/tools/${made.id}/test`, { arguments: {} }, member));
      expect(refused.error.code).toBe('URL_NOT_ALLOWED');
      expect(leaked(other, planted)).toBe(1);
    } finally {
      await other.stop();
    }
  });
});
