import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, serviceRequests, type WidgetSession } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { SignJWT } from 'jose';
import { page, roomOf, visitorOf, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(() => {
  world.neighbours.noPlace = undefined;
});

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const contextOf = async (session: WidgetSession) => {
  const [room] = await world.media.rooms.listRooms([roomOf(session).roomName]);
  const { callId } = JSON.parse(room?.metadata ?? '{}');
  const caller = { ...visitorOf({}), role: 'platform' as const };
  return (await world.ask(serviceRequests.widgetsSessionCall, { body: { callId } }, caller)).context;
};

describe('visitors', () => {
  it('cannot tell a widget that is disabled, or of an agent that takes no calls, from one that never was', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const disabled = (await org.create({ enabled: false })).id;
    expect(await world.config(id)).toMatchObject({
      id,
      agentName: 'Front desk',
      enabled: true,
      maxSessionSeconds: 600,
    });
    expect(Object.keys(await world.config(id))).not.toContain('allowedOrigins');
    const inactive = world.organization();
    world.neighbours.agents.set(inactive.agentId, { isActive: false });
    const away = (await inactive.create()).id;
    for (const origin of [page, 'https://evil.example', null])
      for (const widgetId of [disabled, away, randomUUID()]) {
        const session = { endToken: 'x' };
        expect(await refusalCode(world.config(widgetId, { origin }))).toBe('WIDGET_NOT_FOUND');
        expect(await refusalCode(world.startSession(widgetId, {}, { origin }))).toBe('WIDGET_NOT_FOUND');
        if (widgetId !== away)
          expect(
            await refusalCode(world.endSession(widgetId, randomUUID(), session.endToken, { origin })),
          ).toBe('WIDGET_NOT_FOUND');
      }
  });

  it.each([null, 'null', 'https://evil.example', `${page}.evil.example`, `${page}:8443`, `${page}.`, '*'])(
    'are refused on a page of the origin %s',
    async (origin) => {
      const { id } = await world.organization().create();
      const { sessionId, endToken } = await world.startSession(id);
      expect(await refusalCode(world.config(id, { origin }))).toBe('ORIGIN_NOT_ALLOWED');
      expect(await refusalCode(world.startSession(id, {}, { origin }))).toBe('ORIGIN_NOT_ALLOWED');
      expect(await refusalCode(world.endSession(id, sessionId, endToken, { origin }))).toBe(
        'ORIGIN_NOT_ALLOWED',
      );
    },
  );
});

