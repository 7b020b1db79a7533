// Every way in which a session ends takes its room away and gives its place back.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { events, type WidgetSession } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { endedCall } from '@parlance/fixtures/service';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.js';
import { type Organization, roomOf, World } from '../testing/world.js';

let world: World;
let copies: ServiceProcess[] = [];
const newCopy = (): ServiceProcess => startServiceProcess({ ...world.variables, LOG_LEVEL: 'error' });
const anybody = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  world = await World.startNeighbours();
  copies = [newCopy()];
  // An answer shows that the copy has started.
  await eventually(async () => {
    const error = await world.config(anybody).catch((reason: { code: string }) => reason.code);
    expect(error).toBe('WIDGET_NOT_FOUND');
  });
}, 120_000);
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.kill()));
  await world?.stop();
});

interface Row {
  readonly call_id: string;
  readonly ended_by: string | null;
  readonly late: number;
}

/** The row of a session, and the seconds between its deadline and its clean-up. */
const rowOf = async ({ sessionId }: WidgetSession): Promise<Row | undefined> => {
  const { rows } = await world.db.query<Row>(
    `select call_id, ended_by, extract(epoch from cleaned_at - ends_at)::float8 as late
     from widget_sessions where id = $1`,
    [sessionId],
  );
  return rows[0];
};

const untilGone = async (session: WidgetSession, by: string): Promise<void> => {
  await eventually(async () => expect(await world.roomNames()).not.toContain(session.roomName));
  await eventually(async () => {
    const row = await rowOf(session);
    expect(row?.ended_by).toBe(by);
    expect(world.neighbours.givenBack.get(row?.call_id ?? '')).toBeGreaterThanOrEqual(0);
    expect(world.neighbours.places).not.toContain(row?.call_id);
    expect(row?.late).toEqual(expect.any(Number));
  });
};

/** A widget with a limit that is shorter than the interface takes, so that the test is. */
const hasty = async (org: Organization, seconds: number): Promise<string> => {
  const { id } = await org.create();
  await world.db.query(
    `update widgets set document = jsonb_set(document, '{limits,maxSessionSeconds}', to_jsonb($2::int)) where id = $1`,
    [id, seconds],
  );
  return id;
};

describe('a session', () => {
  it('never outlives its limit by more than five seconds, although the only copy of the service is killed', async () => {
    const id = await hasty(world.organization(), 4);
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => world.startSession(id)));
    await copies[0]?.kill();
    copies = [newCopy()];
    for (const session of sessions) await untilGone(session, 'time');
    for (const session of sessions) {
      const { late = Number.NaN } = (await rowOf(session)) ?? {};
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(5);
    }
  });

  it('is ended by another copy when the one that opened it is dead', async () => {
    copies.push(newCopy());
    const id = await hasty(world.organization(), 3);
    const sessions = await Promise.all([1, 2, 3].map(() => world.startSession(id)));
    // Either copy may have opened it, and one of the two is left.
    await copies.shift()?.kill();
    for (const session of sessions) await untilGone(session, 'time');
    for (const session of sessions) expect((await rowOf(session))?.late).toBeLessThan(5);
  });

  it('ends when its widget is disabled or its room is gone, and when calls-logs tells of the end', async () => {
    const org = world.organization();
    const widget = await org.create();
    const session = await world.startSession(widget.id);
    await org.update(widget.id, { enabled: false });
    await untilGone(session, 'widget');
    await org.update(widget.id, { enabled: true });
    const [left, told] = [await world.startSession(widget.id), await world.startSession(widget.id)];
    await world.media.rooms.deleteRoom(roomOf(left).roomName);
    const callId = (await rowOf(told))?.call_id ?? '';
    await world.announce(events.callEnded, org.id, endedCall({ callId, agentId: org.agentId }));
    await untilGone(told, 'room');
    await untilGone(left, 'room');
  });

  it('whose widget is deleted leaves no row', async () => {
    const org = world.organization();
    const widget = await org.create();
    const session = await world.startSession(widget.id);
    const callId = (await rowOf(session))?.call_id ?? '';
    await org.delete(widget.id);
    await eventually(async () => expect(await rowOf(session)).toBeUndefined());
    expect(await world.roomNames()).not.toContain(session.roomName);
    expect(world.neighbours.givenBack.get(callId)).toBeGreaterThanOrEqual(0);
  });
});
