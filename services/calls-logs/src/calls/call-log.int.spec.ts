// The call log as its readers meet it: over NATS, of a whole service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallLog, contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const newOrganization = (): string => randomUUID();
const ids = (calls: readonly CallLog[]): string[] => calls.map(({ id }) => id);

describe('the call log', () => {
  it('is newest first, filtered, paged, and only the own one', async () => {
    const [org, foreign] = [newOrganization(), newOrganization()];
    const at = (minute: number) => `2026-03-01T10:0${minute}:00.000Z`;
    const calls = [1, 2, 3, 4].map((minute) =>
      finishedCall(org, {
        startedAt: at(minute),
        answeredAt: null,
        endedAt: at(minute),
        durationSeconds: null,
        status: minute === 2 ? 'failed' : 'completed',
        direction: minute === 3 ? 'outbound' : 'inbound',
      }),
    );
    for (const call of [...calls, finishedCall(foreign)]) await world.ingest(call);
    const expected = calls.map(({ callId }) => callId).reverse();
    await eventually(async () => expect(ids(await world.list(org))).toEqual(expected));
    expect(ids(await world.list(org, { status: 'failed' }))).toEqual([calls[1]?.callId]);
    expect(ids(await world.list(org, { direction: 'outbound' }))).toEqual([calls[2]?.callId]);
    expect(ids(await world.list(org, { agentId: calls[0]?.agentId }))).toEqual([calls[0]?.callId]);
    expect(ids(await world.list(org, { from: at(2), to: at(3) }))).toEqual([
      calls[2]?.callId,
      calls[1]?.callId,
    ]);
    const first = await world.request(contract.callsList, { query: { limit: '3' } }, userOf(org));
    const second = await world.request(
      contract.callsList,
      { query: { limit: '3', cursor: first.nextCursor } },
      userOf(org),
    );
    expect(ids([...first.data, ...second.data])).toEqual(expected);
    expect(second.nextCursor).toBeUndefined();
    const cursor = first.nextCursor ?? '';
    const other = cursor.startsWith('A') ? 'B' : 'A';
    const misused = [
      [{ cursor }, foreign],
      [{ cursor, status: 'failed' as const }, org],
      [{ cursor: `${other}${cursor.slice(1)}` }, org],
    ] as const;
    for (const [query, who] of misused)
      await expect(world.request(contract.callsList, { query }, userOf(who))).rejects.toEqual(
        code('INVALID_CURSOR'),
      );
  });

  it('is asked for any moment that can be written, also one that the database cannot hold', async () => {
    const org = newOrganization();
    const { callId } = finishedCall(org);
    await world.ingest(finishedCall(org, { callId }));
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
    const [first, beforeThat, last] = [
      '0000-01-01T00:00:00Z',
      '0000-01-01T00:00:00+12:00',
      '9999-12-31T23:59:59-12:00',
    ];
    expect(ids(await world.list(org, { from: first, to: last }))).toEqual([callId]);
    expect(ids(await world.list(org, { from: beforeThat }))).toEqual([callId]);
    expect(await world.list(org, { to: beforeThat })).toEqual([]);
    expect(await world.list(org, { from: last })).toEqual([]);
  });

  it('answers for a foreign call as for one that never was', async () => {
    const org = newOrganization();
    const { callId } = finishedCall(org);
    await world.ingest(finishedCall(org, { callId }));
    const stranger = newOrganization();
    for (const [who, id] of [
      [stranger, callId],
      [org, randomUUID()],
    ] as const) {
      await expect(world.get(who, id)).rejects.toEqual(code('CALL_NOT_FOUND'));
      const params = { callId: id };
      await expect(world.request(contract.callsDelete, { params }, userOf(who))).rejects.toEqual(
        code('CALL_NOT_FOUND'),
      );
      await expect(
        world.request(contract.callsTranscripts, { params, query: {} }, userOf(who)),
      ).rejects.toEqual(code('CALL_NOT_FOUND'));
    }
    await expect(world.get(org, callId)).resolves.toMatchObject({ id: callId });
  });

  it('forgets a deleted call, and the call does not come back', async () => {
    const org = newOrganization();
    const [kept, gone] = [finishedCall(org), finishedCall(org)];
    await world.ingest(kept);
    await world.ingest(gone);
    const params = { callId: gone.callId };
    await world.request(contract.callsDelete, { params }, userOf(org));
    await expect(world.get(org, gone.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
    await expect(world.request(contract.callsDelete, { params }, userOf(org))).rejects.toEqual(
      code('CALL_NOT_FOUND'),
    );
    expect(await world.ingest(gone)).toMatchObject({ repeated: true });
    await eventually(async () => expect(ids(await world.list(org))).toEqual([kept.callId]));
    await eventually(async () => {
      const data = await world.ask(
        contract.dashboardSummary,
        { query: { range: 'custom', from: '2026-03-01', to: '2026-03-01' } },
        userOf(org),
      );
      expect(data.kpis.totalCalls).toBe(1);
    });
  });
});
