// A room that a browser joins names the call that it holds, and tells nothing else. The service that made the room
// tells the rest, after any first webhook.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callContext, events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { startClockedReconciler } from '../testing/clocked-reconciler.js';
import { agent } from '../testing/dialled.js';
import { World } from '../testing/world.js';

let world: World;
let db: Database;
beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
});

const visitor = { identity: 'preview_1', kind: 'standard', attributes: {}, disconnectReason: null };

const preview = () => {
  const organizationId = randomUUID();
  const context = callContext({
    callId: randomUUID(),
    organizationId,
    agentId: randomUUID(),
    configVersion: 7,
    channel: 'preview',
    direction: 'inbound',
    dynamicVariables: { name: 'Ada' },
    metadata: { ticket: 1 },
  });
  const { callId } = context;
  return { organizationId, context, callId, room: { name: `pv_${callId}`, metadata: { callId } } };
};
const expected = {
  ...{ channel: 'preview', direction: 'inbound', configVersion: 7 },
  ...{ dynamicVariables: { name: 'Ada' }, metadata: { ticket: 1 } },
};

describe('a room that names its call alone', () => {
  it.each([
    ['in their order', ['room_started', 'participant_joined']],
    ['the other way round', ['participant_joined', 'room_started']],
  ])('becomes the whole record of the preview when its webhooks come %s', async (_, types) => {
    const { organizationId, context, callId, room } = preview();
    world.previewCalls = new Map([[callId, context]]);
    for (const type of types) {
      const participant = type === 'participant_joined' ? visitor : undefined;
      expect(await world.roomEvent(type, room, participant)).toBe(true);
    }
    await eventually(async () =>
      expect(await world.get(organizationId, callId)).toMatchObject({
        ...expected,
        agentId: context.agentId,
      }),
    );
    // The call is on record by now: its other webhooks do not need agents-config, and the last one may come much later.
    world.previewCalls = undefined;
    expect(await world.roomEvent('participant_joined', room, agent)).toBe(true);
    expect(await world.roomEvent('room_finished', room)).toBe(true);
    await eventually(async () =>
      expect(await world.get(organizationId, callId)).toMatchObject({ ...expected, status: 'in_progress' }),
    );
  });

  it('is stored while agents-config is away, and recorded when it answers', async () => {
    const { organizationId, context, callId, room } = preview();
    world.previewCalls = undefined;
    expect(await world.roomEvent('room_started', room)).toBe(true);
    world.previewCalls = new Map([[callId, context]]);
    await eventually(async () => expect(await world.get(organizationId, callId)).toMatchObject(expected), {
      timeoutMs: 60_000,
    });
  });

  it('of a call that no service knows becomes no call', async () => {
    const { organizationId, callId, room } = preview();
    world.previewCalls = new Map();
    expect(await world.roomEvent('room_started', room)).toBe(true);
    await eventually(async () =>
      expect((await db.query('select from room_reports where call_id = $1', [callId])).rowCount).toBe(0),
    );
    await expect(world.get(organizationId, callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
  });

  it('is found by looking at the rooms when each of its webhooks was lost', async () => {
    const { organizationId, context, callId, room } = preview();
    world.previewCalls = new Map([[callId, context]]);
    await world.rooms.createRoom({ ...room, emptyTimeoutSeconds: 600 });
    const reconciler = startClockedReconciler(world);
    reconciler.aheadMs = 60_000;
    await eventually(async () => expect(await world.get(organizationId, callId)).toMatchObject(expected), {
      timeoutMs: 60_000,
    });
    await reconciler.stop();
    await world.rooms.deleteRoom(room.name);
  });
});

/** The context of an announced call, as it is stored. */
const stored = (callId: string): Promise<string> =>
  eventually(async () => {
    const { rows } = await db.query<{ context: string }>(
      'select context from browser_calls where call_id = $1',
      [callId],
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.context ?? '';
  });

describe('the room of a widget', () => {
  const consent = {
    type: 'widget',
    granted: true,
    at: '2026-03-31T12:00:00.000Z',
    textVersion: '7',
  } as const;
  const widgetCall = () => {
    const { organizationId, callId, context } = preview();
    const widgetId = randomUUID();
    const call = {
      ...context,
      ...{ channel: 'widget', widgetId, consent, metadata: { pageUrl: 'https://a.example/' } },
    };
    const widget = callContext({ ...call, channel: 'widget' });
    return { organizationId, callId, widgetId, widget, room: { name: `wg_${callId}`, metadata: { callId } } };
  };

  it('becomes a call with its page and the version of the consent, also while agents-config is away', async () => {
    const { organizationId, callId, widgetId, widget, room } = widgetCall();
    world.previewCalls = undefined;
    world.widgetCalls = new Map([[callId, widget]]);
    expect(await world.roomEvent('room_started', room)).toBe(true);
    const known = { channel: 'widget', widgetId, consent, metadata: { pageUrl: 'https://a.example/' } };
    await eventually(async () => expect(await world.get(organizationId, callId)).toMatchObject(known));
    // Later webhooks repeat the recorded facts, and add none.
    for (const type of ['participant_joined', 'participant_joined'])
      expect(await world.roomEvent(type, room, visitor)).toBe(true);
    expect(await world.get(organizationId, callId)).toMatchObject(known);
  });

  it('becomes the call that widgets announced, and requests nothing of any service', async () => {
    const { organizationId, callId, widgetId, widget, room } = widgetCall();
    await world.announce(events.sessionStarted, organizationId, { callId, context: widget });
    await stored(callId);
    world.previewCalls = undefined;
    world.widgetCalls = undefined;
    expect(await world.roomEvent('room_started', room)).toBe(true);
    await eventually(async () =>
      expect(await world.get(organizationId, callId)).toMatchObject({
        ...{ channel: 'widget', widgetId, consent, dynamicVariables: { name: 'Ada' } },
      }),
    );
  });

  it('is found by its announcement also where no service answers and each webhook was lost', async () => {
    const { organizationId, callId, widget, room } = widgetCall();
    await world.announce(events.sessionStarted, organizationId, { callId, context: widget });
    await stored(callId);
    world.previewCalls = undefined;
    world.widgetCalls = undefined;
    await world.rooms.createRoom({ ...room, emptyTimeoutSeconds: 600 });
    const reconciler = startClockedReconciler(world);
    reconciler.aheadMs = 60_000;
    await eventually(async () => expect((await world.get(organizationId, callId)).channel).toBe('widget'), {
      timeoutMs: 60_000,
    });
    await reconciler.stop();
    await world.rooms.deleteRoom(room.name);
  });

  it('lies sealed until its call is recorded, and for two days', async () => {
    const { organizationId, callId, widget } = widgetCall();
    await world.announce(events.sessionStarted, organizationId, { callId, context: widget });
    const context = await stored(callId);
    for (const personal of ['Ada', 'a.example']) expect(context).not.toContain(personal);
    await db.query(`update browser_calls set stored_at = now() - interval '49 hours' where call_id = $1`, [
      callId,
    ]);
    await world.restart();
    await eventually(async () =>
      expect((await db.query('select from browser_calls where call_id = $1', [callId])).rowCount).toBe(0),
    );
  });

  it('is stored while the service widgets is away, and recorded when it answers', async () => {
    const { organizationId, callId, widget, room } = widgetCall();
    world.previewCalls = new Map();
    world.widgetCalls = undefined;
    expect(await world.roomEvent('room_started', room)).toBe(true);
    world.widgetCalls = new Map([[callId, widget]]);
    await eventually(async () => expect((await world.get(organizationId, callId)).channel).toBe('widget'), {
      timeoutMs: 60_000,
    });
  });
});
