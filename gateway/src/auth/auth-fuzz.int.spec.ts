// Any input to any row of the door. None of the answers is a failure of the platform, and every refusal has the one form.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuthOperation, authOperations, ErrorBody } from '@parlance/contracts';
import { testEngines } from '@parlance/fixtures';
import fc from 'fast-check';
import { z } from 'zod';
import { type Fixture, startFixture } from '../testing/fixture.js';
import type { Reply } from '../testing/test-gateway.js';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }));
});

afterAll(() => fixture?.stop());

const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

/** Values that the fields of rows usually hold, so that inputs get past the schemas now and then. */
const plausible = () => [
  ...[unknownId, fixture.person.organizationId, fixture.person.userId, fixture.person.email],
  ...['ada@example.com', 'admin', 'viewer', 'a-slug', 'A name', '123456', 'createdAt', 'desc', '1', '100'],
];

const wrong = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfffb',
    '\u200b',
    '\r\nBcc: x@example.com',
    '%00',
    '../..',
  ],
  ...['-1', '1.5', '1e9', '99999999999999999999', 'NaN', "' or 1=1 --", '$1', '{{x}}', 'x'.repeat(5_000)],
  ...[0, -1, 1.5, 2 ** 53, 1e300, true, false, null],
];

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

const value = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map((nth) => plausible()[nth % plausible().length]) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...wrong) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(30), nested(40), [], {}, ['a', 1], { a: { b: null } }) },
);

const strange = ['__proto__', 'constructor', 'toString', 'id', 'userId', 'password', ''];

const fieldsOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** Objects with the fields of the schema, some absent, and now and then with one strange field. */
const objectFor = (schema: z.ZodType | undefined) => {
  const known = fieldsOf(schema);
  return fc
    .tuple(
      fc.array(value, { minLength: known.length, maxLength: known.length }),
      fc.array(fc.boolean(), { minLength: known.length, maxLength: known.length }),
      fc.option(fc.tuple(fc.constantFrom(...strange), value), { freq: 5 }),
    )
    .map(([values, absent, extra]) => {
      const pairs = known.flatMap((name, index) => (absent[index] === true ? [] : [[name, values[index]]]));
      return Object.fromEntries(extra === null ? pairs : [...pairs, extra]) as Record<string, unknown>;
    });
};

const inputFor = ({ query, body }: AuthOperation) =>
  fc.record({ query: objectFor(query), body: fc.oneof({ weight: 9, arbitrary: objectFor(body) }, value) });

const asQuery = (fields: Record<string, unknown>): string => {
  const text = (given: unknown): string =>
    encodeURIComponent(
      (typeof given === 'string' ? given : JSON.stringify(given)).replace(/\p{Surrogate}/gu, '?'),
    );
  return Object.entries(fields)
    .filter(([, given]) => given !== undefined)
    .flatMap(([name, given]) =>
      Array.isArray(given)
        ? given.map((one) => `${encodeURIComponent(name)}=${text(one)}`)
        : [`${encodeURIComponent(name)}=${text(given)}`],
    )
    .join('&');
};

const isSound = ({ status, body }: Reply): boolean =>
  status < 400 || (status < 500 && (ErrorBody.safeParse(body).success || typeof body === 'string'));

// A session or the organization may end with these, so they run last: later rows would lose their caller.
const last = /sign-out|revoke|delete|leave|remove|change-password|reset|two-factor|set-active|second-factor/;
const rows = [...authOperations].sort((a, b) => Number(last.test(a.path)) - Number(last.test(b.path)));

describe('no input to the door ends in a failure', () => {
  it.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
    const { gateway, person } = fixture;
    await fc.assert(
      fc.asyncProperty(inputFor(row), async ({ query, body }) => {
        const search = asQuery(query);
        const path = `/auth${row.path}${search === '' ? '' : `?${search}`}`;
        const json = { 'content-type': 'application/json' };
        const post = { method: 'POST', headers: { ...person.session, ...json }, raw: JSON.stringify(body) };
        const reply = await gateway.send(path, row.method === 'GET' ? { headers: person.session } : post);
        if (!isSound(reply)) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['POST', '/organization/update', { data: {} }],
    ['POST', '/organization/update', { data: { name: undefined } }],
  ])('%s %s with nothing to change is 400', async (method, path, body) => {
    const again = await fixture.gateway.signUp();
    const reply = await fixture.gateway.send(`/auth${path}`, { method, headers: again.session, body });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    'limit=-1',
    'limit=1.5',
    'limit=101',
    'offset=-1',
    'offset=9999999999',
    'sortBy=password',
    'sortBy=createdAt&sortBy=role',
    'filterField=password',
    'filterField=role&filterValue=owner',
    'organizationId=%00',
    'organizationId=a%00b',
  ])('GET /organization/list-members?%s is 400', async (query) => {
    const again = await fixture.gateway.signUp();
    const reply = await fixture.gateway.send(`/auth/organization/list-members?${query}`, {
      headers: again.session,
    });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
