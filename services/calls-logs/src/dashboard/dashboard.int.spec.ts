// The dashboard of a whole service: an organization's time zone, and calls that change after they were counted.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type DashboardSummary, events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
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
  return world.ask(contract.dashboardSummary, { query }, userOf(org));
};

const settings = {
  maxConcurrentCalls: 10,
  inboundReserve: 2,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  namedTimezones: 'narrow' as const,
  allowedCountries: null,
};

const at = (startedAt: string) => ({
  startedAt,
  answeredAt: startedAt,
  endedAt: new Date(Date.parse(startedAt) + 60_000).toISOString(),
});

describe('the dashboard', () => {
  it('counts what ended in the range, by its definitions', async () => {
    const org = randomUUID();
    const agentId = randomUUID();
    const on = (time: string) => `2026-04-02T${time}.000Z`;
    const talk = (from: string, answered: string, to: string, change: object = {}) =>
      finishedCall(org, {
        ...{ agentId, startedAt: on(from), answeredAt: on(answered), endedAt: on(to) },
        durationSeconds: (Date.parse(on(to)) - Date.parse(on(answered))) / 1_000,
        ...change,
      });
    const unanswered = (status: string, change: object = {}) =>
      talk('11:00:00', '11:00:00', '11:00:20', {
        ...{
          status,
          endedReason: null,
          answeredAt: null,
          durationSeconds: null,
          successful: null,
          usage: [],
        },
        ...change,
      });
    const calls = [
      talk('10:00:00', '10:00:05', '10:02:05'),
      talk('10:00:30', '10:00:40', '10:01:10', { successful: 'failure', direction: 'outbound' }),
      talk('10:30:00', '10:30:10', '10:30:40', { endedReason: 'call_transferred', successful: null }),
      talk('11:10:00', '11:10:05', '11:10:35', { answeredBy: 'machine_voicemail', successful: null }),
      unanswered('busy'),
      unanswered('failed'),
      talk('10:00:00', '10:00:05', '10:02:05', { channel: 'preview' }),
      talk('10:00:00', '10:00:05', '10:02:05', { startedAt: '2026-04-01T23:00:00.000Z' }),
    ];
    for (const call of calls) await world.ingest(call);
    const query = { range: 'custom' as const, from: '2026-04-02', to: '2026-04-02' };
    const summary = await eventually(async () => {
      const data = await world.ask(contract.dashboardSummary, { query }, userOf(org));
      expect(data.kpis.totalCalls).toBe(6);
      expect(data.previous.totalCalls).toBe(1);
      return data;
    });
    expect(summary).toMatchObject({
      ...{ range: 'custom', timezone: 'UTC', bucket: 'hour' },
      kpis: {
        answeredCalls: 3,
        answerRate: 0.5,
        voicemailRate: 0.1667,
        averageDurationSeconds: 60,
        totalMinutes: 3.5,
        successRate: 0.5,
        transferRate: 0.3333,
        liveCalls: 0,
        // the call that rang since yesterday is in progress as well
        peakConcurrency: 3,
        totalCostMicros: 4 * 8_500,
        currency: 'USD',
      },
      byDirection: { inbound: 5, outbound: 1 },
      byChannel: { phone: 6, widget: 0, preview: 0 },
      agents: [
        {
          agentId,
          name: 'Front desk',
          calls: 6,
          answerRate: 0.5,
          averageDurationSeconds: 60,
          successRate: 0.5,
        },
      ],
    });
    expect(summary.outcomes).toContainEqual({ outcome: 'voicemail', count: 1, share: 0.1667 });
    expect(summary.endedReasons).toContainEqual({ reason: 'busy', count: 1 });
    expect(summary.timeline).toHaveLength(24);
    expect(summary.timeline[10]).toMatchObject({ at: on('10:00:00'), calls: 3, answered: 3, minutes: 3 });
    expect(summary.timeline[11]).toMatchObject({ calls: 3, answered: 0, failed: 1, minutes: 0.5 });
    expect(summary.timeline[12]).toMatchObject({ calls: 0, minutes: 0 });
  });

  it('is empty and whole for an organization without calls', async () => {
    const data = await world.ask(
      contract.dashboardSummary,
      { query: { range: '24h' } },
      userOf(randomUUID()),
    );
    expect(data.kpis).toMatchObject({
      totalCalls: 0,
      answerRate: null,
      averageDurationSeconds: null,
      totalMinutes: 0,
    });
    expect(data.timeline).toHaveLength(24);
    expect(contract.dashboardSummary.data.safeParse(data).success).toBe(true);
  });

  it('refuses a range that is none', async () => {
    const query = { range: 'custom' as const, from: '2026-03-02', to: '2026-03-01' };
    await expect(world.request(contract.dashboardSummary, { query }, userOf(randomUUID()))).rejects.toEqual(
      expect.objectContaining({ code: 'INVALID_RANGE' }),
    );
  });

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
      await world.request(contract.callsDelete, { params: { callId } }, userOf(org));
    const none = await counted(0);
    expect(none).toMatchObject({ agents: [], endedReasons: [], kpis: { peakConcurrency: 0 } });
    expect(none.latency).toEqual({ e2eP50Ms: null, e2eP95Ms: null });
  });
});
