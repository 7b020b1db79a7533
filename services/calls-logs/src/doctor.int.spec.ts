// The doctor's checks of this service, with faults that are made on purpose after the service has stopped.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { diagnose, thisMachine } from '@parlance/doctor';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectMongo } from '@parlance/postgres/mongo';
import { checks } from './doctor.js';
import { followers } from './followers.js';
import { finishedCall, World } from './testing/world.js';

let world: World;
let db: Database;
const organizationId = randomUUID();
const call = finishedCall(organizationId);

beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
  await world.ingest(call);
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
});

const look = async (now = Date.now()) => {
  const { POSTGRES_URL, EVENTSTORE_URL, MONGODB_URL } = world.env;
  const variables = {
    POSTGRES_URL: POSTGRES_URL.reveal(),
    EVENTSTORE_URL: EVENTSTORE_URL.reveal(),
    MONGODB_URL: MONGODB_URL.reveal(),
  };
  const machine = { ...thisMachine, now: () => now };
  const report = await diagnose({ places: [{ process: 'calls-logs', variables }], checks, machine });
  expect(report.looked.map(({ check }) => check)).toEqual(checks.map(({ name }) => name));
  return report.findings.map(({ code, subject, seen, advice }) => ({ code, subject, seen, advice }));
};
const inAnHour = () => Date.now() + 3_600_000;

it('knows everything that follows streams, and has no finding once all of it is done', async () => {
  await eventually(async () => {
    const { rows } = await db.query<{ id: string }>('select id from projection_checkpoints');
    expect(rows.map(({ id }) => id).sort()).toEqual(followers.map(({ id }) => id).sort());
    expect(await look(inAnHour())).toEqual([]);
  });
});

it('finds a checkpoint that stays behind, and an index that is gone, which the next start makes again', async () => {
  await world.restart(async () => {
    const at = `update projection_checkpoints c set position = $1 from projection_checkpoints before
      where c.id = 'call-index' and before.id = c.id returning before.position::text as position`;
    const { rows } = await db.query<{ position: string }>(at, ['-1']);
    expect(await look()).toEqual([]);
    expect(await look(inAnHour())).toEqual([
      {
        ...{ code: 'CHECKPOINT_BEHIND', subject: 'call-index' },
        seen: expect.stringMatching(/ 3[56]\d\d seconds old/),
        advice: expect.stringContaining('goes on at its checkpoint'),
      },
    ]);
    await db.query(at, [rows[0]?.position]);

    const { MONGODB_URL: url, MONGODB_DATABASE: database } = world.env;
    const mongo = connectMongo({ url, appName: 'test', database });
    await mongo.db.collection('sealed_live_calls').dropIndex('organizationId_1_startedAt_-1__id_-1');
    await mongo.close();
    expect(await look()).toEqual([
      expect.objectContaining({
        ...{ code: 'MONGODB_INDEX_MISSING', subject: 'sealed_live_calls' },
        advice: expect.stringContaining('Restart calls-logs'),
      }),
    ]);
  });
  await eventually(async () => expect(await look(inAnHour())).toEqual([]));
});

it('finds webhooks that do not arrive, by the id of their organization alone', async () => {
  const endpoint = (id: string, state: string, values: string) =>
    db.query(
      `insert into webhook_endpoints (id, organization_id, origin, next_due_at, ${state})
       values ($1, $2, 'https://receiver.example.com', now() + interval '1 hour', ${values})`,
      [id, organizationId],
    );
  await endpoint('new', 'failing_since', `now() - interval '1 minute'`);
  expect(await look()).toEqual([]);
  await endpoint('old', 'failing_since', `now() - interval '1 hour'`);
  await endpoint('off', 'failing_since, disabled_at', `now() - interval '9 days', now() - interval '1 day'`);
  const found = await look();
  expect(found).toEqual([
    {
      ...{ code: 'WEBHOOKS_FAILING', subject: `organization ${organizationId}` },
      seen: expect.stringMatching(/^1 of its addresses have failed for up to 36\d\d seconds/),
      advice: expect.stringContaining('Tell the organization'),
    },
    {
      ...{ code: 'WEBHOOKS_SWITCHED_OFF', subject: `organization ${organizationId}` },
      seen: '1 of its addresses are switched off.',
      advice: expect.stringContaining('saves the configuration'),
    },
  ]);
  expect(JSON.stringify(found)).not.toContain('receiver.example.com');
});
