// The dashboard of a whole service: an organization's time zone, and calls that change after they were counted.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type DashboardSummary, events } from '@parlance/contracts';
import { eventually } from '@parlance/testing';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

const summaryOf = async (org: string, from: string, to = from): Promise<DashboardSummary> => {
  const query = { range: 'custom' as const, from, to };
  return (await world.ask(contract.dashboardSummary, { query }, userOf(org))).data;
};

const settings = {
  maxConcurrentCalls: 10,
  inboundReserve: 2,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  allowedCountries: null,
};

const at = (startedAt: string) => ({
  startedAt,
  answeredAt: startedAt,
  endedAt: new Date(Date.parse(startedAt) + 60_000).toISOString(),
});

describe('the dashboard', () => {
  it('asks for a time zone that was chosen before anybody listened, once', async () => {
    const org = randomUUID();
    expect((await summaryOf(org, '2026-03-28')).timezone).toBe('UTC');
    world.settings = { ...settings, timezone: 'Asia/Kathmandu', version: 4 };
    expect((await summaryOf(org, '2026-03-28')).timezone).toBe('Asia/Kathmandu');
    world.settings = undefined;
    expect((await summaryOf(org, '2026-03-28')).timezone).toBe('Asia/Kathmandu');
  });

  it("counts by the organization's time zone, calls of the past too, and forgets an older one that comes late", async () => {
    const org = randomUUID();
    await world.ingest(finishedCall(org, at('2026-03-28T23:30:00.000Z')));
    await world.ingest(finishedCall(org, at('2026-03-29T21:59:00.000Z')));
    await eventually(async () => expect((await summaryOf(org, '2026-03-28')).kpis.totalCalls).toBe(1));
    await world.announce(events.settingsChanged, org, { ...settings, timezone: 'Europe/Berlin', version: 2 });
    await eventually(async () => {
      const summary = await summaryOf(org, '2026-03-29');
      expect(summary).toMatchObject({ timezone: 'Europe/Berlin', from: '2026-03-28T23:00:00.000Z' });
      expect(summary.kpis.totalCalls).toBe(2);
      expect(summary.timeline).toHaveLength(23);
      expect(summary.timeline.map(({ calls }) => calls)).toEqual([1, ...new Array(21).fill(0), 1]);
    });
    await world.announce(events.settingsChanged, org, { ...settings, timezone: 'Asia/Tokyo', version: 1 });
    await world.announce(events.settingsChanged, org, { ...settings, timezone: 'Asia/Kolkata', version: 3 });
    await eventually(async () =>
      expect(await summaryOf(org, '2026-03-29')).toMatchObject({
        timezone: 'Asia/Kolkata',
        from: '2026-03-28T18:30:00.000Z',
        kpis: { totalCalls: 1 },
        previous: { totalCalls: 0 },
      }),
    );
  });

  it('keeps the name of an agent that was deleted, for calls that come after it too', async () => {
    const org = randomUUID();
    const agentId = randomUUID();
    await world.ingest(finishedCall(org, { ...at('2026-05-06T10:00:00.000Z'), agentId }));
    await eventually(async () => expect((await summaryOf(org, '2026-05-06')).kpis.totalCalls).toBe(1));
    await world.restart(async () => {
      world.agentName = 'unknown';
    });
    await world.ingest(finishedCall(org, { ...at('2026-05-06T11:00:00.000Z'), agentId }));
    const { agents } = await eventually(async () => {
      const summary = await summaryOf(org, '2026-05-06');
      expect(summary.kpis.totalCalls).toBe(2);
      return summary;
    });
    expect(agents).toMatchObject([{ agentId, name: 'Front desk', calls: 2 }]);
    world.agentName = 'Front desk';
  });

  it('counts a call once however often it is told, and not any more once it is deleted', async () => {
    const org = randomUUID();
    const agentId = randomUUID();
    const latency = { e2eP50Ms: 800, e2eP95Ms: 1_500, llmP50Ms: null, ttsP50Ms: null, sttP50Ms: null };
    const calls = ['10:00', '10:20', '11:00'].map((time) =>
      finishedCall(org, { ...at(`2026-05-04T${time}:00.000Z`), agentId, latency }),
    );
    for (const call of [...calls, ...calls]) await world.ingest(call);
    const counted = async (expected: number): Promise<DashboardSummary> =>
      eventually(async () => {
        const summary = await summaryOf(org, '2026-05-04');
        expect(summary.kpis.totalCalls).toBe(expected);
        return summary;
      });
    const all = await counted(3);
    expect(all).toMatchObject({ kpis: { totalMinutes: 3, peakConcurrency: 1 }, byDirection: { inbound: 3 } });
    expect(all.agents).toMatchObject([{ agentId, name: 'Front desk', calls: 3 }]);
    expect(Math.abs((all.latency.e2eP50Ms ?? 0) - 800)).toBeLessThanOrEqual(40);
    expect(Math.abs((all.latency.e2eP95Ms ?? 0) - 1_500)).toBeLessThanOrEqual(75);
    for (const { callId } of calls)
      await world.ask(contract.callsDelete, { params: { callId } }, userOf(org));
    const none = await counted(0);
    expect(none).toMatchObject({ agents: [], endedReasons: [], kpis: { peakConcurrency: 0 } });
    expect(none.latency).toEqual({ e2eP50Ms: null, e2eP95Ms: null });
  });
});
