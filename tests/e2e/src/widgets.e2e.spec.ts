// A visitor of a website has a conversation with an agent: over HTTP from the page's origin, with every service running. A
// test plays the voice runtime, because the simulated one takes no call in a browser.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, stormSize } from '@parlance/fixtures';
import { listedOrigins, nearMissOrigins } from '@parlance/fixtures/origins';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts, withoutLimits } from './testing/accounts.js';
import { generous } from './testing/generous.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const page = 'https://shop.example.com';

let platform: RunningPlatform;
let account: Account;
let agentId: string;

beforeAll(async () => {
  // The test plays a browser that can join; the stand-in of the media server lets none in.
  platform = await runPlatform({ ...generous, ...withoutLimits, BROWSER_VOICE: 'on' });
  const accounts = new Accounts(platform);
  account = await accounts.create('shop');
  // The place of an ended session is given back a moment later: tests that begin many would meet the organization's eight.
  await accounts.allowManyCalls(account);
  agentId = await accounts.agent(account);
}, 240_000);
afterAll(() => platform?.remove());

interface Reply<T> {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown;
  readonly headers: Headers;
  readonly data: T;
}

const send = async <T = Record<string, unknown>>(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Reply<T>> => {
  const response = await fetch(`${platform.api}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const json = Object(JSON.parse((await response.text()) || '{}'));
  const { code, details } = json.error ?? {};
  return { status: response.status, code, details, headers: response.headers, data: json.data };
};

const asOwner = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  send<T>(method, path, account.headers, body);
const asVisitor = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  origin = page,
) => send<T>(method, path, { origin }, body);

interface Session {
  readonly sessionId: string;
  readonly endToken: string;
  readonly roomName: string;
  readonly serverUrl: string;
  readonly token: string;
}

const widget = async (body: object = {}): Promise<string> => {
  const made = await asOwner<{ id: string }>('POST', `/agents/${agentId}/widgets`, {
    ...{ name: 'Shop', allowedOrigins: [page] },
    ...body,
  });
  expect(made.status).toBe(201);
  return made.data.id;
};

const liveIn = async (roomName: string): Promise<string> => {
  const { data } = await asOwner<{ callId: string; roomName: string; channel: string }[]>(
    'GET',
    '/calls/live',
  );
  const live = data.find((call) => call.roomName === roomName);
  if (live === undefined) throw new Error('the call is not live');
  return live.callId;
};

describe('a conversation in a widget', () => {
  it('is a call of the log, with its page, consent and transcript, and is paid for', async () => {
    const consent = { required: true, text: 'We record.', version: '3' };
    const id = await widget({ consent });
    const before = await asOwner<{ day: { spentMicros: number } }>('GET', '/spend');
    const config = await asVisitor('GET', `/public/widgets/${id}/config`);
    expect([config.status, config.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    const started = await asVisitor<Session>('POST', `/public/widgets/${id}/sessions`, {
      consent: { accepted: true, version: '3' },
      pageUrl: `${page}/cart?customer=1`,
    });
    expect(started.status).toBe(201);
    const { sessionId, endToken, roomName, serverUrl, token } = started.data;
    const joined = await fetch(`${serverUrl.replace('ws', 'http')}/sandbox/joins`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(joined.ok).toBe(true);
    const callId = await eventually(() => liveIn(roomName));
    const reserved = await asOwner<{ day: { reservedMicros: number } }>('GET', '/spend');
    expect(reserved.data.day.reservedMicros).toBeGreaterThan(0);
    const end = `/public/widgets/${id}/sessions/${sessionId}/end`;
    const ended = await send('POST', end, { origin: page, 'x-end-token': endToken });
    expect([ended.status, ended.data.ended]).toEqual([200, true]);
    const context = { agentId, callId, roomName, widgetId: id, channel: 'widget', direction: 'inbound' };
    const { organizationId } = (await asOwner<{ organizationId: string }>('GET', '/caller')).data;
    const at = new Date().toISOString();
    const turn = { seq: 0, role: 'agent', text: 'Hello from the agent.', startMs: 0, endMs: 900 };
    const handOver = {
      ...{ eventId: randomUUID(), schemaVersion: 1, organizationId, ...context, status: 'completed' },
      ...{ endedReason: 'user_hangup', startedAt: at, answeredAt: at, endedAt: at, transcript: [turn] },
    };
    const internal = { 'x-internal-key': new DataFolder(platform.dataDir).secrets().internalKey };
    expect((await send('POST', '/calls', internal, handOver)).status).toBe(201);
    await eventually(async () =>
      expect((await asOwner('GET', `/calls/${callId}`)).data).toMatchObject({
        ...{ channel: 'widget', widgetId: id, agentId, status: 'completed' },
        metadata: { pageUrl: `${page}/cart` },
        consent: { type: 'widget', granted: true, textVersion: '3' },
      }),
    );
    await eventually(async () => {
      const { data } = await asOwner<{ text: string }[]>('GET', `/calls/${callId}/transcripts`);
      expect(data.map(({ text }) => text)).toEqual(['Hello from the agent.']);
    });
    await eventually(async () => {
      const { data } = await asOwner<{ day: { spentMicros: number; reservedMicros: number } }>(
        'GET',
        '/spend',
      );
      expect(data.day.spentMicros).toBeGreaterThan(before.data.day.spentMicros);
      expect(data.day.reservedMicros).toBe(0);
    });
    await eventually(async () => {
      const agent = await asOwner<{ counts: { widgets: number } }[]>('GET', '/agents');
      expect(agent.data[0]?.counts.widgets).toBe(1);
      expect((await asOwner<{ stats: object }>('GET', `/widgets/${id}`)).data.stats).toEqual({
        sessions30d: 1,
      });
    });
  }, 120_000);
});

describe('bad input', () => {
  const texts = (title: string) => ({ theme: { texts: { title } } });
  it.each([
    ['a color that is markup', { theme: { primaryColor: '#fff"><script>' } }, 'VALIDATION_ERROR'],
    ['a color by name', { theme: { textColor: 'red' } }, 'VALIDATION_ERROR'],
    ['a text with markup', texts('<img src=x onerror=alert(1)>'), 'VALIDATION_ERROR'],
    ['a text of nothing visible', texts('\u200b'), 'VALIDATION_ERROR'],
    ['a consent with markup', { consent: { text: 'a <b>bold</b> claim' } }, 'VALIDATION_ERROR'],
    ['a script as privacy address', { consent: { privacyUrl: 'javascript:alert(1)' } }, 'VALIDATION_ERROR'],
    [
      'a privacy address with credentials',
      { consent: { privacyUrl: 'https://a:b@x.example' } },
      'VALIDATION_ERROR',
    ],
    ['an avatar without https', { theme: { avatarUrl: 'data:image/svg+xml,<svg/>' } }, 'VALIDATION_ERROR'],
    [
      'ten leading wildcards',
      { allowedOrigins: [`https://${'*.'.repeat(10)}example.com`] },
      'INVALID_ORIGIN',
    ],
    ['an origin that is none', { allowedOrigins: ['example.com'] }, 'INVALID_ORIGIN'],
    ['a session of a day', { limits: { maxSessionSeconds: 86_400 } }, 'VALIDATION_ERROR'],
    ['a variable of the platform', { allowedVariables: ['system.callId'] }, 'VALIDATION_ERROR'],
    ['a key that nobody knows', { theme: { css: 'x' } }, 'VALIDATION_ERROR'],
    ['a queue for nobody', { queue: { maxWaiting: 0 } }, 'VALIDATION_ERROR'],
    ['a queue without end', { queue: { maxWaiting: 1_001 } }, 'VALIDATION_ERROR'],
    ['a text of a queue with markup', { queue: { text: '<b>Soon</b>' } }, 'VALIDATION_ERROR'],
  ])('refuses %s, for a new widget and for a change', async (_, body, code) => {
    const id = await widget();
    const replies = [
      await asOwner('POST', `/agents/${agentId}/widgets`, { name: 'Shop', ...body }),
      await asOwner('PATCH', `/widgets/${id}`, body),
    ];
    for (const reply of replies) expect([reply.status, reply.code]).toEqual([400, code]);
  });

  it('of visitors is refused before any room is made', async () => {
    const id = await widget({ modes: ['voice'], allowedVariables: ['city'] });
    const start = (body: unknown, origin = page) =>
      asVisitor('POST', `/public/widgets/${id}/sessions`, body, origin);
    const cases: readonly (readonly [unknown, number, string])[] = [
      [{ pageUrl: 'javascript:alert(1)' }, 400, 'VALIDATION_ERROR'],
      [{ consent: { accepted: false, version: '1' } }, 400, 'VALIDATION_ERROR'],
      [{ consent: { accepted: true, version: '2' } }, 422, 'CONSENT_REQUIRED'],
      [{ dynamicVariables: { country: 'x' } }, 400, 'VALIDATION_ERROR'],
      [{ mode: 'text' }, 422, 'MODE_NOT_OFFERED'],
      [{ visitorToken: 'x' }, 401, 'INVALID_VISITOR_TOKEN'],
      [{ queueTicket: '' }, 400, 'VALIDATION_ERROR'],
      [{ queueTicket: 'x'.repeat(65) }, 400, 'VALIDATION_ERROR'],
      [{ queueTicket: 'invented' }, 410, 'QUEUE_PLACE_LOST'],
      [{ organizationId: randomUUID() }, 400, 'VALIDATION_ERROR'],
      [JSON.stringify({ visitorId: 'x'.repeat(1_048_576) }), 413, 'PAYLOAD_TOO_LARGE'],
      ['{"broken":', 400, 'MALFORMED_JSON'],
    ];
    for (const [body, status, code] of cases) {
      const reply = await start(body);
      expect([reply.status, reply.code]).toEqual([status, code]);
    }
    expect((await start({}, 'https://evil.example')).code).toBe('ORIGIN_NOT_ALLOWED');
    expect((await asOwner<{ stats: object }>('GET', `/widgets/${id}`)).data.stats).toEqual({
      sessions30d: 0,
    });
  });
});

