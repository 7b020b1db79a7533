// A transcript that grows while the call lasts: over NATS, of a whole service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events, type Transcript } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { dialled } from '../testing/dialled.js';
import { finishedCall, userOf, World } from '../testing/world.js';
import { sweepLiveTurns } from './forget-live-turns.js';

let world: World;
let db: Database;
beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test' });
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
});

const code = (expected: string) => expect.objectContaining({ code: expected });

/** Event `seq` tells turn `turnSeq`. */
const said = (seq: number, text = `live ${seq}`, turnSeq = seq) => ({
  seq,
  at: '2026-03-01T10:00:10.000Z',
  type: 'turn',
  turn: { seq: turnSeq, role: turnSeq % 2 === 0 ? 'agent' : 'user', text, startMs: turnSeq * 1_000 },
});

describe('the progress of a call', () => {
  let org: string;
  let call: ReturnType<typeof dialled>;
  beforeEach(() => {
    org = randomUUID();
    call = dialled(org);
  });

  const begin = async () => {
    await world.announce(events.attemptStarted, org, call.started);
    // Two read models: the live calls, and the index that decides whose call it is.
    await eventually(async () => expect(await world.live(org)).toHaveLength(1));
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
  };
  const tell = (told: readonly object[], as: { org?: string; agentId?: string; callId?: string } = {}) => {
    const { callId = call.callId, agentId = call.agentId } = as;
    const caller: Caller = {
      organizationId: as.org ?? org,
      actor: { type: 'call', id: callId, agentId },
      role: 'call',
      permissions: [],
    };
    const body = contract.callsProgress.body.parse({ events: told });
    return world.request(contract.callsProgress, { params: { callId }, body }, caller);
  };
  const page = (query: object = {}) =>
    world.request(
      contract.callsTranscripts,
      { params: { callId: call.callId }, query: { limit: '100', ...query } },
      userOf(org),
    );
  const texts = async () => (await page()).data.map(({ text }: Transcript) => text);
  const handOver = (change: object = {}) => {
    const { callId, agentId, outboundCallId, roomName, started } = call;
    const endedAt = new Date().toISOString();
    const times = { startedAt: started.startedAt, answeredAt: started.startedAt, endedAt };
    const about = { agentId, callId, outboundCallId, roomName, direction: 'outbound' };
    return world.ingest(finishedCall(org, { ...about, ...times, durationSeconds: 0, ...change }));
  };
  const left = async () => {
    const { rows } = await db.query<{ count: number }>(
      'select count(*)::int as count from live_turns where call_id = $1',
      [call.callId],
    );
    return rows[0]?.count;
  };

  it('shows as a growing transcript, each event once, in whichever order they come', async () => {
    await begin();
    expect(await texts()).toEqual([]);
    await tell([said(3), said(1)]);
    await Promise.all([tell([said(2), said(1, 'again')]), tell([said(0), said(3, 'again')])]);
    expect(await texts()).toEqual(['live 0', 'live 1', 'live 2', 'live 3']);
    const first = await page({ limit: '3' });
    expect(first.data).toMatchObject([{ id: `${call.callId}.0`, role: 'agent', startMs: 0 }, {}, {}]);
    const rest = await page({ limit: '3', cursor: first.nextCursor });
    expect(rest.data.map(({ seq }) => seq)).toEqual([3]);
    expect(await world.live(org)).toMatchObject([{ callId: call.callId, lastMessage: 'live 3' }]);
    // A turn that was told before its end is told again: of the two, the later event holds.
    await tell([said(9, 'live 3, interrupted', 3), said(8, 'too late', 3)]);
    expect((await texts()).at(-1)).toBe('live 3, interrupted');
    expect(await world.live(org)).toMatchObject([{ lastMessage: 'live 3, interrupted' }]);
  });

  it('is counted once when copies of the runtime tell the same events at the same moment, each in its own order', async () => {
    await begin();
    const events = Array.from({ length: 100 }, (_, seq) => said(seq));
    const orders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? events : events.toReversed()));
    await Promise.all(orders.map((order) => tell(order)));
    expect(await left()).toBe(100);
    const { rows } = await db.query('select turns from live_transcripts where call_id = $1', [call.callId]);
    expect(rows).toEqual([{ turns: 100 }]);
  });

  it('leaves no words in the tables that a person without the key could read', async () => {
    await begin();
    await tell([said(0, 'my account is 4711')]);
    const { rows } = await db.query<{ row: string }>(
      'select l::text as row from live_turns l where call_id = $1',
      [call.callId],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('4711');
  });

  it('is replaced by the hand-over: no turn doubled, none left over, nothing added later', async () => {
    await begin();
    await tell(Array.from({ length: 7 }, (_, seq) => said(seq)));
    await handOver();
    expect(await texts()).toEqual(['line 0', 'line 1', 'line 2']);
    await tell([said(7)]);
    expect(await texts()).toEqual(['line 0', 'line 1', 'line 2']);
    await eventually(async () => expect(await left()).toBe(0));
    await tell([said(8)]);
    expect(await left()).toBe(0);
  });

  it('says what answered each turn, before its hand-over and after it', async () => {
    await begin();
    const turn = {
      ...said(0).turn,
      model: null,
      ttsModel: 'local/kokoro',
      fallbacks: [{ kind: 'tts', from: 'cartesia/sonic-3', to: 'local/kokoro', reason: 'timeout' }],
      timings: { endOfTurnMs: 400, recognitionMs: 200, firstTokenMs: 30, firstSoundMs: 120 },
    };
    await tell([{ ...said(0), turn }]);
    expect((await page()).data).toMatchObject([turn]);
    await handOver({ transcript: [turn] });
    expect((await page()).data).toMatchObject([turn]);
  });

  it('that crosses the hand-over is never seen beside it', async () => {
    await begin();
    await tell([said(0)]);
    const telling = Array.from({ length: 20 }, (_, index) => tell([said(index + 1)]));
    const seen: string[][] = [];
    await Promise.all([
      ...telling,
      handOver(),
      ...Array.from({ length: 10 }, async () => seen.push(await texts())),
    ]);
    for (const one of seen)
      expect(new Set(one.map((text) => text.split(' ')[0])).size).toBeLessThanOrEqual(1);
    expect(await texts()).toEqual(['line 0', 'line 1', 'line 2']);
    await eventually(async () => expect(await left()).toBe(0));
  });

  it('of a call that is not known yet is kept for it', async () => {
    await tell([said(0)]);
    await begin();
    await tell([said(1)]);
    expect(await texts()).toEqual(['live 0', 'live 1']);
    // Kept under the agent of its token: nothing of it shows in a call of another agent.
    const other = dialled(org);
    await tell([said(0, 'not mine')], { callId: other.callId, agentId: randomUUID() });
    call = other;
    await world.announce(events.attemptStarted, org, other.started);
    await eventually(async () => expect(await world.live(org)).toHaveLength(2));
    expect(await texts()).toEqual([]);
  });

  it('of a call of others, or one that ended long ago, is refused', async () => {
    await begin();
    await expect(tell([said(0)], { org: randomUUID() })).rejects.toEqual(code('CALL_NOT_FOUND'));
    await expect(tell([said(0)], { agentId: randomUUID() })).rejects.toEqual(code('CALL_NOT_FOUND'));
    expect(await texts()).toEqual([]);
    const ended = finishedCall(org);
    await world.ingest(ended);
    await eventually(async () => expect(await world.list(org, { status: 'completed' })).toHaveLength(1));
    const { callId, agentId } = ended;
    await expect(tell([said(0)], { callId, agentId })).rejects.toEqual(code('UNAUTHENTICATED'));
  });

  it('may be states and measurements, of which nothing is kept', async () => {
    await begin();
    const at = '2026-03-01T10:00:10.000Z';
    await tell([
      { seq: 0, at, type: 'state', state: 'thinking' },
      { seq: 1, at, type: 'metric', name: 'e2e', ms: 730.5 },
    ]);
    expect(await texts()).toEqual([]);
  });

  it('has as many turns as a hand-over may have, and not one more', async () => {
    await begin();
    for (let from = 0; from < 500; from += 100)
      await tell(Array.from({ length: 100 }, (_, index) => said(from + index)));
    expect(await left()).toBe(500);
    expect((await page()).data).toHaveLength(100);
    await db.query('update live_transcripts set turns = 9999 where call_id = $1', [call.callId]);
    await expect(tell([said(500), said(501)])).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
    await tell([said(500)]);
    await tell([said(500), said(499)]);
    expect(await left()).toBe(501);
  });

  it('of a call that is never handed over stays readable for a week', async () => {
    await begin();
    await tell([said(0)]);
    const at = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1_000);
    await sweepLiveTurns(db, at(6));
    expect(await texts()).toEqual(['live 0']);
    await sweepLiveTurns(db, at(8));
    expect([await texts(), await left()]).toEqual([[], 0]);
  });

  it('goes with the organization', async () => {
    await begin();
    await tell([said(0)]);
    await tellRemoval(world.nats, org);
    await eventually(async () => expect(await left()).toBe(0), { timeoutMs: 30_000 });
  });
});

