// The rules of an organization for its calls, on a clock that the test sets: hours, attempts a day, suppressed numbers.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, EventEnvelope, liveEventsOf } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import {
  type DialingWorld,
  importedCampaign,
  numbersEnding,
  startDialingWorld,
  type TestCampaign,
} from '../testing/dialing-world.js';
import { countDailyAttempt, countOperatorAttempt } from './daily-attempts.js';

let world: DialingWorld;
let dialer: RunningService;
let aheadMs = 0;
/** Goes on like every clock, from wherever it was put. */
const clock = { now: () => new Date(Date.now() + aheadMs) };
const putOn = (to: string): void => {
  aheadMs = Date.parse(to) - Date.now();
};

beforeAll(async () => {
  world = await startDialingWorld();
  putOn('2027-01-04T17:00:00.000Z');
  dialer = await world.startDialer({}, () => ({ clock }));
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const code = (expected: string) => expect.objectContaining({ code: expected });

const campaignOf = ({ id, who }: TestCampaign) =>
  world.ask(contract.outboundCallsGetBatch, { params: { campaignId: id } }, who);
const until = (campaign: TestCampaign, expected: object, timeoutMs = 120_000) =>
  eventually(async () => expect(await campaignOf(campaign)).toMatchObject(expected), {
    timeoutMs,
    intervalMs: 100,
  });

/** The times at which attempts of these calls were dialled, by the clock of the dialer as it is now. */
const dialsOf = async (callIds: readonly string[]): Promise<string[]> => {
  const rooms = callIds.flatMap((id) =>
    [1, 2, 3, 4, 5, 6].map((attempt) => attemptIds(id, attempt).roomName),
  );
  const times = await world.dialTimes(rooms);
  return times.map((at) => new Date(at.getTime() + aheadMs).toISOString());
};

/** The dialer has looked at its campaigns again and again. */
const aWhile = async (ms: number): Promise<void> => {
  const from = Date.now();
  await eventually(() => expect(Date.now() - from).toBeGreaterThan(ms), { timeoutMs: ms + 60_000 });
};

describe('a calling window that closes in mid-campaign', () => {
  it('calls nobody any more, keeps who was not called, and goes on when it opens', async () => {
    const closing = '2027-01-04T22:00:00.000Z';
    // A Monday in New York, seconds before five: the clock moves to the end of the window when calls are being made.
    putOn('2027-01-04T21:59:48.000Z');
    const callingWindow = { days: [0, 1], start: '09:00', end: '17:00', basis: 'recipient' as const };
    const campaign = await importedCampaign(world, numbersEnding(70, 79, 30), {
      campaign: { callingWindow, callsPerSecond: 5 },
    });
    await eventually(async () => expect((await dialsOf(campaign.callIds)).length).toBeGreaterThan(0));
    putOn('2027-01-04T21:59:59.000Z');
    const opening = '2027-01-05T14:00:00.000Z';
    await until(campaign, { status: 'paused', statusReason: 'outside_calling_window' });
    await until(campaign, { progress: { queued: 0, inProgress: 0 } });
    const dialled = await dialsOf(campaign.callIds);
    expect(dialled.length).toBeLessThan(30);
    // A call that was admitted just in time is on its way for a moment.
    for (const at of dialled) expect(Date.parse(at) - Date.parse(closing)).toBeLessThan(4_000);
    const { progress } = await campaignOf(campaign);
    expect(progress).toMatchObject({
      pending: 30 - dialled.length,
      busy: dialled.length,
      failed: 0,
      skipped: 0,
    });
    const { state } = await world.campaigns.load(campaign.id);
    expect(state).toMatchObject({ phase: 'paused', until: opening });

    putOn('2027-01-05T13:59:57.000Z');
    await aWhile(1_500);
    expect(await dialsOf(campaign.callIds)).toHaveLength(dialled.length);
    await until(campaign, { status: 'completed', progress: { busy: 30, pending: 0 } });
    const all = await dialsOf(campaign.callIds);
    expect(all).toHaveLength(30);
    for (const at of all.slice(dialled.length)) expect(at >= opening).toBe(true);
  }, 240_000);
});

describe('a limit on attempts a day', () => {
  const settings = { dailyAttemptsPerNumber: 2, timezone: 'America/New_York' };
  const seconds = (count: number) => {
    aheadMs += count * 1_000;
  };

  it('leaves a number alone until the organization’s next day, however often its campaign would try', async () => {
    putOn('2027-02-01T20:00:00.000Z');
    const retryPolicy = { maxAttempts: 3, delaySeconds: 30, on: ['busy' as const] };
    const campaign = await importedCampaign(world, ['+14155551070'], { settings, campaign: { retryPolicy } });
    const dials = () =>
      world.dialTimes([1, 2, 3, 4, 5, 6].map((n) => attemptIds(campaign.callIds[0] ?? '', n).roomName));
    for (const times of [1, 2]) {
      await until(campaign, { progress: { pending: 1, attempts: times } });
      expect(await dials()).toHaveLength(times);
      seconds(31);
    }
    const midnight = '2027-02-02T05:00:00.000Z';
    await eventually(async () => {
      const { rows } = await world.db.query<{ at: Date }>(
        `select not_before as at from campaign_recipients where campaign_id = $1 and state = 'pending'`,
        [campaign.id],
      );
      expect(rows).toEqual([{ at: new Date(midnight) }]);
    });
    expect(await dials()).toHaveLength(2);
    putOn(midnight);
    await until(campaign, { status: 'completed', progress: { busy: 1 } });
    expect(await dials()).toHaveLength(3);
  });

  it('counts an attempt once, however often it is looked at', async () => {
    const { organizationId } = ownerOf();
    const count = (attemptId: string) => {
      const attempt = { organizationId, numberHash: 'hash', day: '2027-02-01', attemptId };
      return countDailyAttempt(world.db, { ...attempt, limit: 2 });
    };
    const [first, second] = [randomUUID(), randomUUID()];
    const counted = [await count(first), await count(first), await count(second), await count(second)];
    expect(counted).toEqual([true, true, true, true]);
    expect(await count(randomUUID())).toBe(false);
    expect(await count(first)).toBe(true);
  });

  it('of the operator lets three of twenty attempts at the same moment through, on each day anew', async () => {
    const { organizationId } = ownerOf();
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const through = async (day: string) => {
      const attempt = { organizationId, numberHash: 'hash', day, limit: 3 };
      const asked = [...ids, ...ids].map((attemptId) =>
        countOperatorAttempt(world.db, { ...attempt, attemptId }),
      );
      return (await Promise.all(asked)).map((isCounted, index) => (isCounted ? ids[index % 20] : undefined));
    };
    for (const day of ['2027-02-01', '2027-02-02'])
      expect(new Set((await through(day)).filter(Boolean)).size).toBe(3);
  });

  it('ends a call that a person wants today, without a dial', async () => {
    putOn('2027-03-01T20:00:00.000Z');
    const { who, agentId } = await importedCampaign(world, [], { settings });
    const call = async (): Promise<string> => {
      const body = { agentId, phoneNumber: '+14155551171', fromNumber: '+14155550142' };
      return (await world.ask(contract.outboundCallsQuick, { body }, who)).id;
    };
    const end = (id: string, expected: object) =>
      eventually(async () =>
        expect(await world.ask(contract.outboundCallsGet, { params: { outboundId: id } }, who)).toMatchObject(
          expected,
        ),
      );
    for (const _ of [1, 2]) await end(await call(), { status: 'busy' });
    const third = await call();
    await end(third, { endedReason: 'concurrency_limit' });
    expect(await world.dialTimes([attemptIds(third, 1).roomName])).toEqual([]);
  });
});

describe('the suppression list', () => {
  const suppress = (phoneNumbers: string[], who: ReturnType<typeof ownerOf>, reason?: string) =>
    world.ask(contract.suppressionsCreate, { body: { phoneNumbers, ...(reason ? { reason } : {}) } }, who);
  const list = (query: object, who: ReturnType<typeof ownerOf>) =>
    world.askPage(contract.suppressionsList, { query }, who);
  const remove = (suppressionId: string, who: ReturnType<typeof ownerOf>) =>
    world.ask(contract.suppressionsDelete, { query: {}, params: { suppressionId } }, who);

  it('is shown newest first, page by page, without a gap or a repetition, also when it grows meanwhile', async () => {
    const who = ownerOf();
    // One request, so that all entries have one time.
    const numbers = ['+14155551200', '+14155551201', '+14155551202', '+14155551203', '+14155551204'];
    await suppress(numbers, who);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '2', ...(cursor === undefined ? {} : { cursor }) }, who);
      seen.push(...page.data.map(({ phoneNumber }) => phoneNumber));
      cursor = page.nextCursor;
      aheadMs += 1_000;
      await suppress([`+1415555130${seen.length}`], who);
    } while (cursor !== undefined);
    expect([...seen].sort()).toEqual(numbers);
    const [newest] = (await list({ limit: '1' }, who)).data;
    expect(newest?.phoneNumber).toBe('+14155551305');
    expect((await list({}, ownerOf())).data).toEqual([]);
  });

  it('tells people of each change, by its id where one number changed, and never tells a number', async () => {
    const who = ownerOf();
    const [entry] = await suppress(['+14155551200'], who);
    await suppress(['+14155551201', '+14155551202'], who);
    await expect(remove(entry?.id ?? '', ownerOf())).rejects.toEqual(code('NOT_FOUND'));
    await remove(entry?.id ?? '', who);
    const { rows } = await world.db.query<{ payload: unknown }>(
      `select payload from outbox where payload ->> 'organizationId' = $1 and subject like '%suppressions%' order by id`,
      [who.organizationId],
    );
    const told = rows.flatMap(({ payload }) => liveEventsOf(EventEnvelope.parse(payload)));
    const about = (id: string | undefined | null, change: string) => ({
      ...{ type: 'suppression.changed', change, resource: { kind: 'suppression', id } },
    });
    expect(told).toMatchObject([
      about(entry?.id, 'created'),
      about(null, 'created'),
      about(entry?.id, 'deleted'),
    ]);
    expect(JSON.stringify(rows)).not.toContain('1415555');
  });

  it('takes no cursor of another organization or filter', async () => {
    const who = ownerOf();
    await suppress(['+14155551200', '+14155551201'], who);
    const { nextCursor = '' } = await list({ limit: '1' }, who);
    const phoneNumber = '+14155551200';
    await expect(list({ cursor: nextCursor }, ownerOf())).rejects.toEqual(code('INVALID_CURSOR'));
    await expect(list({ cursor: nextCursor, phoneNumber }, who)).rejects.toEqual(code('INVALID_CURSOR'));
    await expect(list({ cursor: `${nextCursor}x` }, who)).rejects.toEqual(code('INVALID_CURSOR'));
  });

  it('finds a number however it is written, and has it once', async () => {
    const who = ownerOf();
    const [entry] = await suppress(['+4402079460000'], who, 'asked');
    expect(entry).toMatchObject({ phoneNumber: '+442079460000', reason: 'asked' });
    expect(await suppress(['+442079460000'], who)).toEqual([entry]);
    for (const phoneNumber of ['+4402079460000', '+442079460000'])
      expect((await list({ phoneNumber }, who)).data).toEqual([entry]);
    expect((await list({ phoneNumber: '+14155551200' }, who)).data).toEqual([]);
    await expect(list({ phoneNumber: '+15550100' }, who)).rejects.toEqual(code('INVALID_PHONE_NUMBER'));
  });

  it('takes a number that cannot exist only where the organization has it on record', async () => {
    const unplanned = '+14150550100';
    const { who } = await importedCampaign(world, []);
    for (const phoneNumber of [unplanned, '+10000000000', '+11234567890', '+11111111111'])
      await expect(suppress(['+14155551209', phoneNumber], who)).rejects.toMatchObject({
        code: 'INVALID_PHONE_NUMBER',
        details: { issues: [{ path: 'body.phoneNumbers.1', message: 'is not a phone number' }] },
      });
    expect((await list({}, who)).data).toEqual([]);
    const theirs = await importedCampaign(world, [unplanned]);
    await until(theirs, { status: 'completed', progress: { skipped: 1 } });
    const [entry] = await suppress([unplanned], theirs.who);
    expect(entry).toMatchObject({ phoneNumber: unplanned });
    expect(await suppress([unplanned], theirs.who)).toEqual([entry]);
    expect((await list({ phoneNumber: unplanned }, theirs.who)).data).toEqual([entry]);
    await expect(suppress([unplanned], who)).rejects.toEqual(code('INVALID_PHONE_NUMBER'));
  });

  it('lets a number be called again that is taken off it by its own organization', async () => {
    const { who, agentId } = await importedCampaign(world, []);
    const phoneNumber = '+14155551470';
    const [entry] = await suppress([phoneNumber], who);
    const id = entry?.id ?? '';
    const call = () =>
      world.ask(
        contract.outboundCallsQuick,
        { body: { agentId, phoneNumber, fromNumber: '+14155550142' } },
        who,
      );
    await expect(call()).rejects.toEqual(code('SUPPRESSED_DNC'));
    await expect(remove(id, ownerOf())).rejects.toEqual(code('NOT_FOUND'));
    await expect(remove(randomUUID(), who)).rejects.toEqual(code('NOT_FOUND'));
    await expect(call()).rejects.toEqual(code('SUPPRESSED_DNC'));
    await remove(id, who);
    expect((await list({}, who)).data).toEqual([]);
    expect(await call()).toMatchObject({ status: 'queued' });
    await expect(remove(id, who)).rejects.toEqual(code('NOT_FOUND'));
  });
});

