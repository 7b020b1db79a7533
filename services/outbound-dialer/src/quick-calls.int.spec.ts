// Quick calls with the service as it runs: booted whole and asked over NATS. The event store and the database are real,
// and phones ring.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { attemptIds } from './domain/outbound-call/attempt-ids.js';
import { type DialingWorld, startDialingWorld } from './testing/dialing-world.js';
import { code, endOf, quickCallsOf } from './testing/quick-calls.js';

let world: DialingWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startDialingWorld();
  dialer = await world.startDialer();
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const { organization, retry, until, toldAbout } = quickCallsOf(() => world);

describe('a quick call', () => {
  // They run at the same time. A number that ends in 95 refuses the first of two dials, whoever calls it.
  it.concurrent('is placed, dialled, answered, and ends as its call does', async () => {
    const { who, agentId, quick } = organization();
    const placed = await quick({
      username: 'Grace',
      firstMessage: 'Hello Grace',
      dynamicVariables: { name: 'Grace' },
      metadata: { order: 7 },
      provider: 'TWILIO',
    });
    expect(placed).toMatchObject({
      status: 'queued',
      mode: 'quick',
      agentId,
      phoneNumber: '+14155550100',
      fromNumber: '+14155550142',
      username: 'Grace',
      firstMessage: 'Hello Grace',
      systemPrompt: null,
      dynamicVariables: { name: 'Grace' },
      metadata: { order: 7 },
      provider: 'TWILIO',
      sid: null,
      attempt: 1,
      retryable: false,
      callId: null,
      createdAt: placed.updatedAt,
    });
    const answered = await until(placed.id, who, { status: 'in_progress', attempt: 1 });
    const { attemptId, roomName } = attemptIds(placed.id, 1);
    expect(answered.attempts).toMatchObject([{ attempt: 1, attemptId, roomName, status: 'in_progress' }]);
    expect(answered.providerCallId).toMatch(/^SCL_/);
    await world.tellEnd(endOf(answered), agentId, who.organizationId);
    const ended = await until(placed.id, who, { status: 'completed' });
    expect(ended).toMatchObject({
      outcome: 'answered',
      endedReason: 'user_hangup',
      answeredBy: 'human',
      durationSeconds: 30,
      costMicros: 4_200,
      retryable: false,
      error: null,
      attempts: [{ status: 'completed', outcome: 'answered' }],
    });
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it.concurrent('is told to the others, in the words of the contract', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    const busy = await until(id, who, { status: 'busy' });
    await eventually(() => expect(toldAbout(busy.callId)).toEqual(['started', 'settled']));
    const [started, settled] = world.told.filter(({ data }) => data.callId === busy.callId);
    expect(events.attemptStarted.data.parse(started?.data)).toMatchObject({
      outboundCallId: id,
      agentId,
      configVersion: 3,
      toNumber: '+14155550170',
    });
    expect(events.attemptSettled.data.parse(settled?.data)).toMatchObject({
      status: 'busy',
      endedReason: 'busy',
    });
  });

  it.concurrent.each([
    ['+14155550170', { status: 'busy', endedReason: 'busy', attempts: [{ sipStatus: 486 }] }],
    ['+14155550180', { status: 'no_answer', endedReason: 'declined', attempts: [{ sipStatus: 603 }] }],
    ['+14155550190', { status: 'failed', endedReason: 'invalid_destination', error: { sipStatus: 404 } }],
  ])('to %s says why nobody was reached, and leaves no room behind', async (phoneNumber, why) => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber });
    const ended = await until(id, who, { ...why, retryable: true });
    await eventually(async () => expect(await world.rooms.rooms([ended.roomName ?? ''])).toEqual([]));
  });

  it.concurrent('that the provider asks to make later is made later, as another attempt', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550195' });
    const answered = await until(id, who, { status: 'in_progress' });
    expect(answered.attempts).toMatchObject([
      { attempt: 1, status: 'failed', sipStatus: 429 },
      { attempt: 2, status: 'in_progress' },
    ]);
  });

  it.concurrent('that is asked for again under one key is one call, and rings once', async () => {
    const { who, quick } = organization();
    const commandId = randomUUID();
    const placed = await Promise.all(Array.from({ length: 10 }, () => quick({}, commandId)));
    expect(new Set(placed.map(({ id }) => id))).toEqual(new Set([commandId]));
    await until(commandId, who, { status: 'in_progress' });
    expect(await quick({}, commandId)).toMatchObject({ id: commandId, status: 'in_progress' });
    expect(await world.dialsOf(attemptIds(commandId, 1).roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it.concurrent('is refused for an agent that may not call, for numbers that may not be called, and for what may not be said', async () => {
    const { quick } = organization();
    await expect(quick({ agentId: randomUUID() })).rejects.toEqual(code('AGENT_NOT_FOUND'));
    await expect(organization({ isActive: false }).quick()).rejects.toEqual(code('AGENT_INACTIVE'));
    await expect(organization({ configVersion: null }).quick()).rejects.toEqual(code('AGENT_NOT_CONFIGURED'));
    await expect(quick({ phoneNumber: '911' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+19005551234' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+442079460000' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+15550100' })).rejects.toEqual(code('INVALID_PHONE_NUMBER'));
    const strict = organization({ allowedOverrides: ['firstMessage'] });
    await expect(strict.quick({ firstMessage: 'Hi', systemPrompt: 'Be rude.' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body.systemPrompt', code: 'not_allowed' }] },
    });
  });

  it.concurrent('is never made from a number that is somebody else’s, or not anybody’s yet, whatever is said of it', async () => {
    const { quick } = organization();
    const fromNumber = '+14155550187';
    world.taken.add(fromNumber);
    await expect(quick({ fromNumber })).rejects.toEqual(code('NUMBER_NOT_FOUND'));
    await expect(quick({ fromNumber, provider: 'TWILIO' })).rejects.toEqual(code('NUMBER_NOT_FOUND'));
    for (const provider of ['TWILIO', 'TELNYX'])
      await expect(quick({ fromNumber, provider, sid: 'PN7' })).rejects.toEqual(
        code('CALLER_NUMBER_NOT_OWNED'),
      );
    // Its own number, and another account than the number's own.
    await expect(quick({ provider: 'TELNYX' })).rejects.toEqual(code('CALLER_NUMBER_NOT_OWNED'));
  });

  it.concurrent('is made from a number that is kept at the provider alone when the provider knows it by its identifier', async () => {
    const { who, quick } = organization();
    const fromNumber = '+14155550188';
    world.unowned.add(fromNumber);
    world.kept.set(fromNumber, 'PN8');
    await expect(quick({ fromNumber })).rejects.toEqual(code('NUMBER_NOT_FOUND'));
    const named = { fromNumber, provider: 'TWILIO' };
    await expect(quick({ ...named, sid: 'PN9' })).rejects.toEqual(code('CALLER_NUMBER_NOT_OWNED'));
    const { id } = await quick({ ...named, sid: 'PN8', phoneNumber: '+14155550170' });
    // In the number's own country, although the organization has no number here.
    expect(await until(id, who, { status: 'busy' })).toMatchObject({ provider: 'TWILIO', sid: 'PN8' });
    world.kept.set(fromNumber, 'away');
    await expect(quick({ ...named, sid: 'PN8' })).rejects.toEqual(code('PROVIDER_UNAVAILABLE'));
  });

  it.concurrent('is put off while the owner of its number cannot be learned, and made when that is known again', async () => {
    const { who, quick } = organization();
    const fromNumber = '+14155550186';
    world.kept.set(fromNumber, 'PN6');
    const { id } = await quick({ fromNumber, provider: 'TWILIO', sid: 'PN6', phoneNumber: '+14155551195' });
    await until(id, who, { attempts: [{ attempt: 1, sipStatus: 429 }] });
    world.kept.set(fromNumber, 'away');
    await until(id, who, { attempts: [{}, { attempt: 2, status: 'failed', endedReason: 'unknown' }] });
    expect(await world.dialsOf(attemptIds(id, 2).roomName)).toEqual({ dials: 0, rings: 0 });
    world.kept.set(fromNumber, 'PN6');
    await until(id, who, { status: 'in_progress', attempt: 3 });
  });

  it.concurrent('is not dialled, and not tried again, from a number that was given back after it was placed', async () => {
    const { who, quick } = organization();
    const fromNumber = '+14155550189';
    const { id } = await quick({ fromNumber, phoneNumber: '+14155552195' });
    await until(id, who, { attempts: [{ attempt: 1, sipStatus: 429 }] });
    world.unowned.add(fromNumber);
    await until(id, who, { status: 'failed', endedReason: 'provider_rejected' });
    expect(await world.dialsOf(attemptIds(id, 1).roomName)).toMatchObject({ dials: 1 });
    expect(await world.dialsOf(attemptIds(id, 2).roomName)).toEqual({ dials: 0, rings: 0 });
    await expect(retry(id, who)).rejects.toEqual(code('CALLER_NUMBER_NOT_OWNED'));
    world.unowned.delete(fromNumber);
    expect(await retry(id, who)).toMatchObject({ status: 'queued' });
  });
});

describe('a dial whose outcome nobody was told', () => {
  it('is settled by its call, and never repeated', async () => {
    const { who, agentId, quick } = organization();
    await world.fault('hang-after', 1);
    const { id } = await quick();
    const dialling = await until(id, who, { status: 'initiated' });
    const { roomName } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    await world.tellEnd(endOf(dialling), agentId, who.organizationId);
    await until(id, who, { status: 'completed', attempts: [{ status: 'completed' }] });
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it.each(['reset-after', '5xx-after'])(
    'is adopted when the phone was answered after all (%s)',
    async (mode) => {
      const { who, quick } = organization();
      await world.fault(mode, 1);
      const { id } = await quick();
      await until(id, who, { status: 'in_progress', attempt: 1 });
      expect(await world.dialsOf(attemptIds(id, 1).roomName)).toEqual({ dials: 1, rings: 1 });
    },
  );
});

describe('lists', () => {
  const list = (query: object, who: Caller) => world.askPage(contract.outboundCallsList, { query }, who);

  it('show one organization’s calls, newest first, page by page, without a gap or a repetition', async () => {
    const { who, agentId, quick } = organization();
    const placed: string[] = [];
    for (let made = 0; made < 5; made += 1)
      placed.unshift((await quick({ phoneNumber: `+1415555017${made}` })).id);
    await eventually(async () => expect((await list({ status: 'busy' }, who)).data).toHaveLength(5));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '2', ...(cursor ? { cursor } : {}) }, who);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(placed);
    expect((await list({ agentId, mode: 'quick' }, who)).data).toHaveLength(5);
    expect((await list({ agentId: randomUUID() }, who)).data).toEqual([]);
    expect((await list({ mode: 'batch' }, who)).data).toEqual([]);
    expect((await list({}, ownerOf())).data).toEqual([]);
  });

  it('refuse a cursor of another list', async () => {
    const { who, quick } = organization();
    await quick({ phoneNumber: '+14155550170' });
    await quick({ phoneNumber: '+14155550171' });
    const { nextCursor = '' } = await eventually(async () => {
      const page = await list({ limit: '1' }, who);
      expect(page.nextCursor).toBeDefined();
      return page;
    });
    const refused = code('INVALID_CURSOR');
    await expect(list({ cursor: nextCursor }, ownerOf())).rejects.toEqual(refused);
    await expect(list({ cursor: nextCursor, status: 'busy' }, who)).rejects.toEqual(refused);
    await expect(list({ cursor: `${nextCursor}x` }, who)).rejects.toEqual(refused);
  });
});

describe('the spend of an organization', () => {
  it('counts the monthly price of a number from its reservation on, and refuses an invalid range', async () => {
    const { who } = organization();
    const spend = (query: object = {}) => world.ask(contract.spendGet, { query }, who);
    const before = await spend();
    expect(before).toMatchObject({
      currency: 'USD',
      limits: { numbers: 25, countries: null },
      byCampaign: [],
    });
    expect(before.byDay).toHaveLength(30);
    const numberId = randomUUID();
    const body = { numberId, monthlyPriceMicros: 1_400_000, currency: 'USD', numbersOwned: 25 };
    await world.ask(serviceRequests.spendReserveNumber, { body }, who);
    expect((await spend()).day).toEqual({ spentMicros: 0, reservedMicros: 1_400_000 });
    const over = { body: { ...body, numberId: randomUUID(), numbersOwned: 26 } };
    await expect(world.ask(serviceRequests.spendReserveNumber, over, who)).rejects.toMatchObject({
      code: 'SPEND_LIMIT_REACHED',
      details: { limit: 'numbers' },
    });
    const number = { numberId, phoneNumber: '+14155550142', isoCountry: 'US', agentId: null };
    await world.tellNumber(who.organizationId, {
      ...number,
      provider: 'TWILIO',
      status: 'active',
      version: 2,
    });
    const paid = { spentMicros: 1_400_000, reservedMicros: 0 };
    await eventually(async () => expect(await spend()).toMatchObject({ day: paid, month: paid }));
    expect((await spend()).byDay.at(-1)).toMatchObject({ callsMicros: 0, numbersMicros: 1_400_000 });
    for (const query of [{ from: '2026-13-01' }, { from: '2026-02-02', to: '2026-02-01' }, { to: 'today' }])
      await expect(spend(query)).rejects.toEqual(code('INVALID_RANGE'));
  });
});
