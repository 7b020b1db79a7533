import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { contract } from '@parlance/contracts';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/testing';
import { type Fixture, startFixture } from './testing/fixture.js';
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.js';
import { type Reply, sampleAgent, type TestGateway } from './testing/test-gateway.js';

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
    timeoutMs: 10_000,
  });
};
/** Asserts a 503 that says when to come back, and came fast. */
const expectUnavailable = async (ask: () => Promise<Reply>): Promise<void> => {
  const startedAt = performance.now();
  const reply = await ask();
  expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
};
const expectNotReady = async (check: string): Promise<void> => {
  await eventually(
    async () => {
      const reply = await gateway.send('/ready');
      expect([reply.status, reply.body.error?.code]).toEqual([503, 'NOT_READY']);
      expect(reply.body.error.details.checks[check]).toMatchObject({ status: 'down', required: true });
      expect(JSON.stringify(reply.body)).not.toMatch(/127\.0\.0\.1|ECONN|postgres/);
    },
    { timeoutMs: 8_000 },
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
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 10_000 });
    await isReady();
  });
});

describe('without Postgres', () => {
  it('known keys work for some seconds, then everything that must ask answers 503; then all comes back', async () => {
    await isReady();
    expect((await list()).status).toBe(200);
    await postgres.cut();
    expect((await list()).status).toBe(200);
    const unknown = { 'x-api-key': `parl_live_${'a'.repeat(12)}_${'b'.repeat(43)}` };
    await expectUnavailable(() => list(unknown));
    await eventually(async () => expect((await list()).status).toBe(503), { timeoutMs: 6_000 });
    await expectUnavailable(list);
    await expectUnavailable(() => list(fixture.person.session));
    await expectUnavailable(() =>
      gateway.send('/auth/sign-in/email', {
        method: 'POST',
        body: { email: fixture.person.email, password: fixture.person.password },
      }),
    );
    await expectUnavailable(() => gateway.send('/auth/get-session', { headers: fixture.person.session }));
    await expectUnavailable(() =>
      gateway.send('/auth/sign-up/email', {
        method: 'POST',
        body: { name: 'Late', email: 'late@example.com', password: 'correct horse' },
      }),
    );
    await expectNotReady('readModel');
    await postgres.mend();
    await eventually(async () => expect((await list()).status).toBe(200), { timeoutMs: 10_000 });
    expect((await list(fixture.person.session)).status).toBe(200);
    await isReady();
  }, 60_000);
});

describe('stopping', () => {
  it('finishes the request in flight, then refuses connections', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
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
    await eventually(async () => expect(await isRefused()).toBe(true), { timeoutMs: 3_000 });
    release();
    expect((await inFlight).status).toBe(409);
    const startedAt = performance.now();
    await stopping;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