describe('a person who asks in a call not to be called again', () => {
  const number = '+14155551070';
  const listOf = async ({ who }: Pick<TestCampaign, 'who'>) =>
    (await world.askPage(contract.suppressionsList, { query: {} }, who)).data;
  const historyOf = ({ who }: Pick<TestCampaign, 'who'>, phoneNumber = number) =>
    world.ask(contract.suppressionsHistory, { query: { phoneNumber } }, who);
  const optOut = ({ who, agentId }: Pick<TestCampaign, 'who' | 'agentId'>, callId: string) =>
    world.ask(
      contract.suppressionsAddOfCall,
      { params: { callId }, body: {} },
      {
        organizationId: who.organizationId,
        actor: { type: 'call', id: callId, agentId },
        role: 'call',
        permissions: [],
      },
    );
  const recipientsOf = ({ id, who }: TestCampaign) =>
    world.ask(contract.outboundCallsListRecipients, { params: { campaignId: id }, query: {} }, who);

  it('is not reached by the retry, by another campaign or by a quick call, as the hand-over of the call reports', async () => {
    putOn('2027-03-02T20:00:00.000Z');
    const retryPolicy = { maxAttempts: 3, delaySeconds: 30, on: ['busy' as const] };
    const campaign = await importedCampaign(world, [number], { campaign: { retryPolicy } });
    const [id = ''] = campaign.callIds;
    await until(campaign, { progress: { pending: 1, attempts: 1 } });
    const { callId } = attemptIds(id, 1);
    for (const _ of ['once', 'again']) await world.tellOptOut(campaign.who.organizationId, callId);
    await eventually(async () =>
      expect(await listOf(campaign)).toMatchObject([
        { phoneNumber: number, source: 'call', addedBy: `call:${callId}` },
      ]),
    );
    aheadMs += 31_000;
    await until(campaign, { status: 'completed' });
    const [recipient] = await recipientsOf(campaign);
    expect(recipient).toMatchObject({ state: 'skipped', reason: { code: 'suppressed_dnc' } });
    const other = await importedCampaign(world, [number], { who: campaign.who });
    await until(other, { status: 'completed', progress: { skipped: 1 } });
    const quick = { agentId: campaign.agentId, phoneNumber: number, fromNumber: '+14155550142' };
    await expect(world.ask(contract.outboundCallsQuick, { body: quick }, campaign.who)).rejects.toEqual(
      code('SUPPRESSED_DNC'),
    );
    expect(await dialsOf([id, ...other.callIds])).toHaveLength(1);
    expect(await historyOf(campaign)).toMatchObject([{ change: 'added', source: 'call', callId }]);
  });

  it('is on the list before the call ends, once per call, and stays off it after an admin has decided so', async () => {
    putOn('2027-03-02T21:00:00.000Z');
    const campaign = await importedCampaign(world, ['+14155551101']);
    await until(campaign, { progress: { inProgress: 1 } });
    const { callId } = attemptIds(campaign.callIds[0] ?? '', 1);
    await Promise.all([optOut(campaign, callId), optOut(campaign, callId)]);
    const [entry, ...more] = await listOf(campaign);
    expect([entry?.phoneNumber, more]).toEqual(['+14155551101', []]);
    const removal = { params: { suppressionId: entry?.id ?? '' }, query: { reason: 'wants to be called' } };
    await world.ask(contract.suppressionsDelete, removal, campaign.who);
    // The hand-over reports what the runtime has requested already.
    await optOut(campaign, callId);
    expect(await listOf(campaign)).toEqual([]);
    expect(await historyOf(campaign, '+14155551101')).toMatchObject([
      { change: 'removed', reason: 'wants to be called' },
      { change: 'added', callId },
    ]);
  });

  it('is put on the list by the number that called, and without an error where that is withheld', async () => {
    const campaign = await importedCampaign(world, []);
    const callFrom = (fromNumber: string | null): string => {
      const callId = randomUUID();
      world.callNumbers.set(callId, { direction: 'inbound', fromNumber, toNumber: '+442079460001' });
      return callId;
    };
    for (const withheld of [null, 'anonymous', '+266696687', '']) await optOut(campaign, callFrom(withheld));
    expect(await listOf(campaign)).toEqual([]);
    // As a provider writes it that leaves out the country.
    await optOut(campaign, callFrom('020 7946 0958'));
    await optOut(campaign, callFrom('+14155551071'));
    expect((await listOf(campaign)).map(({ phoneNumber }) => phoneNumber).sort()).toEqual([
      '+14155551071',
      '+442079460958',
    ]);
    await expect(optOut(campaign, randomUUID())).rejects.toEqual(code('CALL_NOT_FOUND'));
  });
});