describe('a session', () => {
  it('has a place and a room; its room and token tell the id of the call alone, its dispatch tells the rest', async () => {
    const org = world.organization();
    const { id } = await org.create({
      ...{ allowedVariables: ['city'], limits: { maxSessionSeconds: 90 } },
      consent: { required: true, text: 'We record.', version: '7' },
    });
    const session = await world.startSession(id, {
      dynamicVariables: { city: 'planted-city' },
      consent: { accepted: true, version: '7' },
      pageUrl: 'https://shop.example.com/cart?token=planted#top',
      visitorId: 'v-1',
    });
    expect(session).toMatchObject({
      mode: 'voice',
      serverUrl: 'wss://media.example.com',
      maxDurationSeconds: 90,
    });
    expect(session.endToken).toMatch(/^[\w-]{43}$/);
    const context = await contextOf(session);
    const callId = context?.callId ?? '';
    expect(context).toMatchObject({
      ...{ organizationId: org.id, agentId: org.agentId, widgetId: id, channel: 'widget', configVersion: 3 },
      dynamicVariables: { city: 'planted-city' },
      metadata: { pageUrl: 'https://shop.example.com/cart', visitorId: 'v-1' },
      consent: { type: 'widget', granted: true, textVersion: '7' },
      maxDurationSeconds: 90,
    });
    expect(world.neighbours.places).toContain(callId);
    // calls-logs knows the call before its room is reported.
    await eventually(() =>
      expect(world.published).toContainEqual(
        expect.objectContaining({ name: 'widgets.session.started', data: { callId, context } }),
      ),
    );
    const claims = claimsOf(roomOf(session).token);
    expect(claims).toMatchObject({ video: { room: session.roomName, roomJoin: true } });
    const seen = JSON.stringify([await world.media.join(roomOf(session).token), claims]);
    expect(seen).toContain(callId);
    for (const hidden of ['planted', org.id, org.agentId, id]) expect(seen).not.toContain(hidden);
    const [dispatch] = await world.media.dispatch.listDispatch(roomOf(session).roomName);
    expect(JSON.parse(dispatch?.metadata ?? '{}')).toEqual(context);
    expect((await org.get(id)).stats).toEqual({ sessions30d: 1 });
    const { rows } = await world.db.query<{ row: string }>(
      'select s::text as row from widget_sessions s where id = $1',
      [session.sessionId],
    );
    expect(rows[0]?.row).not.toContain(session.endToken);
  });

  it('lasts no longer than the configuration of its agent allows', async () => {
    const org = world.organization();
    world.neighbours.agents.set(org.agentId, { maxDurationSeconds: 45 });
    const { id } = await org.create();
    expect((await world.config(id)).maxSessionSeconds).toBe(45);
    const { expiresAt, maxDurationSeconds } = await world.startSession(id);
    expect(maxDurationSeconds).toBe(45);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(46_000);
  });

  it('is refused without the consent in force, with variables that are not allowed, and as text', async () => {
    const org = world.organization();
    const consent = { required: true, text: 'We record.', version: '2' };
    const { id } = await org.create({ modes: ['voice'], consent, allowedVariables: ['city'] });
    const given = { accepted: true, version: '2' } as const;
    expect(await refusalCode(world.startSession(id))).toBe('CONSENT_REQUIRED');
    expect(await refusalCode(world.startSession(id, { consent: { ...given, version: '1' } }))).toBe(
      'CONSENT_REQUIRED',
    );
    const dynamicVariables = { city: 'Rome', plan: 'free' };
    const refused = await world
      .startSession(id, { consent: given, dynamicVariables })
      .catch((error) => error);
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(JSON.stringify(refused)).toContain('body.dynamicVariables.plan');
    expect(await refusalCode(world.startSession(id, { consent: given, mode: 'text' }))).toBe(
      'MODE_NOT_OFFERED',
    );
    expect((await org.get(id)).stats.sessions30d).toBe(0);
  });

  it('names its visitor by a token that the site signed, and can require one', async () => {
    const org = world.organization();
    const [secretId, value] = [randomUUID(), 'a-secret-that-the-site-holds-too'];
    world.neighbours.secrets.set(secretId, { organizationId: org.id, value });
    const { id } = await org.create({
      ...{ visitorTokenSecretId: secretId, requireVisitorToken: true, allowedVariables: ['plan'] },
    });
    const now = Math.floor(Date.now() / 1_000);
    const sign = (change: object = {}, key = value, alg = 'HS256') =>
      new SignJWT({ sub: 'customer-7', exp: now + 200, variables: { plan: 'gold' }, ...change })
        .setProtectedHeader({ alg })
        .sign(new TextEncoder().encode(key));
    const bad = {
      missing: undefined,
      garbage: 'x.y.z',
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"sub":"a","exp":${now + 9}}`).toString('base64url')}.`,
      'signed by another': await sign({}, 'another-secret-that-nobody-here-knows'),
      'of another algorithm': await sign({}, value.repeat(2), 'HS512'),
      expired: await sign({ exp: now - 60 }),
      'good for an hour': await sign({ exp: now + 3_600 }),
      'without a subject': await sign({ sub: undefined }),
      'without an end': await sign({ exp: undefined }),
    };
    for (const [name, visitorToken] of Object.entries(bad)) {
      const body = visitorToken === undefined ? {} : { visitorToken };
      expect([name, await refusalCode(world.startSession(id, body))]).toEqual([
        name,
        'INVALID_VISITOR_TOKEN',
      ]);
    }
    const beyond = await sign({ variables: { other: 'x' } });
    expect(await refusalCode(world.startSession(id, { visitorToken: beyond }))).toBe('VALIDATION_ERROR');
    const session = await world.startSession(id, {
      visitorToken: await sign(),
      dynamicVariables: { plan: 'free' },
    });
    expect(await contextOf(session)).toMatchObject({
      dynamicVariables: { plan: 'gold' },
      metadata: { visitor: 'customer-7' },
    });
    world.neighbours.secrets.delete(secretId);
    expect(await refusalCode(world.startSession(id, { visitorToken: await sign() }))).toBe(
      'INVALID_VISITOR_TOKEN',
    );
  });
});

