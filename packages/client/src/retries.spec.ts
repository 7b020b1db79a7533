import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Client, type ClientOptions, createClient, isApiError } from './index.js';
import { type Reply, ScriptedServer } from './testing/scripted-server.js';
import { delayBefore } from './transport/patience.js';

const agent = { name: 'Front desk', isActive: true, templateId: null };
const agentId = '018f0000-0000-7000-8000-000000000001';
let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());
afterEach(() => {
  jest.restoreAllMocks();
});

/** The limits that the client asks for, in milliseconds. Each is over at the test's command, and never by the clock. */
const limitsOnCommand = (): { readonly ms: number; readonly end: () => void }[] => {
  const limits: { readonly ms: number; readonly end: () => void }[] = [];
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController();
    const end = (): void => limit.abort(new DOMException('The time is over.', 'TimeoutError'));
    limits.push({ ms, end });
    return limit.signal;
  });
  return limits;
};

const clientWith = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, apiKey: 'k', retryDelayMs: 1, ...options });
const refused = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  ...{ status, headers },
  body: { success: false, message: 'No.', error: { code, requestId: 'r-1' } },
});
const away = refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
const proxy: Reply = { status: 502, body: '<html>Bad gateway</html>' };
const broken: Reply = { breaks: true };
const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => (isApiError(error) ? error.code : Reflect.get(Object(error), 'name')),
  );

describe('a read', () => {
  it.each([
    ['a connection that breaks', broken],
    ['a service that is away', away],
    ['a proxy that does not reach the platform', proxy],
    ['a limit', refused(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['an answer that took too long', refused(504, 'UPSTREAM_TIMEOUT')],
  ])('is asked again after %s', async (_, failure) => {
    server.replies.push(failure, failure);
    expect(await outcome(clientWith().agents.list())).toBe('done');
    expect(server.seen).toHaveLength(3);
  });

  it.each([
    [404, 'AGENT_NOT_FOUND'],
    [403, 'PERMISSION_DENIED'],
    [500, 'INTERNAL_ERROR'],
    [504, 'PROVIDER_TIMEOUT'],
  ])('is not asked again after the answer %i %s', async (status, code) => {
    server.replies.push(refused(status, code));
    expect(await outcome(clientWith().agents.list())).toBe(code);
    expect(server.seen).toHaveLength(1);
  });

  it('ends with the last failure when no attempt is left', async () => {
    server.replies.push(away, away, away);
    expect(await outcome(clientWith({ retries: 2 }).agents.list())).toBe('SERVICE_UNAVAILABLE');
    expect(server.seen).toHaveLength(3);
  });

  it('ends at once when the platform asks for a longer wait than the request may take', async () => {
    server.replies.push(refused(429, 'RATE_LIMITED', { 'retry-after': '60' }));
    expect(await outcome(clientWith({ totalTimeoutMs: 30_000 }).agents.list())).toBe('RATE_LIMITED');
    expect(server.seen).toHaveLength(1);
  });

  it('is asked again when one attempt gets no answer in its time', async () => {
    const limits = limitsOnCommand();
    const signals: AbortSignal[] = [];
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const silentAtFirst: typeof fetch = (url, init) => {
      const signal = init?.signal;
      if (!signal) throw new Error('an attempt has a limit');
      signals.push(signal);
      if (signals.length > 1) return fetch(url, init);
      begin();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const patience = { timeoutMs: 20, totalTimeoutMs: 3_600_000 };
    const asked = outcome(clientWith({ fetch: silentAtFirst }).agents.list({}, patience));
    await begun;
    expect([limits.map(({ ms }) => ms), signals[0]?.aborted]).toEqual([[3_600_000, 20], false]);
    limits[1]?.end();
    expect(await asked).toBe('done');
    expect(limits.map(({ ms }) => ms)).toEqual([3_600_000, 20, 20]);
    expect(signals.map(({ aborted, reason }) => [aborted, reason?.name])).toEqual([
      ...[[true, 'TimeoutError']],
      [false, undefined],
    ]);
  });

  it('ends when its time in all is over, and when the program says so', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const { agents } = clientWith({ fetch: never });
    expect(await outcome(agents.list({}, { totalTimeoutMs: 20 }))).toBe('TimeoutError');
    const controller = new AbortController();
    const asked = outcome(agents.list({}, { signal: controller.signal }));
    controller.abort();
    expect(await asked).toBe('AbortError');
  });

  it('waits no longer when the program gives up during a wait', async () => {
    const controller = new AbortController();
    server.replies.push(refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '60' }));
    const leaving: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      queueMicrotask(() => setImmediate(() => controller.abort()));
      return response;
    };
    const options = { fetch: leaving, totalTimeoutMs: 120_000 };
    expect(await outcome(clientWith(options).agents.list({}, { signal: controller.signal }))).toBe(
      'AbortError',
    );
    expect(server.seen).toHaveLength(1);
  });
});

describe('a change that takes an Idempotency-Key', () => {
  it('is sent again with the same body and the same key, which the client made', async () => {
    server.replies.push(broken, proxy, refused(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '0' }));
    expect(await outcome(clientWith().agents.create({ body: agent }))).toBe('done');
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(server.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(agent)]));
  });

  it('has another key at the next request, and the one that the program gives where it gives one', async () => {
    const { agents } = clientWith();
    await agents.create({ body: agent });
    await agents.create({ body: agent });
    await agents.create({ body: agent }, { idempotencyKey: 'mine' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('is not sent again after a conflict, which is an answer', async () => {
    server.replies.push(refused(409, 'CONFLICT'));
    expect(await outcome(clientWith().agents.create({ body: agent }))).toBe('CONFLICT');
    expect(server.seen).toHaveLength(1);
  });

  it('is sent once, and without a key, where repetitions are off', async () => {
    server.replies.push(away);
    expect(await outcome(clientWith({ retries: 0 }).agents.create({ body: agent }))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('a change that takes no key', () => {
  it.each([
    ['a PATCH', (client: Client) => client.agents.update({ params: { agentId }, body: { name: 'Other' } })],
    ['a DELETE', (client: Client) => client.agents.delete({ params: { agentId } })],
    [
      'a sign-in',
      (client: Client) => client.auth.signInEmail({ body: { email: 'a@example.com', password: 'p' } }),
    ],
  ])('is never sent again: %s', async (_, change) => {
    for (const failure of [broken, away, proxy]) {
      server.reset();
      server.replies.push(failure);
      expect(await outcome(change(clientWith()))).not.toBe('done');
      expect(server.seen).toHaveLength(1);
    }
  });
});

describe('the wait before a repetition', () => {
  const patience = { retryDelayMs: 250 };

  it('lies anywhere under a bound that doubles up to eight seconds', () => {
    expect([1, 2, 3, 6, 20].map((repetition) => delayBefore(repetition, patience, undefined, 1))).toEqual([
      250, 500, 1_000, 8_000, 8_000,
    ]);
    expect(delayBefore(3, patience, undefined, 0)).toBe(0);
  });

  it('is never shorter than the platform asks for', () => {
    expect(delayBefore(1, patience, 5, 0)).toBe(5_000);
    expect(delayBefore(1, patience, 5, 1)).toBe(5_250);
  });
});