describe('a night in London', () => {
  // Two o'clock in summer. By these names the runtime means Dhaka (seven in the morning) and Panama (eight in the evening).
  const night = '2027-07-05T01:00:00.000Z';
  const morning = '2027-07-05T06:00:00.000Z';
  const everyDay = [0, 1, 2, 3, 4, 5, 6];
  const callingWindow = { days: everyDay, start: '07:00', end: '21:00', basis: 'recipient' as const };
  const settings = { allowedCountries: ['US', 'GB'] };

  it('is left in peace, whatever short name of a time zone an earlier release recorded', async () => {
    putOn(night);
    const campaigns = await Promise.all(
      ['BST', 'EST', 'UTC', 'Europe/London'].map((zone) =>
        importedCampaign(world, ['+442079460970', '+442079460971'], {
          ...{ campaign: { callingWindow }, settings, zones: [zone] },
        }),
      ),
    );
    for (const campaign of campaigns) {
      await until(campaign, { status: 'paused', statusReason: 'outside_calling_window' });
      expect(await dialsOf(campaign.callIds)).toEqual([]);
      expect((await world.campaigns.load(campaign.id)).state).toMatchObject({ until: morning });
    }
    putOn('2027-07-05T05:59:58.000Z');
    for (const campaign of campaigns) {
      await until(campaign, { status: 'completed', progress: { busy: 2 } });
      for (const at of await dialsOf(campaign.callIds)) expect(at >= morning).toBe(true);
    }
  }, 240_000);

  it('is open to a window that passes midnight, and to nobody after its end', async () => {
    putOn('2027-07-06T04:59:00.000Z');
    const nightly = { ...callingWindow, days: [0], start: '22:00', end: '06:00' };
    const open = await importedCampaign(world, ['+442079460970'], {
      ...{ campaign: { callingWindow: nightly }, settings, zones: ['Europe/London'] },
    });
    await until(open, { status: 'completed', progress: { busy: 1 } });
    putOn('2027-07-06T05:00:00.000Z');
    const shut = await importedCampaign(world, ['+442079460970'], {
      ...{ campaign: { callingWindow: nightly }, settings, zones: ['Europe/London'] },
    });
    await until(shut, { status: 'paused', statusReason: 'outside_calling_window' });
    expect((await world.campaigns.load(shut.id)).state).toMatchObject({ until: '2027-07-12T21:00:00.000Z' });
  }, 240_000);
});

describe('a number on record that cannot exist', () => {
  it('is skipped by its campaign, with the reason', async () => {
    const campaign = await importedCampaign(world, ['+14150550170', '+14155550170']);
    await until(campaign, { status: 'completed', progress: { busy: 1, skipped: 1 } });
    const { rows } = await world.db.query(
      'select reason from campaign_recipients where campaign_id = $1 order by row_number',
      [campaign.id],
    );
    expect(rows[0]).toEqual({ reason: 'invalid_destination' });
  });
});
