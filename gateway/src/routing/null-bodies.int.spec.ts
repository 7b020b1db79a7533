// A generated client that writes every field it knows, with null for those that nobody set.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authOperations, ErrorBody, type Operation, operations } from '@parlance/contracts';
import { testEngines } from '@parlance/fixtures';
import { z } from 'zod';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { internalKey, type Reply } from '../testing/test-gateway.js';

const anyId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }));
});

afterAll(() => fixture?.stop());

/** Names of the fields in any form of a body. */
const fieldsOf = (schema: unknown, definitions: Readonly<Record<string, unknown>>): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { $ref, properties, ...rest } = schema as Readonly<Record<string, unknown>>; // JSON Schema
  const referred = typeof $ref === 'string' ? [definitions[$ref.slice('#/$defs/'.length)]] : [];
  const forms = [referred, rest.anyOf, rest.oneOf, rest.allOf].flat();
  return [...Object.keys(properties ?? {}), ...forms.flatMap((form) => fieldsOf(form, definitions))];
};

const nullsFor = (body: z.ZodType): Record<string, null> => {
  const { $defs = {}, ...schema } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(fieldsOf(schema, $defs).map((name) => [name, null]));
};

const rows: readonly Operation[] = operations;
const withBody = rows.flatMap(({ id, method, path, auth, body }) =>
  body === undefined ? [] : [{ id, method, path: path.replaceAll(/\{\w+\}/g, anyId), kind: auth.kind, body }],
);
const accounts = authOperations.flatMap(({ id, method, path, body }) =>
  body === undefined ? [] : [{ id, method, path: `/auth${path}`, kind: 'account', body }],
);

/** Whoever gets past the check of access; visitors and calls have tokens of their own, and are refused before. */
const headersFor = (kind: string): Readonly<Record<string, string>> =>
  kind === 'internal' ? { 'x-internal-key': internalKey } : fixture.person.session;

const expectRefusal = ({ status, body }: Reply): void => {
  expect([400, 401, 402, 403, 404, 409, 410, 422]).toContain(status);
  expect(ErrorBody.safeParse(body).error).toBeUndefined();
};

describe('a body of nulls', () => {
  it('is tried on every operation that has a body', () => {
    expect(withBody.length).toBeGreaterThan(20);
    const without = [...withBody, ...accounts].filter(({ body }) => Object.keys(nullsFor(body)).length === 0);
    // Its body has no members.
    expect(without.map(({ id }) => id)).toEqual(['suppressions.addOfCall']);
  });

  it.each([...withBody, ...accounts])('is refused, and is no failure of the platform: $id', async (row) => {
    const { method, path, kind, body } = row;
    const send = (sent: unknown) =>
      fixture.gateway.send(path, { method, headers: headersFor(kind), body: sent });
    expectRefusal(await send(null));
    const nulls = nullsFor(body);
    // Some forms have no field that must be set. No service runs here, so such a request ends as unavailable.
    const reply = await send(nulls);
    if (body.safeParse(nulls).success) expect(reply.status).not.toBe(500);
    else expectRefusal(reply);
  });
});
