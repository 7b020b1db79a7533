// Campaigns as several copies of the service dial them, with a real database, event store and broker. The phones ring.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import type { Lock } from '@parlance/postgres';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import { setLimits } from '../limits/operator-limits.js';
import { checkCampaign, countsOf } from '../recipients/recipient-counts.js';
import {
  type DialingWorld,
  importedCampaign,
  numbersEnding,
  startDialingWorld,
  type TestCampaign,
} from '../testing/dialing-world.js';

let world: DialingWorld;
let dialers: RunningService[];

beforeAll(async () => {
  world = await startDialingWorld();
  dialers = [await world.startDialer()];
  dialers.push(...(await Promise.all([world.startDialer(), world.startDialer()])));
}, 240_000);
afterAll(async () => {
  await Promise.all(dialers?.map((dialer) => dialer.stop()) ?? []);
  await world?.remove();
});

const campaignOf = async ({ id, who }: Pick<TestCampaign, 'id' | 'who'>) =>
  world.ask(contract.outboundCallsGetBatch, { params: { campaignId: id } }, who);

/** Checks the sums of the shown progress, which have to be right at every instant. */
const look = async (campaign: TestCampaign) => {
  const view = await campaignOf(campaign);
  const { total, percent: _, attempts: __, ...parts } = view.progress;
  expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(total).toBe(campaign.callIds.length);
  return view;
};

const until = (campaign: TestCampaign, expected: object, timeoutMs = 120_000) =>
  eventually(
    async () => {
      const view = await look(campaign);
      expect(view).toMatchObject(expected);
      return view;
    },
    { timeoutMs, intervalMs: 100 },
  );

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const roomsOf = ({ callIds }: TestCampaign): string[] => callIds.map((id) => attemptIds(id, 1).roomName);

/** A slow machine gives attempts up before their dial, and makes others in their place. */
const attemptsLookedAt = Array.from({ length: 50 }, (_, index) => index + 1);

const roomsByCall = new Map<string, readonly string[]>();
const attemptRoomsOf = (callId: string): readonly string[] => {
  const known = roomsByCall.get(callId);
  if (known !== undefined) return known;
  const rooms = attemptsLookedAt.map((attempt) => attemptIds(callId, attempt).roomName);
  roomsByCall.set(callId, rooms);
  return rooms;
};

/** The number of dials that the media server received for each of the campaign's calls, over all attempts. */
const dialsOf = async (campaign: TestCampaign): Promise<number[]> => {
  const { dials } = await world.ledger();
  const count = new Map<string, number>();
  for (const room of dials) count.set(room, (count.get(room) ?? 0) + 1);
  return campaign.callIds.map((id) => sum(attemptRoomsOf(id).map((room) => count.get(room) ?? 0)));
};

/** Takes a projection from the dialer that keeps it, which from then on is as good as asleep to the others. */
const sleepingProjection = (id: string): Promise<Lock> =>
  eventually(
    async () => {
      await world.db.query(
        `select pg_terminate_backend(pid) from pg_locks, hashtextextended(current_schema() || ':' || $1, 0) as key
         where locktype = 'advisory' and granted
           and ((classid::bigint << 32) | objid::bigint) = key and pid <> pg_backend_pid()`,
        [`projection:${id}`],
      );
      const lock = await world.db.tryLock(`projection:${id}`);
      if (lock === undefined) throw new Error(`a dialer has ${id}`);
      return lock;
    },
    { intervalMs: 1 },
  );

const openRoomsOf = async (campaign: TestCampaign): Promise<string[]> => {
  const rooms = (await world.rooms.rooms()).map(({ name }) => name);
  return rooms.filter((name) => roomsOf(campaign).includes(name));
};