/** Header values are bytes. A page cannot send a line break or a NUL, and HTTP takes spaces at the ends away. */
const asHeader = (origin: string | undefined): string[] =>
  origin === undefined || origin !== origin.trim() || /[\0\n]/.test(origin)
    ? []
    : [Buffer.from(origin).toString('latin1')];

describe('a page of an origin that is not listed', () => {
  it('reads nothing and opens nothing, whichever of sixty spoofed and near-miss origins it has', async () => {
    const id = await widget({ allowedOrigins: listedOrigins });
    const spoofed = nearMissOrigins.flatMap(asHeader);
    expect(spoofed.length).toBeGreaterThanOrEqual(60);
    const sessions = `/public/widgets/${id}/sessions`;
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const passed: unknown[] = [];
    for (const origin of spoofed) {
      const preflight = await send('OPTIONS', sessions, { origin, ...asked });
      const config = await asVisitor('GET', `/public/widgets/${id}/config`, undefined, origin);
      const session = await asVisitor('POST', sessions, {}, origin);
      const codes = [preflight.status, config.code, session.code];
      const readable = [preflight, config, session].some(({ headers }) =>
        headers.has('access-control-allow-origin'),
      );
      if (readable || codes.join() !== '405,ORIGIN_NOT_ALLOWED,ORIGIN_NOT_ALLOWED')
        passed.push({ origin, codes, readable });
    }
    expect(passed).toEqual([]);
    expect((await asVisitor('GET', `/public/widgets/${id}/config`)).status).toBe(200);
  });
});