describe('the runs of tools', () => {
  it('are in the record of their call, told before it is known, twice, and after it was handed over', async () => {
    const org = randomUUID();
    const call = dialled(org);
    const { callId, agentId } = call;
    const run = (order: string, startedAt: string) => ({
      ...{ executionId: randomUUID(), callId, agentId, toolId: randomUUID(), name: 'find_order' },
      ...{
        arguments: { order, pin: '•••' },
        status: 'ok' as const,
        httpStatus: 200,
        startedAt,
        durationMs: 12,
      },
    });
    const [first, second] = [run('A-1', '2026-03-01T10:00:00.000Z'), run('A-2', '2026-03-01T10:00:09.000Z')];
    await world.announce(events.toolExecuted, org, first);
    await world.announce(events.attemptStarted, org, call.started);
    const shown = async () =>
      (await world.get(org, callId)).toolRuns?.map(({ arguments: given }) => given?.order);
    await eventually(async () => expect(await shown()).toEqual(['A-1']), { timeoutMs: 30_000 });
    const { startedAt } = call.started;
    const endedAt = new Date().toISOString();
    const about = { agentId, callId, outboundCallId: call.outboundCallId, direction: 'outbound' };
    await world.ingest(
      finishedCall(org, { ...about, startedAt, answeredAt: startedAt, endedAt, durationSeconds: 0 }),
    );
    await world.announce(events.toolExecuted, org, first);
    await world.announce(events.toolExecuted, org, second);
    await eventually(async () => expect(await shown()).toEqual(['A-1', 'A-2']), { timeoutMs: 30_000 });
    expect(await world.get(org, callId)).toMatchObject({
      status: 'completed',
      moreToolRuns: 0,
      toolRuns: [{ name: 'find_order', arguments: { pin: '•••' }, status: 'ok', durationMs: 12 }, {}],
    });
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
    expect((await world.list(org))[0]).not.toHaveProperty('toolRuns');
  });
});
