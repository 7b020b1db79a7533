// Only the runtime that holds the token of a call may run tools and search knowledge in that call.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { type Asked, callerEnvOf, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { CallTokenIssuer, connectNats, platformCaller, RequestSigner, RequestVerifier } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { internalKey, TestGateway } from './test-gateway.js';

const call = {
  organizationId: 'org_1',
  agentId: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  callId: 'call-1_of_ours',
};
const result = { result: { found: true }, assignments: {}, durationMs: 5, isError: false };

let engines: TestEngines;
let nats: NatsConnection;
let gateway: TestGateway;
let served: { readonly asked: Asked[] };

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('gateway');
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  gateway = await TestGateway.start({ postgresUrl: url, natsUrl: engines.natsUrl });
  served = await serveOperation(nats, contract.toolsRunInCall, () => ({ data: result }));
});
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
  await engines?.stop();
});

const tokens = new CallTokenIssuer(callerEnvOf('agents-config'));
const tokenOf = async (of: Partial<typeof call> = {}) => (await tokens.issue({ ...call, ...of }, 600)).token;
const run = (headers: Readonly<Record<string, string>>, callId: string = call.callId) =>
  gateway.send(`/runtime/calls/${callId}/tools/find_order`, {
    method: 'POST',
    headers,
    body: { arguments: { number: '7' } },
  });
/** The token of a request that agents-config sends. */
const callerToken = async (): Promise<string> => {
  const { headers } = await new RequestSigner('agents-config', callerEnvOf('agents-config')).sign({
    ...{ subject: 'parlance-call', service: 'gateway', reply: 'r', json: '{}', isConfidential: false },
    ...{
      caller: platformCaller('agents-config', 'org_1'),
      requestId: 'r1',
      deadline: 0,
      commandId: undefined,
    },
  });
  return headers.get('x-caller-token');
};
const bearing = (token: string) => ({ authorization: `Bearer ${token}` });

describe('an operation of a call', () => {
  it('is carried out for the runtime of the call, as this call of this agent, and the answer is not stored', async () => {
    const reply = await run(bearing(await tokenOf()));
    expect([reply.status, reply.body.data]).toEqual([200, result]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const last = served.asked.at(-1);
    if (last === undefined) throw new Error('the service was asked');
    const verifier = new RequestVerifier('tools-secrets', callerEnvOf('tools-secrets'));
    expect((await verifier.verify(last.message)).caller).toEqual({
      organizationId: call.organizationId,
      actor: { type: 'call', id: call.callId, agentId: call.agentId },
      role: 'call',
      permissions: [],
    });
  });

  it('takes the id of the call in any spelling of the address, and means the same call', async () => {
    const spelled = call.callId.replaceAll('_', '%5F').replace('c', '%63');
    expect((await run(bearing(await tokenOf()), spelled)).status).toBe(200);
    expect(served.asked.at(-1)?.input).toMatchObject({ params: { callId: call.callId } });
    // The address is decoded once: an id that is encoded twice stays another id, and no call has it.
    const twice = await run(bearing(await tokenOf()), 'call-1%255Fof%255Fours');
    expect(twice.status).toBe(401);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['no credential', async () => ({})],
    ['the token of another call', async () => bearing(await tokenOf({ callId: 'call-2' }))],
    [
      'a token that has expired',
      async () => {
        const clock = { now: () => new Date(Date.now() - 3_600_000) };
        return bearing(
          (await new CallTokenIssuer(callerEnvOf('agents-config'), clock).issue(call, 600)).token,
        );
      },
    ],
    [
      'a token that another service signed',
      async () => bearing((await new CallTokenIssuer(callerEnvOf('widgets')).issue(call, 600)).token),
    ],
    ['the token of a caller', async () => bearing(await callerToken())],
    ['the internal key alone', async () => ({ 'x-internal-key': internalKey })],
    ['the internal key as a token', async () => bearing(internalKey)],
    ['the token without its scheme', async () => ({ authorization: await tokenOf() })],
    [
      'an API key, whatever it permits',
      async () => {
        const owner = await gateway.signUp();
        const { key } = await gateway.createKey(owner, ['tools:read', 'tools:update']);
        return { 'x-api-key': key };
      },
    ],
  ])('is refused for %s, and no service hears of it', async (_, headers) => {
    const before = served.asked.length;
    const reply = await run(await headers());
    expect([reply.status, reply.body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(served.asked).toHaveLength(before);
  });

  it('is the only kind that the token opens', async () => {
    const headers = bearing(await tokenOf());
    expect((await gateway.send('/agents', { headers })).status).toBe(401);
    const config = await gateway.send(`/agents/internal-config/${call.agentId}`, { headers });
    expect([config.status, config.body.error.code]).toEqual([401, 'INVALID_INTERNAL_KEY']);
  });
});
