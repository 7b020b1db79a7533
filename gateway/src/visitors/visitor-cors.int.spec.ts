// Pages of other sites read answers about a widget when the list of the widget has their very origin, and not otherwise.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type ServedOperation, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';
import { type Reply, TestGateway } from '../testing/test-gateway.js';

const consoleOrigin = 'https://console.example.com';
const shop = 'https://shop.example.com';
const widgetId = randomUUID();
const disabledId = randomUUID();

let engines: TestEngines;
let nats: Awaited<ReturnType<typeof connectNats>>;
let gateway: TestGateway;
let lookups: ServedOperation;
let ends: ServedOperation;

/** The gateway runs behind one proxy, which tells the addresses of visitors. */
const startGateway = async (variables: Readonly<Record<string, string>> = {}): Promise<TestGateway> => {
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  const behindProxy = {
    TRUST_PROXY_HOPS: '1',
    EMAIL_VERIFICATION: 'required',
    CONSOLE_ORIGINS: consoleOrigin,
  };
  return TestGateway.start({
    ...{ postgresUrl, natsUrl: engines.natsUrl },
    variables: { ...behindProxy, ...variables },
  });
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  gateway = await startGateway();
  const { widgetsOrigins } = serviceRequests;
  lookups = await serveOperation(nats, widgetsOrigins, ({ input }) => {
    const asked = widgetsOrigins.body.parse(input.body).widgetId;
    return { data: { allowedOrigins: asked === widgetId ? [shop, 'https://*.example.org'] : [] } };
  });
  const refused = { error: new AppError('CONSENT_REQUIRED').toWire() };
  await serveOperation(nats, contract.widgetsStartSession, () => refused);
  await serveOperation(nats, contract.widgetsPublicConfig, () => ({
    error: new AppError('WIDGET_NOT_FOUND').toWire(),
  }));
  ends = await serveOperation(nats, contract.widgetsEndSession, () => ({
    data: { sessionId: widgetId, ended: true, durationSeconds: 1 },
  }));
});
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
  await engines?.stop();
});

const path = (id: string = widgetId): string => `/public/widgets/${id}`;
const corsOf = ({ headers }: Reply): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const preflight = (origin: string, id: string = widgetId): Promise<Reply> =>
  gateway.send(`${path(id)}/sessions`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
const start = (origin: string, id: string = widgetId): Promise<Reply> =>
  gateway.send(`${path(id)}/sessions`, { method: 'POST', headers: { origin }, body: {} });

describe('a page of a listed origin', () => {
  it.each([shop, 'https://www.example.org'])(
    'asks first and reads the answer, without credentials: %s',
    async (origin) => {
      const asked = await preflight(origin);
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST');
      expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-end-token');
      expect(asked.headers.get('access-control-max-age')).toBe('600');
      // A page reads refusals as well, or it could not ask for consent.
      const refused = await start(origin);
      expect([refused.status, refused.body.error.code]).toEqual([422, 'CONSENT_REQUIRED']);
      for (const { headers } of [asked, refused]) {
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('vary')).toBe('Origin');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );
});

describe('a page of any other origin', () => {
  it.each([
    'null',
    '*',
    consoleOrigin,
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'https://shop.example.com.',
    'https://shop.example.com/',
    'https://SHOP.example.com',
    'https://shop.example.com.evil.example',
    'https://evilshop.example.com',
    'https://example.org',
    'https://a.b.example.org',
    'https://xn--shop-8qa.example.com',
  ])('gets no CORS header, for a preflight and for a request: %s', async (origin) => {
    const replies = [await preflight(origin), await start(origin), await preflight(origin, disabledId)];
    for (const reply of replies) {
      expect(corsOf(reply)).toEqual([]);
      expect(reply.headers.get('vary')).toBe('Origin');
    }
    expect(replies[0]?.status).toBe(405);
  });

  it('learns nothing from a widget that is unknown, although its origin is listed elsewhere', async () => {
    expect(corsOf(await preflight(shop, randomUUID()))).toEqual([]);
    expect(corsOf(await gateway.send(`${path('not-an-id')}/config`, { headers: { origin: shop } }))).toEqual(
      [],
    );
  });
});

describe('the service', () => {
  it('is told the origin and a digest of the address, and neither the address nor more', async () => {
    const before = ends.asked.length;
    const headers = { origin: shop, 'x-forwarded-for': '192.0.2.77', 'x-end-token': 'the-token' };
    const reply = await gateway.send(`${path()}/sessions/${randomUUID()}/end`, { method: 'POST', headers });
    expect(reply.status).toBe(200);
    const [asked] = ends.asked.slice(before);
    expect(asked?.input.body).toEqual({ endToken: 'the-token' });
    const token = asked?.headers?.get('x-caller-token') ?? '';
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { caller }: { caller: Caller } = JSON.parse(claims);
    expect(caller).toEqual({
      ...{ organizationId: '', role: 'visitor', permissions: [] },
      actor: { type: 'visitor', id: expect.stringMatching(/^[\w-]{43}$/), origin: shop },
    });
    expect(claims).not.toContain('192.0.2.77');
  });

  it('is asked for the list of a widget once, however many visitors come at the same moment', async () => {
    const id = randomUUID();
    const before = lookups.asked.length;
    await Promise.all(Array.from({ length: 50 }, () => preflight(shop, id)));
    expect(lookups.asked.length - before).toBe(1);
  });
});

describe('1,000 requests for a session from one address', () => {
  it('are refused beyond the limit of the address, and other addresses are not', async () => {
    const limited = await startGateway({ RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE: '6' });
    try {
      const from = (address: string) =>
        limited.send(`${path()}/sessions`, {
          method: 'POST',
          headers: { origin: shop, 'x-forwarded-for': address },
          body: {},
        });
      const replies: Reply[] = [];
      for (let sent = 0; sent < 1_000; sent += 100)
        replies.push(...(await Promise.all(Array.from({ length: 100 }, () => from('192.0.2.1')))));
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(994);
      expect(refused[0]?.body.error.code).toBe('RATE_LIMITED');
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await from('192.0.2.2')).status).not.toBe(429);
      // One household shares the first half of an IPv6 address.
      const household = await Promise.all(
        Array.from({ length: 7 }, (_, host) => from(`2001:db8:1:1::${host + 1}`)),
      );
      expect(household.filter(({ status }) => status === 429)).toHaveLength(1);
    } finally {
      await limited.stop();
    }
  });
});

describe('a visitor who waits in a queue', () => {
  it('asks again beyond the limit of new sessions, and not beyond that of the queue', async () => {
    const limits = { RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE: '2', RATE_LIMIT_PUBLIC_QUEUE_PER_MINUTE: '10' };
    const limited = await startGateway(limits);
    const ask = async (body: object) => {
      const headers = { origin: shop, 'x-forwarded-for': '192.0.2.9' };
      return (await limited.send(`${path()}/sessions`, { method: 'POST', headers, body })).status;
    };
    try {
      expect([await ask({}), await ask({}), await ask({})]).toEqual([422, 422, 429]);
      for (let asked = 3; asked < 9; asked += 1) expect(await ask({ queueTicket: 'ticket' })).toBe(422);
      expect(await ask({ queueTicket: '' })).toBe(400);
      expect(await ask({ queueTicket: 'ticket' })).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});
