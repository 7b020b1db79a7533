// Who makes organizations, and with which limits they begin, at real gateways on a real database.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { type Person, TestGateway } from '../testing/test-gateway.js';
import type { NewLimits } from './beginnings.js';

let engines: TestEngines;
/** The limits with which organizations began, by id. */
const begun = new Map<string, NewLimits>();
let isDialerAway = false;

const gatewayWith = async (
  setting: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestGateway> => {
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  return TestGateway.start({
    postgresUrl,
    natsUrl: engines.natsUrl,
    variables: { ORGANIZATIONS: setting, ...variables },
    beginLimits: async (organizationId, limits) => {
      if (isDialerAway) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
      begun.set(organizationId, limits);
    },
  });
};

let anybody: TestGateway;
let operator: TestGateway;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  anybody = await gatewayWith('anybody');
  // The account of the operator.
  await anybody.signUp();
  operator = await gatewayWith('operator');
});
afterAll(async () => {
  await anybody?.stop();
  await operator?.stop();
  await engines?.stop();
});

const make = (gateway: TestGateway, { session }: Person) =>
  gateway.send('/auth/organization/create', {
    method: 'POST',
    headers: session,
    body: { name: 'Next', slug: `s-${randomUUID()}`, keepCurrentActiveOrganization: true },
  });

describe('an organization', () => {
  it('has the limits of all when it is the first of its person, and begins without money when it is not', async () => {
    const person = await anybody.signUp();
    expect(begun.has(person.organizationId)).toBe(false);
    const { status, body } = await make(anybody, person);
    expect(status).toBe(200);
    expect(begun.get(body.id)).toEqual({ isFunded: false, earlierIds: [person.organizationId] });
  });

  it('is not made while its limits cannot be set', async () => {
    const person = await anybody.signUp();
    isDialerAway = true;
    try {
      expect((await make(anybody, person)).status).toBe(503);
    } finally {
      isDialerAway = false;
    }
    const list = await anybody.send('/auth/organization/list', { headers: person.session });
    expect(list.body).toHaveLength(1);
  });

  it('is made by the first account of the installation alone where the operator makes them', async () => {
    const first = await operator.signUp();
    const other = await operator.signUp();
    expect(begun.get(other.organizationId)).toEqual({ isFunded: false, earlierIds: [] });
    const refused = await make(operator, other);
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'PERMISSION_DENIED']);
    const made = await make(operator, first);
    expect(made.status).toBe(200);
    expect(begun.get(made.body.id)).toMatchObject({ isFunded: true });
  });
});
