// Visitors without a place wait in the order in which they came, and no visitor passes another.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WidgetQueuePlace, WidgetSession } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { eventually, gate } from '@parlance/fixtures';
import { type Organization, World } from '../testing/world.js';
import { forgetTickets } from './tickets.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(() => {
  world.neighbours.noPlace = undefined;
});

const deadSession = '00000000-0000-4000-8000-00000000dead';

interface Answer {
  readonly session?: WidgetSession;
  readonly queue?: WidgetQueuePlace;
  readonly code?: string;
  readonly retryAfterSeconds?: number | undefined;
}

const queueOf = ({ details }: AppError): WidgetQueuePlace | undefined =>
  Object(details).queue as WidgetQueuePlace | undefined; // the contract's shape, whose parts the tests compare

/** One request for a session. Addresses differ unless a test says otherwise. */
const ask = async (widgetId: string, address: string, queueTicket?: string): Promise<Answer> => {
  try {
    const body = queueTicket === undefined ? {} : { queueTicket };
    return { session: await world.startSession(widgetId, body, { address }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, retryAfterSeconds } = error;
    const queue = queueOf(error);
    return { code, retryAfterSeconds, ...(queue && { queue }) };
  }
};

/** Asks for the first time and has to wait. */
const join = async (widgetId: string, address: string): Promise<WidgetQueuePlace> => {
  const { queue, ...answer } = await ask(widgetId, address);
  if (queue === undefined) throw new Error(`has not to wait: ${JSON.stringify(answer)}`);
  return queue;
};

const opened = ({ session, ...answer }: Answer): WidgetSession => {
  if (session === undefined) throw new Error(`not opened: ${JSON.stringify(answer)}`);
  return session;
};

const withQueue = async (org: Organization, places: number, queue: object = {}): Promise<string> => {
  const limits = { maxConcurrentSessions: places, sessionsPerIpPerHour: 1_000 };
  return (await org.create({ limits, queue: { enabled: true, ...queue } })).id;
};

const end = (widgetId: string, { sessionId, endToken }: WidgetSession) =>
  world.endSession(widgetId, sessionId, endToken);

/** Lets the visitor of this ticket be away for a time. */
const stayAway = (ticket: string, seconds: number) =>
  world.db.query(
    `update widget_queue_tickets set shown_at = shown_at - make_interval(secs => $2) where ticket = $1`,
    [sha256(ticket), seconds],
  );

const ticketsOf = async (widgetId: string): Promise<number> =>
  (await world.db.query('select 1 from widget_queue_tickets where widget_id = $1', [widgetId])).rowCount;

describe('a visitor who finds no place', () => {
  it('is told a place in the queue, when to ask again, and the text of the widget', async () => {
    const id = await withQueue(world.organization(), 1, { text: 'One moment, please.' });
    const config = await world.config(id);
    expect(config).toMatchObject({
      language: 'de-CH',
      queue: { enabled: true, text: 'One moment, please.' },
    });
    expect(config.queue).not.toHaveProperty('maxWaiting');
    const first = await ask(id, 'a');
    for (let position = 1; position <= 5; position += 1)
      expect(await ask(id, `b${position}`)).toEqual({
        ...{ code: 'CONCURRENCY_LIMIT', retryAfterSeconds: Math.min(5, position + 1) },
        queue: { ticket: expect.stringMatching(/^[\w-]{43}$/), position, text: 'One moment, please.' },
      });
    await end(id, opened(first));
  });

  it('waits behind those who came before, and no newcomer takes a place that is free for them', async () => {
    const id = await withQueue(world.organization(), 1);
    const first = opened(await ask(id, 'a'));
    const [second, third] = [await join(id, 'b'), await join(id, 'c')];
    await end(id, first);
    expect((await ask(id, 'newcomer')).queue?.position).toBe(3);
    expect((await ask(id, 'c', third.ticket)).queue?.position).toBe(2);
    await end(id, opened(await ask(id, 'b', second.ticket)));
    expect((await ask(id, 'other newcomer')).queue?.position).toBe(3);
    opened(await ask(id, 'c', third.ticket));
  });

  it('is served in turn, although 24 visitors ask again and again at the same moments', async () => {
    const id = await withQueue(world.organization(), 1, { maxWaiting: 100 });
    let session = opened(await ask(id, 'first'));
    let waiting: { readonly address: string; readonly ticket: string }[] = [];
    for (let index = 0; index < 24; index += 1) {
      const address = `waiting-${index}`;
      waiting.push({ address, ticket: (await join(id, address)).ticket });
    }
    const inTurn = waiting.map(({ address }) => address);
    const served: string[] = [];
    while (waiting.length > 0) {
      await end(id, session);
      const answers = await Promise.all(
        waiting.map(async (visitor) => ({
          visitor,
          answer: await ask(id, visitor.address, visitor.ticket),
        })),
      );
      const lucky = answers.filter(({ answer }) => answer.session !== undefined);
      expect(lucky).toHaveLength(1);
      for (const { visitor, answer } of lucky) {
        session = opened(answer);
        served.push(visitor.address);
        waiting = waiting.filter(({ ticket }) => ticket !== visitor.ticket);
      }
    }
    expect(served).toEqual(inTurn);
    expect(await ticketsOf(id)).toBe(0);
  });

  it('waits in the same queue when the organization has no place, and only the first asks the dialer', async () => {
    const id = await withQueue(world.organization(), 10);
    world.neighbours.noPlace = 'CONCURRENCY_LIMIT';
    const first = await join(id, 'a');
    const before = world.neighbours.placesAsked;
    const second = await join(id, 'b');
    expect([first.position, second.position]).toEqual([1, 2]);
    expect((await ask(id, 'b', second.ticket)).queue?.position).toBe(2);
    expect(world.neighbours.placesAsked).toBe(before);
    expect((await ask(id, 'a', first.ticket)).queue?.position).toBe(1);
    expect(world.neighbours.placesAsked).toBe(before + 1);
    world.neighbours.noPlace = undefined;
    expect((await ask(id, 'newcomer')).queue?.position).toBe(3);
    expect((await ask(id, 'b', second.ticket)).queue?.position).toBe(2);
    opened(await ask(id, 'a', first.ticket));
    opened(await ask(id, 'b', second.ticket));
    const { rows } = await world.db.query<{ sessions: number }>(
      'select count(*)::int as sessions from widget_sessions where widget_id = $1',
      [id],
    );
    expect(rows).toEqual([{ sessions: 2 }]);
  });

  it('uses up no session of the address by waiting', async () => {
    const org = world.organization();
    const limits = { maxConcurrentSessions: 1, sessionsPerIpPerHour: 1 };
    const { id } = await org.create({ limits, queue: { enabled: true } });
    const first = opened(await ask(id, 'a'));
    const { ticket } = await join(id, 'b');
    for (let asked = 0; asked < 5; asked += 1)
      expect((await ask(id, 'b', ticket)).queue).toMatchObject({ ticket, position: 1 });
    await end(id, first);
    opened(await ask(id, 'b', ticket));
    expect((await ask(id, 'b')).code).toBe('RATE_LIMITED');
  });
});

describe('a ticket', () => {
  it('loses its place when it was not shown for 30 seconds, and those behind move up', async () => {
    const id = await withQueue(world.organization(), 1);
    const session = opened(await ask(id, 'a'));
    const [gone, patient] = [await join(id, 'b'), await join(id, 'c')];
    await stayAway(gone.ticket, 25);
    expect((await ask(id, 'c', patient.ticket)).queue?.position).toBe(2);
    await stayAway(gone.ticket, 10);
    expect((await ask(id, 'c', patient.ticket)).queue?.position).toBe(1);
    expect(await ask(id, 'b', gone.ticket)).toMatchObject({ code: 'QUEUE_PLACE_LOST' });
    await end(id, session);
    opened(await ask(id, 'c', patient.ticket));
    await forgetTickets(world.db);
    expect(await ticketsOf(id)).toBe(0);
  });

  it('is good for its own widget and address alone, and an invented one brings nobody in', async () => {
    const org = world.organization();
    const [id, other] = [await withQueue(org, 1), await withQueue(org, 1)];
    const without = (await org.create()).id;
    opened(await ask(id, 'a'));
    const { ticket } = await join(id, 'b');
    const lost = { code: 'QUEUE_PLACE_LOST' };
    expect(await ask(id, 'c', ticket)).toMatchObject(lost);
    expect(await ask(id, 'b', `${ticket.slice(1)}x`)).toMatchObject(lost);
    expect(await ask(other, 'b', ticket)).toMatchObject(lost);
    expect(await ask(without, 'b', ticket)).toMatchObject(lost);
    expect((await ask(id, 'b', ticket)).queue?.position).toBe(1);
    const { rows } = await world.db.query<{ row: string }>(
      'select t::text as row from widget_queue_tickets t where widget_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(ticket);
  });

  it('opens one session, although it is shown again while the session is being opened', async () => {
    const id = await withQueue(world.organization(), 3);
    const sessions = [];
    for (const address of ['a', 'b', 'c']) sessions.push(opened(await ask(id, address)));
    const { ticket } = await join(id, 'd');
    for (const session of sessions) await end(id, session);
    const answer = gate();
    world.neighbours.dialerIsSlow = answer.opened;
    const before = world.neighbours.placesAsked;
    const first = ask(id, 'd', ticket);
    await eventually(() => expect(world.neighbours.placesAsked).toBe(before + 1));
    expect((await ask(id, 'd', ticket)).queue).toMatchObject({ ticket, position: 1 });
    answer.open();
    opened(await first);
    expect(world.neighbours.placesAsked).toBe(before + 1);
    expect((await ask(id, 'd', ticket)).code).toBe('QUEUE_PLACE_LOST');
  });

  it('keeps its place when the copy of the service dies that serves its visitor', async () => {
    const id = await withQueue(world.organization(), 1);
    const session = opened(await ask(id, 'a'));
    const [first, second] = [await join(id, 'b'), await join(id, 'c')];
    await end(id, session);
    // The rows of a session whose opener died.
    await world.db.query(
      `insert into widget_sessions (id, organization_id, widget_id, call_id, room_name, end_token, address, context, ends_at)
       select $2::uuid, organization_id, id, $2::text, 'wg_dead', 'x', 'b', '{}', now() + interval '2 seconds' from widgets where id = $1`,
      [id, deadSession],
    );
    await world.db.query('update widget_queue_tickets set session_id = $2 where ticket = $1', [
      sha256(first.ticket),
      deadSession,
    ]);
    expect((await ask(id, 'b', first.ticket)).queue?.position).toBe(1);
    expect((await ask(id, 'c', second.ticket)).code).toBe('CONCURRENCY_LIMIT');
    await eventually(async () => opened(await ask(id, 'b', first.ticket)));
  });

  it('keeps its place while the media server is away, and a newcomer leaves none behind', async () => {
    const id = await withQueue(world.organization(), 1);
    const session = opened(await ask(id, 'a'));
    const { ticket } = await join(id, 'b');
    await end(id, session);
    await world.media.fault('5xx-before');
    expect((await ask(id, 'b', ticket)).code).toBe('PROVIDER_UNAVAILABLE');
    await world.media.fault('ok');
    opened(await ask(id, 'b', ticket));
    const other = await withQueue(world.organization(), 1);
    await world.media.fault('5xx-before');
    expect((await ask(other, 'a')).code).toBe('PROVIDER_UNAVAILABLE');
    await world.media.fault('ok');
    expect(await ticketsOf(other)).toBe(0);
  });
});

describe('the queue', () => {
  it('has an end, and no address holds more than a quarter of it', async () => {
    const id = await withQueue(world.organization(), 1, { maxWaiting: 8 });
    opened(await ask(id, 'a'));
    const full = { code: 'CONCURRENCY_LIMIT', retryAfterSeconds: 10 };
    const fromOne = await Promise.all(Array.from({ length: 12 }, () => ask(id, 'office')));
    expect(fromOne.filter(({ queue }) => queue !== undefined)).toHaveLength(2);
    expect(fromOne.filter(({ queue }) => queue === undefined)).toEqual(Array(10).fill(full));
    const others = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(id, `home-${index}`)));
    const positions = others.flatMap(({ queue }) => queue?.position ?? []);
    expect(positions.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(others.filter(({ queue }) => queue === undefined)).toEqual(Array(6).fill(full));
  });

  it('goes with its widget', async () => {
    const org = world.organization();
    const id = await withQueue(org, 1);
    opened(await ask(id, 'a'));
    await join(id, 'b');
    await org.delete(id);
    expect(await ticketsOf(id)).toBe(0);
  });

  it('is off unless the organization wants it, for widgets that were made before there was one too', async () => {
    const org = world.organization();
    const { id, queue } = await org.create({ limits: { maxConcurrentSessions: 1 } });
    expect(queue).toEqual({ enabled: false, maxWaiting: 20, text: null });
    await world.db.query(`update widgets set document = document - 'queue' where id = $1`, [id]);
    expect((await org.get(id)).queue).toEqual(queue);
    opened(await ask(id, 'a'));
    expect(await ask(id, 'b')).toEqual({ code: 'CONCURRENCY_LIMIT', retryAfterSeconds: 10 });
    const on = await org.update(id, { queue: { enabled: true, text: 'Soon' } });
    expect(on.queue).toEqual({ enabled: true, maxWaiting: 20, text: 'Soon' });
  });
});
