import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { contract } from '@parlance/contracts';
import { eventually, gate, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { type Fixture, startFixture } from './fixture.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { type Reply, sampleAgent, type TestGateway } from './test-gateway.js';

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
let postgres: TcpProxy;
let broker: TcpProxy;
let key: string;

const through = (url: string, proxy: TcpProxy): string => {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  return through.href;
};
const proxyOf = (url: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(url);
  return startTcpProxy(hostname, Number(port));
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('gateway');
  [postgres, broker] = [await proxyOf(url.reveal()), await proxyOf(engines.natsUrl)];
  fixture = await startFixture({
    databaseFor: async () => ({ url: new Secret(through(url.reveal(), postgres)) }),
    natsUrl: through(engines.natsUrl, broker),
    stop: () => engines.stop(),
  });
  ({ gateway } = fixture);
  ({ key } = await gateway.createKey(fixture.person));
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [sampleAgent] }));
});

afterAll(async () => {
  await fixture?.stop();
  await postgres?.stop();
  await broker?.stop();
});

const list = (headers: Readonly<Record<string, string>> = { 'x-api-key': key }): Promise<Reply> =>
  gateway.send('/agents', { headers });
const isReady = async (): Promise<void> => {
  await eventually(async () => expect((await gateway.send('/ready')).body.data?.status).toBe('ready'), {
    timeoutMs: 60_000,
  });
};
/** Limits of the gateway take four seconds together; a machine that is busy may take some times as long. */
const soonMs = 20_000;
/** Asserts that the client is told to come back, and soon. */
const expectRefused = async (ask: () => Promise<Reply>): Promise<void> => {
  const startedAt = performance.now();
  const reply = await ask();
  expect([503, 504]).toContain(reply.status);
  expect(['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT']).toContain(reply.body.error.code);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(performance.now() - startedAt).toBeLessThan(soonMs);
};
/** Asserts a 503 that says when to come back, and came fast. */
const expectUnavailable = async (ask: () => Promise<Reply>): Promise<void> => {
  const startedAt = performance.now();
  const reply = await ask();
  expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(performance.now() - startedAt).toBeLessThan(soonMs);
};
const expectNotReady = async (check: string): Promise<void> => {
  await eventually(
    async () => {
      const reply = await gateway.send('/ready');
      expect([reply.status, reply.body.error?.code]).toEqual([503, 'NOT_READY']);
      expect(reply.body.error.details.checks[check]).toMatchObject({ status: 'down', required: true });
      expect(JSON.stringify(reply.body)).not.toMatch(/127\.0\.0\.1|ECONN|postgres/);
    },
    { timeoutMs: 60_000 },
  );
  expect((await gateway.send('/health')).status).toBe(200);
};

describe('without NATS', () => {
  it('operations answer 503 at once, readiness says so, and all comes back by itself', async () => {
    await isReady();
    expect((await list()).status).toBe(200);
    await broker.cut();
    await expectUnavailable(list);
    await expectNotReady('queue');
    await expectUnavailable(list);
    await broker.mend();
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 60_000 });
    await isReady();
  });
});

describe('without Postgres', () => {
  it('known keys work for some seconds, then everything that must ask answers 503; then all comes back', async () => {
    await isReady();
    expect((await list()).status).toBe(200);
    const { session } = fixture.person;
    expect((await list(session)).status).toBe(200);
    await postgres.cut();
    expect((await list()).status).toBe(200);
    const unknown = { 'x-api-key': `parl_live_${'a'.repeat(12)}_${'b'.repeat(43)}` };
    await expectUnavailable(() => list(unknown));
    await expectUnavailable(() =>
      gateway.send('/auth/api-key/create', {
        method: 'POST',
        headers: session,
        body: { name: 'late', permissions: ['*'] },
      }),
    );
    // The key and the session were looked up at different moments, so each is forgotten at a moment of its own.
    for (const credentials of [undefined, session]) {
      await eventually(async () => expect((await list(credentials)).status).toBe(503), { timeoutMs: 60_000 });
      await expectUnavailable(() => list(credentials));
    }
    await expectUnavailable(() =>
      gateway.send('/auth/sign-in/email', {
        method: 'POST',
        body: { email: fixture.person.email, password: fixture.person.password },
      }),
    );
    await expectUnavailable(() => gateway.send('/auth/get-session', { headers: session }));
    await expectUnavailable(() =>
      gateway.send('/auth/sign-up/email', {
        method: 'POST',
        body: { name: 'Late', email: 'late@example.com', password: 'correct horse' },
      }),
    );
    await expectNotReady('readModel');
    await postgres.mend();
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 60_000 });
    await eventually(async () => expect((await list(session)).status).toBe(200));
    await isReady();
  });
});

describe('with a silent NATS', () => {
  it('operations are given up in time, readiness says so, and all comes back by itself', async () => {
    await isReady();
    broker.hush();
    await expectRefused(list);
    await expectNotReady('queue');
    broker.carry();
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 60_000 });
    await isReady();
  });
});

describe('with a silent Postgres', () => {
  it('nobody waits for long, whatever has to be looked up or counted, and all comes back by itself', async () => {
    await isReady();
    const quick = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
      gateway.send('/outbound-calls/quick', {
        method: 'POST',
        headers: { 'x-api-key': key, ...headers },
        body: { agentId: sampleAgent.id, phoneNumber: '+14155550100', fromNumber: '+14155550199' },
      });
    const service = await serveOperation(fixture.nats, contract.outboundCallsQuick, () => undefined);
    postgres.hush();
    const { email, password, session } = fixture.person;
    const credentials = { method: 'POST', body: { email, password } };
    await Promise.all([
      expectRefused(() => quick({})),
      expectRefused(() => quick({ 'idempotency-key': 'silence' })),
      expectRefused(() => list({ 'x-api-key': `parl_live_${'c'.repeat(12)}_${'d'.repeat(43)}` })),
      expectRefused(() => gateway.send('/auth/sign-in/email', credentials)),
      expectRefused(() => gateway.send('/auth/get-session', { headers: session })),
    ]);
    await expectNotReady('readModel');
    // A caller that was known a moment ago is served from memory for a few seconds more.
    await eventually(() => expectRefused(list), { timeoutMs: 60_000 });
    await eventually(() => expectRefused(() => list(session)), { timeoutMs: 60_000 });
    await expectRefused(() => gateway.send('/auth/get-session', { headers: session }));
    postgres.carry();
    service.stop();
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 60_000 });
    await isReady();
  });
});

describe('stopping', () => {
  it('finishes the request in flight, then refuses connections', async () => {
    const { opened: held, open: release } = gate();
    const service = await serveOperation(fixture.nats, contract.agentsVoiceCatalog, async () => {
      await held;
      return { error: { code: 'CONFLICT', message: '' } };
    });
    const inFlight = gateway.send('/agents/voice/catalog', { headers: { 'x-api-key': key } });
    await eventually(() => expect(service.asked).toHaveLength(1));
    const stopping = gateway.stop();
    const isRefused = (): Promise<boolean> =>
      gateway.send('/health').then(
        () => false,
        () => true,
      );
    await eventually(async () => expect(await isRefused()).toBe(true), { timeoutMs: 60_000 });
    release();
    expect((await inFlight).status).toBe(409);
    const startedAt = performance.now();
    await stopping;
    // half of the time after which open connections would be cut: it did not wait for idle ones to end
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