describe('a campaign', () => {
  it.concurrent('dials everybody once, whichever of three copies does it, and its progress sums at every look', async () => {
    const campaign = await importedCampaign(world, numbersEnding(70, 79, 120));
    const over = { status: 'completed', progress: { busy: 120, percent: 100 } };
    await until(campaign, over, 200_000);
    expect(await dialsOf(campaign)).toEqual(campaign.callIds.map(() => 1));
    expect(await checkCampaign(world.db, campaign.id)).toEqual([]);
  }, 240_000);

  it.concurrent('that is cancelled makes no phone ring two seconds later, and everybody ends somehow', async () => {
    const campaign = await importedCampaign(world, numbersEnding(0, 59, 200), {
      campaign: { callsPerSecond: 20 },
    });
    await eventually(async () => expect(sum(await dialsOf(campaign))).toBeGreaterThan(10), {
      timeoutMs: 60_000,
    });
    const cancel = () =>
      world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: campaign.id } }, campaign.who);
    const { progress } = await cancel();
    const cancelledAt = Date.now();
    expect([progress.pending, progress.queued]).toEqual([0, expect.any(Number)]);
    expect((await cancel()).status).toBe('cancelled');
    let dialled = 0;
    await eventually(
      async () => {
        expect(Date.now() - cancelledAt).toBeGreaterThan(2_000);
        dialled = sum(await dialsOf(campaign));
      },
      { timeoutMs: 60_000 },
    );
    await until(campaign, { progress: { pending: 0, queued: 0, inProgress: 0 } });
    await eventually(async () => expect(await openRoomsOf(campaign)).toEqual([]));
    expect(sum(await dialsOf(campaign))).toBe(dialled);
    expect(await checkCampaign(world.db, campaign.id)).toEqual([]);
  });

  it('that is cancelled is hung up by whoever is told so, although the dialer that keeps the read models sleeps', async () => {
    const calls = await sleepingProjection('outbound-calls');
    const campaign = await importedCampaign(world, numbersEnding(0, 59, 6));
    await eventually(async () => expect(await openRoomsOf(campaign)).toHaveLength(6));
    const campaigns = await sleepingProjection('campaigns');
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: campaign.id } }, campaign.who);
    await eventually(async () => expect(await openRoomsOf(campaign)).toEqual([]));
    const known = await world.db.query('select from outbound_calls where campaign_id = $1', [campaign.id]);
    expect(known.rowCount).toBe(0);
    await Promise.all([calls.release(), campaigns.release()]);
    await until(campaign, { progress: { cancelled: 6 } });
  });

  it.concurrent('calls nobody any more who is put on the suppression list meanwhile, and says so', async () => {
    const numbers = numbersEnding(70, 79, 60);
    const campaign = await importedCampaign(world, numbers, { campaign: { callsPerSecond: 10 } });
    await eventually(async () => expect(sum(await dialsOf(campaign))).toBeGreaterThan(5), {
      timeoutMs: 60_000,
    });
    const last = numbers.slice(40);
    await world.ask(
      contract.suppressionsCreate,
      { body: { phoneNumbers: last, reason: 'asked' } },
      campaign.who,
    );
    await until(campaign, { status: 'completed', progress: { busy: 40, skipped: 20 } });
    expect((await dialsOf(campaign)).slice(40)).toEqual(last.map(() => 0));
  });

  it.concurrent('of two of one organization never have more calls in progress than the operator lets it have', async () => {
    const settings = { maxConcurrentCalls: 1_000, inboundReserve: 2 };
    const who = ownerOf();
    await setLimits(world.db, who.organizationId, { concurrentCalls: 6 }, new Date());
    // The phones of these numbers are never answered: they ring for five seconds.
    const change = { settings, who, campaign: { ringingTimeoutSeconds: 5 } };
    const first = await importedCampaign(world, numbersEnding(60, 69, 4), change);
    const second = await importedCampaign(world, numbersEnding(60, 69, 4), change);
    const most: number[] = [];
    await eventually(
      async () => {
        const counts = await countsOf(world.db, [first.id, second.id]);
        const busy = [...counts.values()].map(({ recipients }) => recipients.in_progress + recipients.queued);
        most.push(sum(busy));
        expect((await look(first)).status).toBe('completed');
        expect((await look(second)).status).toBe('completed');
      },
      { timeoutMs: 200_000, intervalMs: 100 },
    );
    expect(Math.max(...most)).toBe(4);
  }, 240_000);

  it('that has too many technical failures pauses, and says why', async () => {
    const circuitBreaker = { enabled: true, failureThreshold: 0.5, windowSeconds: 60, minCalls: 5 };
    const campaign = await importedCampaign(world, numbersEnding(70, 79, 40), {
      campaign: { circuitBreaker, callsPerSecond: 5 },
    });
    await world.fault('4xx', 40);
    await until(campaign, { status: 'paused', statusReason: 'circuit_breaker' });
    const { progress } = await look(campaign);
    expect(progress.pending).toBeGreaterThan(10);
    await world.fault('4xx', 0);
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: campaign.id } }, campaign.who);
  });

  it.concurrent('waits for its calling window, and says so; an agent that is switched off stops it until it is on again', async () => {
    const yesterday = (new Date().getUTCDay() + 5) % 7;
    const hours = { days: [yesterday], start: '00:00', end: '00:01' };
    const callingWindow = { ...hours, basis: 'recipient' as const };
    const shut = await importedCampaign(world, numbersEnding(70, 79, 5), { campaign: { callingWindow } });
    await until(shut, { status: 'paused', statusReason: 'outside_calling_window', progress: { pending: 5 } });
    const inactive = await importedCampaign(world, numbersEnding(70, 79, 5), {
      campaign: { scheduledAt: new Date(Date.now() + 500).toISOString() },
    });
    const agent = world.agents.get(inactive.agentId);
    if (agent === undefined) throw new Error('there is no agent');
    world.agents.set(inactive.agentId, { ...agent, isActive: false });
    await until(inactive, { status: 'paused', statusReason: 'agent_unavailable' });
    world.agents.set(inactive.agentId, agent);
    await until(inactive, { status: 'completed', progress: { busy: 5 } });
    expect(sum(await dialsOf(shut))).toBe(0);
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: shut.id } }, shut.who);
  });

  it.concurrent('is never faster than its own pace', async () => {
    const begunAt = Date.now();
    const campaign = await importedCampaign(world, numbersEnding(70, 79, 10), {
      campaign: { callsPerSecond: 2 },
    });
    await until(campaign, { status: 'completed' });
    const { rows } = await world.db.query<{ at: Date }>(
      `select (state->'past'->0->>'startedAt')::timestamptz as at from outbound_calls where campaign_id = $1 order by at`,
      [campaign.id],
    );
    expect(rows).toHaveLength(10);
    // A start may be late on a busy machine, so that the distance to the next one says nothing; none is earlier than its slot.
    for (const [slot, { at }] of rows.entries())
      expect(at.getTime() - begunAt).toBeGreaterThanOrEqual(slot * 500);
  });
});