describe('the variables of a conversation', () => {
  it('that a site signs cannot be set by a page, with a token or without, also where the page may set others', async () => {
    const org = world.organization();
    const [secretId, value] = [randomUUID(), 'a-secret-that-the-site-holds-too'];
    world.neighbours.secrets.set(secretId, { organizationId: org.id, value });
    const { id } = await org.create({
      visitorTokenSecretId: secretId,
      allowedVariables: ['city', 'both'],
      signedVariables: ['customer_id', 'both'],
    });
    const visitorToken = await new SignJWT({
      sub: 'customer-7',
      exp: Math.floor(Date.now() / 1_000) + 200,
      variables: { customer_id: '7', both: 'signed', city: 'Rome' },
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(value));
    for (const name of ['customer_id', 'both', 'other'])
      for (const token of [{}, { visitorToken }]) {
        const dynamicVariables = { [name]: '8', city: 'Paris' };
        const refused = await world
          .startSession(id, { ...token, dynamicVariables })
          .catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' });
        expect(JSON.stringify(refused)).toContain(`body.dynamicVariables.${name}`);
      }
    const named = await world.startSession(id, { visitorToken, dynamicVariables: { city: 'Paris' } });
    expect(await contextOf(named)).toMatchObject({
      dynamicVariables: { customer_id: '7', both: 'signed', city: 'Rome' },
    });
    const unnamed = await world.startSession(id, { dynamicVariables: { city: 'Paris' } });
    expect((await contextOf(unnamed))?.dynamicVariables).toEqual({ city: 'Paris' });
  });

  it('of a widget of an earlier release are as they were: it has no signed ones', async () => {
    const org = world.organization();
    const { id } = await org.create({ allowedVariables: ['city'] });
    await world.db.query(`update widgets set document = document - 'signedVariables' where id = $1`, [id]);
    expect(await org.get(id)).toMatchObject({ allowedVariables: ['city'], signedVariables: [] });
    const session = await world.startSession(id, { dynamicVariables: { city: 'Rome' } });
    expect((await contextOf(session))?.dynamicVariables).toEqual({ city: 'Rome' });
  });
});

describe('limits', () => {
  it('hold for visitors who come at the same moment: at once, per address, and per day', async () => {
    const org = world.organization();
    const wide = { maxConcurrentSessions: 100, sessionsPerIpPerHour: 100, dailySessions: null };
    const answers = async (limits: object, addressOf: (index: number) => string) => {
      const { id } = await org.create({ limits: { ...wide, ...limits } });
      const asked = Array.from({ length: 15 }, (_, index) =>
        refusalCode(world.startSession(id, {}, { address: addressOf(index) })),
      );
      const counts: Record<string, number> = {};
      for (const code of await Promise.all(asked)) {
        const answer = code === undefined ? 'granted' : String(code);
        counts[answer] = (counts[answer] ?? 0) + 1;
      }
      return counts;
    };
    const everybody = (index: number) => `address-${index}`;
    expect(await answers({ maxConcurrentSessions: 4 }, everybody)).toEqual({
      granted: 4,
      CONCURRENCY_LIMIT: 11,
    });
    expect(await answers({ sessionsPerIpPerHour: 3 }, (index) => `address-${index % 2}`)).toEqual({
      ...{ granted: 6, RATE_LIMITED: 9 },
    });
    expect(await answers({ dailySessions: 5 }, everybody)).toEqual({
      granted: 5,
      WIDGET_BUDGET_EXCEEDED: 10,
    });
  });

  it.each([
    ['SPEND_LIMIT_REACHED', 'WIDGET_BUDGET_EXCEEDED'],
    ['CONCURRENCY_LIMIT', 'CONCURRENCY_LIMIT'],
    ['CONFLICT', 'WIDGET_NOT_FOUND'],
  ] as const)(
    'of the organization are told without its figures, and leave no room: %s',
    async (theirs, told) => {
      const org = world.organization();
      const { id } = await org.create();
      const before = await world.roomNames();
      world.neighbours.noPlace = theirs;
      const error = await world.startSession(id).catch((reason: unknown) => reason);
      if (!(error instanceof AppError)) throw error;
      expect(error.code).toBe(told);
      expect(JSON.stringify(error.toWire())).not.toContain('7777');
      expect(await world.roomNames()).toEqual(before);
      world.neighbours.noPlace = undefined;
      await world.startSession(id);
      expect((await org.get(id)).stats.sessions30d).toBe(1);
    },
  );

  it('count no session that failed because the media server did, and its place is given back', async () => {
    const { id } = await world
      .organization()
      .create({ limits: { sessionsPerIpPerHour: 1, maxConcurrentSessions: 1 } });
    await world.media.fault('5xx-before');
    expect(await refusalCode(world.startSession(id))).toBe('PROVIDER_UNAVAILABLE');
    await world.media.fault('ok');
    await world.startSession(id);
    const { rows } = await world.db.query<{ call_id: string }>(
      `select call_id from widget_sessions where widget_id = $1 and ended_by = 'failed'`,
      [id],
    );
    expect(rows).toHaveLength(1);
    await eventually(() => expect(world.neighbours.givenBack.get(rows[0]?.call_id ?? '')).toBeNull());
  });
});

describe('ending', () => {
  it('takes the end token of this very session, and says the same ever after', async () => {
    const org = world.organization();
    const [widget, other] = [await org.create(), await org.create()];
    const [session, foreign] = [await world.startSession(widget.id), await world.startSession(widget.id)];
    const end = (endToken: string, sessionId = session.sessionId, widgetId = widget.id) =>
      world.endSession(widgetId, sessionId, endToken);
    for (const wrong of [foreign.endToken, 'x', session.endToken.slice(1), `${session.endToken}x`])
      expect(await refusalCode(end(wrong))).toBe('INVALID_END_TOKEN');
    expect(await refusalCode(end(session.endToken, foreign.sessionId))).toBe('INVALID_END_TOKEN');
    expect(await refusalCode(end(session.endToken, session.sessionId, other.id))).toBe('INVALID_END_TOKEN');
    expect(await refusalCode(end(session.endToken, randomUUID()))).toBe('INVALID_END_TOKEN');
    const params = { widgetId: widget.id, sessionId: session.sessionId };
    const bare = world.ask(contract.widgetsEndSession, { params, body: {} }, visitorOf({}));
    expect(await refusalCode(bare)).toBe('INVALID_END_TOKEN');
    expect(await world.roomNames()).toContain(session.roomName);
    const first = await end(session.endToken);
    expect(first).toMatchObject({ sessionId: session.sessionId, ended: true });
    expect(await end(session.endToken)).toEqual(first);
    await eventually(async () => expect(await world.roomNames()).not.toContain(session.roomName));
    expect(await end(session.endToken)).toEqual(first);
    expect(await world.roomNames()).toContain(foreign.roomName);
  });
});
