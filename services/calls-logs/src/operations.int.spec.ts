// Work of operators while the service runs, by command as they do it.
import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { runServiceCommand } from '@parlance/ops';
import { createDatabase } from '@parlance/postgres';
import { ReadinessCollector } from '@parlance/rpc';
import { operations } from './operations.js';
import { finishedCall, userOf, World } from './testing/world.js';

describe('commands on a running service', () => {
  let world: World;
  let readiness: ReadinessCollector;
  const organizationId = randomUUID();
  const call = finishedCall(organizationId);

  const run = async (...args: readonly string[]) => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const { POSTGRES_URL, EVENTSTORE_URL, MONGODB_URL, KEK_ID, KEK } = world.env;
    const secrets = { POSTGRES_URL, EVENTSTORE_URL, MONGODB_URL, KEK };
    const revealed = Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]);
    const variables = { ...Object.fromEntries(revealed), KEK_ID };
    const input = Readable.from([]);
    const status = await runServiceCommand(operations, { args, variables, input, output, errors });
    return { status, output: String(output.read() ?? ''), errors: String(errors.read() ?? '') };
  };

  beforeAll(async () => {
    world = await World.start();
    readiness = new ReadinessCollector(world.nats);
    await world.ingest(call);
    await eventually(async () => expect(await world.list(organizationId)).toHaveLength(1));
  });
  afterAll(async () => {
    readiness?.stop();
    await world?.stop();
  });

  const parked = () => readiness.reports().get('calls-logs')?.parked;

  it('print a stream, and what identifies a person only when asked', async () => {
    const sealed = await run('cat', `call-${call.callId}`);
    expect(sealed.status).toBe(0);
    expect(sealed.output).toMatch(/^ {3}0 {2}CallDescribed v1 /);
    expect(sealed.output).toContain(`agentId: ${call.agentId}`);
    expect(sealed.output).toMatch(/personal: sealed, \d+ characters/);
    expect(sealed.output).not.toContain(call.fromNumber);
    const opened = await run('cat', `call-${call.callId}`, '--personal');
    expect(opened.output).toContain(call.fromNumber);
    expect(opened.output).toContain('line 2');
    const lines = (await run('cat', `call-${call.callId}`, '--json', '--from', '1', '--limit', '1')).output;
    expect(JSON.parse(lines)).toMatchObject({ revision: 1, stream: `call-${call.callId}` });
    expect(await run('cat', 'call-nobody')).toMatchObject({
      status: 2,
      errors: expect.stringContaining('There is no stream "call-nobody".'),
    });
  });

  it('make its read models anew while it answers', async () => {
    const rebuilt = await run('rebuild', 'all');
    expect(rebuilt).toMatchObject({ status: 0, errors: '' });
    expect(rebuilt.output).toMatch(/call-index: made anew from \d+ events in [\d.]+ s\./);
    expect(rebuilt.output).toMatch(/call-documents: made anew from \d+ events in [\d.]+ s\./);
    expect(await world.list(organizationId)).toHaveLength(1);
    const turns = { params: { callId: call.callId }, query: {} };
    expect(await world.ask(contract.callsTranscripts, turns, userOf(organizationId))).toHaveLength(3);
    const next = finishedCall(organizationId);
    await world.ingest(next);
    await eventually(async () => expect(await world.list(organizationId)).toHaveLength(2), {
      timeoutMs: 60_000,
    });
  });

  it('show set-aside events on readiness, and apply them when what was wrong is mended', async () => {
    const db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
    const poisoned = finishedCall(organizationId);
    await db.query(
      `alter table call_index add constraint poison check (agent_id <> '${poisoned.agentId}') not valid`,
    );
    await world.ingest(poisoned);
    await world.ingest(finishedCall(organizationId));
    await eventually(async () => expect(await world.list(organizationId)).toHaveLength(3), {
      timeoutMs: 60_000,
    });
    await eventually(() => expect(parked()).toBeGreaterThan(0), { timeoutMs: 60_000 });
    const waits = await run('replay', 'call-index');
    expect(waits.status).toBe(1);
    expect(waits.output).toContain(`call-${poisoned.callId}: still waits`);
    await db.query('alter table call_index drop constraint poison');
    expect(await run('replay', 'call-index')).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^call-\S+: \d events? applied\n$/),
    });
    expect((await run('replay', 'call-index')).output).toBe('call-index has nothing set aside.\n');
    expect(await world.list(organizationId)).toHaveLength(4);
    await eventually(() => expect(parked()).toBe(0), { timeoutMs: 60_000 });
    await db.end();
  }, 240_000);

  it('find what a request led to', async () => {
    const requestId = `req-${randomUUID()}`;
    const traced = finishedCall(organizationId);
    const gateway = {
      ...userOf(''),
      actor: { type: 'platform' as const, id: 'gateway' },
      role: 'platform' as const,
    };
    const context = { caller: gateway, requestId };
    await world.rpc.call(contract.callsIngest, { body: traced }, context);
    const { status, output } = await run('trace', requestId);
    expect(status).toBe(0);
    expect(output).toMatch(/event +CallDescribed +call-\S+ @0 +by platform:/);
    expect(output).toContain(`call-${traced.callId}`);
    expect(await run('trace', 'req-unknown')).toMatchObject({
      status: 1,
      output: expect.stringContaining('Nothing is known of this request.'),
    });
  });
});