describe('a quick call', () => {
  it('is refused beyond the organization’s limit, to suppressed numbers and outside of its hours', async () => {
    const settings = { maxConcurrentCalls: 2, inboundReserve: 0 };
    const { who, agentId } = await importedCampaign(world, [], { settings });
    const quick = (phoneNumber: string) =>
      world.ask(
        contract.outboundCallsQuick,
        { body: { agentId, phoneNumber, fromNumber: '+14155550142', ringingTimeoutSeconds: 10 } },
        who,
      );
    const code = (expected: string) => expect.objectContaining({ code: expected });
    await world.ask(contract.suppressionsCreate, { body: { phoneNumbers: ['+14155551111'] } }, who);
    await expect(quick('+14155551111')).rejects.toEqual(code('SUPPRESSED_DNC'));
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => quick('+14155550160')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const answer of asked)
      if (answer.status === 'rejected') expect(answer.reason).toEqual(code('CONCURRENCY_LIMIT'));
    world.unowned.add('+14155550143');
    const foreign = { agentId, phoneNumber: '+14155550100', fromNumber: '+14155550143' };
    await expect(world.ask(contract.outboundCallsQuick, { body: foreign }, who)).rejects.toEqual(
      code('NUMBER_NOT_FOUND'),
    );
    const yesterday = (new Date().getUTCDay() + 5) % 7;
    const hours = { days: [yesterday], start: '00:00', end: '00:01' };
    const callingWindow = { ...hours, basis: 'campaign' as const };
    const shut = await importedCampaign(world, [], { settings: { callingWindow } });
    const body = { agentId: shut.agentId, phoneNumber: '+14155550100', fromNumber: '+14155550142' };
    await expect(world.ask(contract.outboundCallsQuick, { body }, shut.who)).rejects.toEqual(
      code('OUTSIDE_CALLING_WINDOW'),
    );
  });
});

describe("the operator's limits", () => {
  const body = { phoneNumber: '+14155550160', fromNumber: '+14155550142', ringingTimeoutSeconds: 10 };

  it.concurrent('let a person begin as many calls as they say, and answers tell how many are left', async () => {
    const { who, agentId } = await importedCampaign(world, [], { settings: { maxConcurrentCalls: 50 } });
    await setLimits(world.db, who.organizationId, { concurrentCalls: 2 }, new Date());
    const quick = () => world.askPage(contract.outboundCallsQuick, { body: { ...body, agentId } }, who);
    const asked = await Promise.allSettled(Array.from({ length: 6 }, quick));
    const placed = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(placed).toHaveLength(2);
    for (const { concurrency } of placed)
      expect([
        { limit: 2, remaining: 1 },
        { limit: 2, remaining: 0 },
      ]).toContainEqual(concurrency);
    const details = { maxConcurrentCalls: 2 };
    for (const answer of asked)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'CONCURRENCY_LIMIT', details });
    await setLimits(world.db, who.organizationId, { concurrentCalls: 3 }, new Date());
    expect((await quick()).concurrency).toEqual({ limit: 3, remaining: 0 });
  });

  it.concurrent('keep an organization from countries that it chose, when a call is placed and when it is dialled', async () => {
    const settings = { allowedCountries: ['US', 'DE'] };
    const campaign = await importedCampaign(world, [], { settings });
    const { who, agentId } = campaign;
    const quick = () => {
      // The provider says 429 of it once, and it is tried again five seconds later: time enough for the operator.
      const refusedOnce = { ...body, phoneNumber: '+14155550195', agentId };
      return world.ask(contract.outboundCallsQuick, { body: refusedOnce }, who);
    };
    const { id } = await quick();
    const read = () => world.ask(contract.outboundCallsGet, { params: { outboundId: id } }, who);
    await eventually(async () =>
      expect((await read()).attempts).toMatchObject([{ attempt: 1, sipStatus: 429 }]),
    );
    await setLimits(world.db, who.organizationId, { countries: ['DE'] }, new Date());
    await eventually(
      async () =>
        expect(await read()).toMatchObject({ status: 'failed', endedReason: 'country_not_allowed' }),
      { timeoutMs: 60_000 },
    );
    await expect(quick()).rejects.toMatchObject({
      code: 'DESTINATION_NOT_ALLOWED',
      details: { reason: 'country' },
    });
    const bounded = await importedCampaign(world, numbersEnding(70, 79, 3), { settings, who });
    await until(bounded, { status: 'completed', progress: { skipped: 3 } });
  });
});