describe('a widget with a queue', () => {
  it('serves a visitor who waits as soon as another one leaves', async () => {
    const id = await widget({
      ...{ limits: { maxConcurrentSessions: 1 }, queue: { enabled: true, text: 'One moment, please.' } },
    });
    const sessions = `/public/widgets/${id}/sessions`;
    const ask = (body: object) => asVisitor<Session>('POST', sessions, body);
    const { sessionId, endToken } = (await asVisitor<Session>('POST', sessions, {})).data;
    const waiting = await ask({});
    expect([waiting.status, waiting.code, waiting.headers.get('retry-after')]).toEqual([
      ...[429, 'CONCURRENCY_LIMIT', '2'],
    ]);
    const ticket = expect.stringMatching(/^[\w-]{43}$/);
    expect(waiting.details).toEqual({ queue: { ticket, position: 1, text: 'One moment, please.' } });
    const { queue } = Object(waiting.details);
    for (let asked = 0; asked < 8; asked += 1)
      expect((await ask({ queueTicket: queue.ticket })).details).toEqual({ queue });
    await asVisitor('POST', `${sessions}/${sessionId}/end`, { endToken });
    expect((await ask({ queueTicket: queue.ticket })).status).toBe(201);
    await asOwner('DELETE', `/widgets/${id}`);
  });
});

