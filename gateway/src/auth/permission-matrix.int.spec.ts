// Every operation of the contract x role x kind of credential x verified or not x over MCP or not. The table holds the
// permissions; nothing here names an operation.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  allPermissions,
  isReading,
  isStreaming,
  needsVerified,
  type Operation,
  operations,
  type Permission,
  type Role,
  rolePermissions,
  roles,
} from '@parlance/contracts';
import { callerEnvOf, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { CallTokenIssuer } from '@parlance/rpc';
import { AuthorizationServer } from '../testing/authorization-server.js';
import { internalKey, type Person, type Reply, type Send, TestGateway } from '../testing/test-gateway.js';
import { keyPermissions } from './api-key-format.js';

const rows: readonly Operation[] = operations;
const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

let engines: TestEngines;
let db: Database;
let gateway: TestGateway;
let keyOfEverything: string;
let tokens: AuthorizationServer;
const people = new Map<string, Person>();
const keys = new Map<string, Promise<string>>();

const personOf = (role: Role, verified: boolean): Person => {
  const person = people.get(`${role} ${verified}`);
  if (person === undefined) throw new Error(`nobody is ${role}`);
  return person;
};

/** A key of the owner with these permissions; the same one when asked again. */
const keyWith = (permissions: readonly string[]): Promise<string> => {
  const name = permissions.join();
  const made =
    keys.get(name) ?? gateway.createKey(personOf('owner', true), permissions).then(({ key }) => key);
  keys.set(name, made);
  return made;
};

/** Whether the address is verified, as a mail would have done it; sessions from before know nothing of it. */
const setVerified = (email: string, verified: boolean) =>
  db.query('update "user" set "emailVerified" = $2 where email = $1', [email, verified]);

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  tokens = await AuthorizationServer.start(keyPermissions);
  const { url } = await engines.databaseFor('gateway');
  db = createDatabase({ url, applicationName: 'test', max: 2 });
  gateway = await TestGateway.start({
    postgresUrl: url,
    natsUrl: engines.natsUrl,
    variables: {
      EMAIL_VERIFICATION: 'required',
      MCP_OAUTH_ISSUER: tokens.issuer,
      EGRESS_ALLOW_PRIVATE: new URL(tokens.issuer).host,
    },
  });
  const { organizationId, ...owner } = await gateway.signUp();
  await setVerified(owner.email, true);
  people.set('owner true', { ...owner, organizationId });
  for (const verified of [true, false])
    for (const role of roles) {
      if (role === 'owner' && verified) continue;
      const person = await gateway.signUp();
      await db.query(
        'insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, $4, now())',
        [person.userId, organizationId, person.userId, role],
      );
      await setVerified(person.email, verified);
      const active = await gateway.send('/auth/organization/set-active', {
        method: 'POST',
        headers: person.session,
        body: { organizationId },
      });
      expect(active.status).toBe(200);
      people.set(`${role} ${verified}`, { ...person, organizationId });
    }
  keyOfEverything = await keyWith(['*']);
});

afterAll(async () => {
  await gateway?.stop();
  await tokens?.stop();
  await db?.end();
  await engines?.stop();
});

const ask = (row: Operation, headers: Send['headers'] = {}): Promise<Reply> =>
  gateway.send(row.path.replaceAll(/\{\w+\}/g, unknownId), {
    method: row.method,
    // A stream that passed the check would not end by itself. So it is asked for in a format that it does not have.
    headers: isStreaming(row) ? { ...headers, accept: 'application/json' } : headers,
    ...(row.body === undefined ? {} : { body: {} }),
  });

/** The outcome of the permission check; the answer to a request that passed it is left out. */
const verdict = ({ status, body }: Reply): string =>
  status === 401 || status === 403 ? `${status} ${body.error.code}` : 'passes';

const ofSession = (row: Operation, role: Role, isVerified: boolean): string => {
  const { auth, acts } = row;
  const missing = needsVerified(row) && !isVerified ? '403 EMAIL_NOT_VERIFIED' : 'passes';
  const granted = rolePermissions[role];
  if (acts !== undefined && !granted.includes(acts)) return '403 PERMISSION_DENIED';
  if (auth.kind === 'org')
    return auth.anyOf.some((permission) => granted.includes(permission)) ? missing : '403 PERMISSION_DENIED';
  if (auth.kind === 'orgAdmin')
    return role === 'owner' || role === 'admin' ? missing : '403 OWNER_SESSION_REQUIRED';
  if (auth.kind === 'call') return '401 UNAUTHENTICATED';
  return auth.kind === 'internal' ? '401 INVALID_INTERNAL_KEY' : 'passes';
};

const ofKey = ({ auth, acts, extension }: Operation, permissions: readonly Permission[]): string => {
  const readsAlone = permissions.every(isReading);
  if (acts !== undefined && extension === true && readsAlone) return '403 PERMISSION_DENIED';
  if (auth.kind === 'org')
    return auth.anyOf.some((permission) => permissions.includes(permission))
      ? 'passes'
      : '403 PERMISSION_DENIED';
  if (auth.kind === 'orgAdmin') return '403 OWNER_SESSION_REQUIRED';
  if (auth.kind === 'call') return '401 UNAUTHENTICATED';
  return auth.kind === 'internal' ? '401 INVALID_INTERNAL_KEY' : 'passes';
};

