// How the contexts of sessions lie in Postgres, beside processes of releases that read them in the clear alone.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceRequests, type WidgetSession } from '@parlance/contracts';
import { createDatabase } from '@parlance/postgres';
import { Env } from '../index.js';
import { sealing } from '../sealed-columns.js';
import { roomOf, visitorOf, World } from '../testing/world.js';
import { contextBinding } from './session-contexts.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world?.stop());

const begin = async (): Promise<WidgetSession> => {
  const { id } = await world.organization().create({ allowedVariables: ['city'] });
  return world.startSession(id, { dynamicVariables: { city: 'Reykjavik' } });
};

const contextOf = async (session: WidgetSession) => {
  const [room] = await world.media.rooms.listRooms([roomOf(session).roomName]);
  const { callId } = JSON.parse(room?.metadata ?? '{}');
  const caller = { ...visitorOf({}), role: 'platform' as const };
  return (await world.ask(serviceRequests.widgetsSessionCall, { body: { callId } }, caller)).context;
};

const storedOf = async ({ sessionId }: WidgetSession): Promise<string> => {
  const { rows } = await world.db.query<{ stored: string }>(
    'select context::text as stored from widget_sessions where id = $1',
    [sessionId],
  );
  return rows[0]?.stored ?? '';
};

/** A process of 0.2.0 while `work` runs: it has the lock of its release alone. */
const besideOlder = async <T>(work: () => Promise<T>): Promise<T> => {
  const older = createDatabase({
    url: Env.parse(world.variables).POSTGRES_URL,
    applicationName: 'older',
    max: 1,
  });
  try {
    await older.hold('release:1');
    await world.restart();
    return await work();
  } finally {
    await older.end();
  }
};

describe('the context of a session', () => {
  it('lies sealed, and reads as it was', async () => {
    const session = await begin();
    const stored = await storedOf(session);
    expect(stored).toMatch(/^"v1\./);
    expect(stored).not.toContain('Reykjavik');
    expect((await contextOf(session))?.dynamicVariables).toEqual({ city: 'Reykjavik' });
  });

  it('lies in the clear while a process runs that cannot read the sealed form, and reads the same after it', async () => {
    const session = await besideOlder(begin);
    expect(JSON.parse(await storedOf(session))).toMatchObject({ dynamicVariables: { city: 'Reykjavik' } });
    await world.restart();
    expect((await contextOf(session))?.dynamicVariables).toEqual({ city: 'Reykjavik' });
    expect(await storedOf(await begin())).toMatch(/^"v1\./);
  });

  it('is found by a rotation of the key-encryption key where it is sealed, and only there', () => {
    const column = sealing.sealedColumns.find(({ table }) => table === 'widget_sessions');
    const id = '0198c0de-0000-7000-8000-0000000000ac';
    const envelope = world.keyring.seal(Buffer.from('{}'), contextBinding(id));
    const changed = (value: string) =>
      column?.visit(value, { id }, (sealed, binding) => `${binding} ${sealed.length}`, world.keyring);
    expect(changed(JSON.stringify(envelope))).toBe(`"${contextBinding(id)} ${envelope.length}"`);
    const clear = JSON.stringify({ metadata: { note: envelope } });
    expect(changed(clear)).toBe(clear);
  });
});