describe('the secret of visitor tokens', () => {
  it('names the widget that uses it, and is deleted when the widget is gone', async () => {
    const value = 'a-secret-that-the-site-holds-too';
    const secret = await asOwner<{ id: string }>('POST', '/secrets', { name: 'VISITORS', value });
    const id = await widget({ visitorTokenSecretId: secret.data.id });
    const user = { id, type: 'widget', name: 'Shop' };
    const { data } = await asOwner<{ usedBy: object[] }[]>('GET', '/secrets');
    expect(data[0]?.usedBy).toEqual([user]);
    const kept = await asOwner('DELETE', `/secrets/${secret.data.id}`);
    expect([kept.status, kept.code, kept.details]).toEqual([409, 'SECRET_IN_USE', { dependents: [user] }]);
    await asOwner('DELETE', `/widgets/${id}`);
    expect((await asOwner('DELETE', `/secrets/${secret.data.id}`)).status).toBe(200);
  });
});

/** PARLANCE_TEST_FLOOD=1000 for the flood in full. */
const flood = stormSize('PARLANCE_TEST_FLOOD', 300);

describe('a flood of requests for sessions', () => {
  it('passes no limit, lets another widget work, and leaves no money put aside', async () => {
    const wide = { maxConcurrentSessions: 50, sessionsPerIpPerHour: 1_000 };
    const flooded = await widget({ limits: { ...wide, maxConcurrentSessions: 4 } });
    const quiet = await widget({ limits: wide });
    const start = (id: string) => asVisitor<Session>('POST', `/public/widgets/${id}/sessions`, {});
    const timed = async (): Promise<number> => {
      const startedAt = performance.now();
      const { status, code, data } = await start(quiet);
      const tookMs = performance.now() - startedAt;
      expect([status, code]).toEqual([201, undefined]);
      const { sessionId, endToken } = data;
      await asVisitor('POST', `/public/widgets/${quiet}/sessions/${sessionId}/end`, { endToken });
      return tookMs;
    };
    const calm = [await timed(), await timed(), await timed()];
    const during: number[] = [];
    const statuses: number[] = [];
    while (statuses.length < flood) {
      const wave = Array.from({ length: 100 }, () => start(flooded));
      during.push(await timed());
      for (const { status } of await Promise.all(wave)) statuses.push(status);
    }
    const slowest = (times: readonly number[]) => Math.round(Math.max(...times));
    process.stdout.write(
      `a session over HTTP takes ${slowest(calm)} ms at most, and ${slowest(during)} ms in a flood of ${statuses.length} at another widget\n`,
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - 4);
    await asOwner('PATCH', `/widgets/${flooded}`, { enabled: false });
    await eventually(async () => {
      const { data } = await asOwner<{ day: { reservedMicros: number } }>('GET', '/spend');
      expect(data.day.reservedMicros).toBe(0);
    });
  }, 120_000);
});