/** A member's token with every scope, as the facade passes it on. */
const ofToken = ({ auth, acts }: Operation, role: Role): string => {
  const granted = rolePermissions[role].filter(
    (permission) => keyPermissions.includes(permission) && permission !== 'secrets:use',
  );
  if (auth.kind === 'orgAdmin') return '403 OWNER_SESSION_REQUIRED';
  if (auth.kind === 'call') return '401 UNAUTHENTICATED';
  if (auth.kind === 'internal') return '401 INVALID_INTERNAL_KEY';
  if (auth.kind !== 'org') return 'passes';
  const isGranted = auth.anyOf.some((permission) => granted.includes(permission));
  const mayAct = acts === undefined || rolePermissions[role].includes(acts);
  return isGranted && mayAct ? 'passes' : '403 PERMISSION_DENIED';
};

const signedFor = (role: Role): Promise<string> => {
  const { email, organizationId, userId } = personOf(role, true);
  const now = Math.floor(Date.now() / 1_000);
  return tokens.sign({
    ...{ iss: tokens.issuer, aud: `${gateway.gateway.url}/mcp`, sub: userId, iat: now, exp: now + 600 },
    ...{ email, email_verified: true, organization_id: organizationId, scope: keyPermissions.join(' ') },
  });
};

const named = (row: Operation): readonly Permission[] => {
  if (row.auth.kind === 'org') return row.auth.anyOf;
  return row.auth.kind === 'orgAdmin' ? row.auth.allOf : [];
};

describe.each(rows.map((row) => [row.id, row] as const))('%s', (_, row) => {
  it('admits a session by its role, and by its address where the row says so', async () => {
    for (const role of roles)
      for (const verified of [true, false]) {
        const reply = await ask(row, personOf(role, verified).session);
        expect([role, verified, verdict(reply)]).toEqual([role, verified, ofSession(row, role, verified)]);
      }
  });

  it('admits a key by the permissions that it carries, and never instead of a person', async () => {
    const one = named(row).filter((permission) => keyPermissions.includes(permission));
    const none = keyPermissions.filter((permission) => !named(row).includes(permission));
    const credentials: (readonly [readonly Permission[], string])[] = [
      [allPermissions.filter((permission) => keyPermissions.includes(permission)), keyOfEverything],
      [none, await keyWith(none)],
    ];
    for (const permission of one) credentials.push([[permission], await keyWith([permission])]);
    for (const [permissions, key] of credentials)
      expect([permissions, verdict(await ask(row, { 'x-api-key': key }))]).toEqual([
        permissions,
        ofKey(row, permissions),
      ]);
  });

  it('admits an access token over MCP by the role of its person, and refuses it anywhere else', async () => {
    for (const role of roles) {
      const bearer = { authorization: `Bearer ${await signedFor(role)}` };
      const overMcp = await ask(row, gateway.overMcp(bearer));
      expect([role, verdict(overMcp)]).toEqual([role, ofToken(row, role)]);
      const needsIdentity = row.auth.kind === 'org' || row.auth.kind === 'member';
      expect([role, verdict(await ask(row, bearer))]).toEqual([
        role,
        needsIdentity ? '403 TOKEN_FOR_MCP_ONLY' : ofToken(row, role),
      ]);
    }
  });

  it('lets nobody decide over MCP where a secret goes', async () => {
    const reply = await ask(row, gateway.overMcp({ 'x-api-key': keyOfEverything }));
    const decides = row.auth.kind === 'org' && row.auth.anyOf.join() === 'secrets:use';
    if (decides) expect(verdict(reply)).toBe('403 PERMISSION_DENIED');
    else expect(verdict(reply)).toBe(ofKey(row, keyPermissions));
  });

  it('admits a stranger only where anybody may, and the internal key only where it opens', async () => {
    const needed = ['org', 'orgAdmin', 'member', 'call'].includes(row.auth.kind);
    const stranger = needed ? '401 UNAUTHENTICATED' : 'passes';
    const unknown = row.auth.kind === 'internal' ? '401 INVALID_INTERNAL_KEY' : stranger;
    expect(verdict(await ask(row))).toBe(unknown);
    const withInternalKey = await ask(row, { 'x-internal-key': internalKey });
    expect(verdict(withInternalKey)).toBe(row.auth.kind === 'internal' ? 'passes' : stranger);
  });
});

it('lets a key work on when its maker, verified at its making, is verified no longer', async () => {
  const owner = personOf('owner', true);
  const row = rows.find((each) => needsVerified(each) && each.auth.kind === 'org');
  if (row === undefined) throw new Error('no row asks for a verified address');
  await setVerified(owner.email, false);
  expect(verdict(await ask(row, { 'x-api-key': keyOfEverything }))).toBe('passes');
});

describe('the token of a call', () => {
  const tokenOf = async (callId: string): Promise<string> => {
    const call = { organizationId: 'org', agentId: unknownId, callId };
    return (await new CallTokenIssuer(callerEnvOf('agents-config')).issue(call, 60)).token;
  };
  const ofCall = rows.filter(({ auth }) => auth.kind === 'call');

  it.each(ofCall.map((row) => [row.id, row] as const))(
    'admits to %s for its own call, with the internal key where the row needs it',
    async (_, row) => {
      const bearer = { authorization: `Bearer ${await tokenOf(unknownId)}` };
      const both = { ...bearer, 'x-internal-key': internalKey };
      const needsBoth = row.auth.kind === 'call' && row.auth.withInternalKey === true;
      expect(verdict(await ask(row, bearer))).toBe(needsBoth ? '401 INVALID_INTERNAL_KEY' : 'passes');
      expect(verdict(await ask(row, both))).toBe('passes');
      const wrong = { ...bearer, 'x-internal-key': 'k'.repeat(32) };
      if (needsBoth) expect(verdict(await ask(row, wrong))).toBe('401 INVALID_INTERNAL_KEY');
      const ofOther = { ...both, authorization: `Bearer ${await tokenOf('another-call')}` };
      expect(verdict(await ask(row, ofOther))).toBe('401 UNAUTHENTICATED');
    },
  );
});