describe('a visitor who writes', () => {
  interface Written {
    readonly sessionId: string;
    readonly endToken: string;
    readonly messagesUrl: string;
    readonly firstMessage: string;
  }

  const begin = async (): Promise<Written> => {
    const id = await widget({
      modes: ['text'],
      consent: { required: true, text: 'We keep it.', version: '4' },
    });
    const begun = await asVisitor<Written>('POST', `/public/widgets/${id}/sessions`, {
      ...{ mode: 'text', pageUrl: `${page}/cart?secret=1`, consent: { accepted: true, version: '4' } },
    });
    expect(begun.status).toBe(201);
    return begun.data;
  };

  /** The events of the answer to one message. */
  const write = async ({ messagesUrl, endToken }: Written, text: string): Promise<string[][]> => {
    const response = await fetch(messagesUrl, {
      method: 'POST',
      headers: { origin: page, 'content-type': 'application/json' },
      body: JSON.stringify({ endToken, text }),
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    const events = (await response.text()).matchAll(/event: (\w+)\ndata: (.*)\n\n/g);
    return [...events].map(([, name = '', data = '']) => [name, data]);
  };

  const liveCalls = async () =>
    (
      await asOwner<{ callId: string; roomName: string; lastMessage: string | null; channel: string }[]>(
        ...(['GET', '/calls/live'] as const),
      )
    ).data;

  it('gets the words of the agent, and is a call of the log while the conversation lasts and afterwards', async () => {
    const session = await begin();
    expect(session.firstMessage).not.toBe('');
    const answered = await write(session, 'Hello, is anybody there?');
    const words = answered.flatMap(([name, data = '']) => (name === 'text' ? JSON.parse(data).delta : []));
    const { turn } = JSON.parse(answered.at(-1)?.[1] ?? '{}');
    expect(turn).toMatchObject({ seq: 2, role: 'agent', text: words.join('') });
    const live = await eventually(async () => {
      const [call] = await liveCalls();
      expect(call).toMatchObject({ channel: 'widget', lastMessage: turn.text });
      return call;
    });
    const goodbye = await write(session, 'Thank you, goodbye');
    expect(goodbye.at(-1)?.[0]).toBe('done');
    await eventually(async () => {
      const { data } = await asOwner('GET', `/calls/${live?.callId}`);
      expect(data).toMatchObject({
        ...{ status: 'completed', endedReason: 'agent_hangup', channel: 'widget', messageCount: 5 },
        ...{ metadata: { pageUrl: `${page}/cart` }, consent: { type: 'widget', textVersion: '4' } },
      });
    });
    const { data: said } = await asOwner<{ role: string; text: string }[]>(
      ...(['GET', `/calls/${live?.callId}/transcripts`] as const),
    );
    expect(said.map(({ role }) => role)).toEqual(['agent', 'user', 'agent', 'user', 'agent']);
    expect(said[1]?.text).toBe('Hello, is anybody there?');
    // No language model is configured here, so rules answered.
    expect(said[2]).toMatchObject({ role: 'agent', model: null });
    await eventually(async () => expect(await liveCalls()).toEqual([]));
  });

  it('is told that the conversation has ended when an operator ended it', async () => {
    const session = await begin();
    await write(session, 'Hello');
    const live = await eventually(async () => {
      const [call] = await liveCalls();
      expect(call).toBeDefined();
      return call;
    });
    const ended = await asOwner('POST', '/calls/live/end', { roomName: live?.roomName });
    expect([ended.status, ended.data]).toMatchObject([200, { ended: true, callId: live?.callId }]);
    const response = await fetch(session.messagesUrl, {
      method: 'POST',
      headers: { origin: page, 'content-type': 'application/json', 'x-end-token': session.endToken },
      body: JSON.stringify({ text: 'Still there?' }),
    });
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ error: { code: 'SESSION_ENDED' } });
    await eventually(async () => {
      const { data } = await asOwner('GET', `/calls/${live?.callId}`);
      expect(data).toMatchObject({ status: 'completed', endedReason: 'operator_ended', messageCount: 3 });
    });
  });
});
