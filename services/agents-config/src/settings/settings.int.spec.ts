// An organization's settings: over NATS, of the whole service.

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { refusal } from '@parlance/fixtures/service';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

afterEach(() => {
  world.limits = { concurrentCalls: null, countries: null };
});

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('the settings', () => {
  const settingsOf = (who: Caller) => world.ask(contract.settingsGet, {}, who);
  const change = (who: Caller, body: object) => world.ask(contract.settingsUpdate, { body }, who);

  it('are the defaults until they are changed, each organization for itself, and told to the others', async () => {
    const [mine, theirs] = [world.organization(), world.organization()];
    const before = await settingsOf(mine.who);
    expect(before).toMatchObject({ timezone: 'UTC', allowedCountries: [], maxConcurrentCalls: 10 });
    const after = await change(mine.who, { timezone: 'Asia/Kathmandu', allowedCountries: ['NP', 'IN'] });
    expect(after).toEqual({ ...before, timezone: 'Asia/Kathmandu', allowedCountries: ['NP', 'IN'] });
    const callingWindow = { days: [0, 4], start: '09:00', end: '18:00', basis: 'recipient' as const };
    expect(await change(mine.who, { callingWindow })).toEqual({ ...after, callingWindow });
    expect(await settingsOf(mine.who)).toEqual({ ...after, callingWindow });
    expect(await settingsOf(theirs.who)).toEqual(before);
    await eventually(() => {
      const told = world.eventsOf(mine.id, events.settingsChanged).map(({ data }) => data);
      expect(told).toEqual([
        { ...after, version: 1 },
        { ...after, callingWindow, version: 2 },
      ]);
    });
    expect(world.eventsOf(theirs.id, events.settingsChanged)).toEqual([]);
  });

  it('are told to nobody when a change changes nothing', async () => {
    const org = world.organization();
    await change(org.who, { maxConcurrentCalls: 20, inboundReserve: 20 });
    const same = await change(org.who, { maxConcurrentCalls: 20 });
    expect(await change(org.who, {})).toEqual(same);
    const last = await change(org.who, { inboundReserve: 0 });
    expect(last).toEqual({ ...same, inboundReserve: 0 });
    await eventually(() =>
      expect(world.eventsOf(org.id, events.settingsChanged).map(({ data }) => data.version)).toEqual([1, 2]),
    );
  });

  it('lose nothing when two change them at the same time, from the first time on', async () => {
    const org = world.organization();
    await Promise.all([
      change(org.who, { timezone: 'Europe/Berlin' }),
      change(org.who, { dailyAttemptsPerNumber: 4 }),
      change(org.who, { maxConcurrentCalls: 50 }),
    ]);
    expect(await settingsOf(org.who)).toMatchObject({
      timezone: 'Europe/Berlin',
      dailyAttemptsPerNumber: 4,
      maxConcurrentCalls: 50,
    });
  });

  it('refuse to keep more calls free than there may be, and stay what they were', async () => {
    const org = world.organization();
    const before = await settingsOf(org.who);
    expect(await refusal(change(org.who, { timezone: 'UTC', inboundReserve: 11 }))).toEqual(
      code('VALIDATION_ERROR'),
    );
    expect(await settingsOf(org.who)).toEqual(before);
  });

  it('stay within the limits of the operator, and a value from before a lower limit may stay', async () => {
    const org = world.organization();
    await change(org.who, { maxConcurrentCalls: 60, allowedCountries: ['US', 'DE'] });
    world.limits = { concurrentCalls: 50, countries: ['US', 'FR'] };
    const tooHigh = (details: object) => expect.objectContaining({ code: 'LIMIT_TOO_HIGH', details });
    expect(await refusal(change(org.who, { maxConcurrentCalls: 51 }))).toEqual(
      tooHigh({ limit: 'concurrentCalls', allowed: 50 }),
    );
    expect(await refusal(change(org.who, { allowedCountries: ['US', 'GB'] }))).toEqual(
      tooHigh({ limit: 'countries', allowed: ['US', 'FR'] }),
    );
    const same = { maxConcurrentCalls: 60, allowedCountries: ['US', 'DE'] };
    expect(await change(org.who, { ...same, timezone: 'Europe/Berlin' })).toMatchObject(same);
    const lower = { maxConcurrentCalls: 50, allowedCountries: ['FR'] };
    expect(await change(org.who, lower)).toMatchObject(lower);
    expect(await change(org.who, { allowedCountries: null })).toMatchObject({ allowedCountries: [] });
  });

  it('that the operator limits do not change while the dialer is away, and the others do', async () => {
    const org = world.organization();
    world.limits = undefined;
    for (const body of [{ maxConcurrentCalls: 9 }, { allowedCountries: ['US'] }])
      expect(await refusal(change(org.who, body))).toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await change(org.who, { timezone: 'Europe/Berlin', maxConcurrentCalls: 10 })).toMatchObject({
      timezone: 'Europe/Berlin',
    });
  });

  it('stay within the limits that the gateway sends along, and as they are where those could not be read', async () => {
    const org = world.organization();
    world.limits = undefined;
    const within = (
      limits: { concurrentCalls: number | null; countries: string[] | null } | null,
      body: object,
    ) => world.ask(contract.settingsUpdate, { body, composed: { limits } }, org.who);
    const limits = { concurrentCalls: 50, countries: ['US'] };
    expect(await refusal(within(limits, { maxConcurrentCalls: 51 }))).toEqual(code('LIMIT_TOO_HIGH'));
    expect(await refusal(within(limits, { allowedCountries: ['DE'] }))).toEqual(code('LIMIT_TOO_HIGH'));
    expect(await within(limits, { maxConcurrentCalls: 50 })).toMatchObject({ maxConcurrentCalls: 50 });
    expect(await refusal(within(null, { maxConcurrentCalls: 9 }))).toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await within(null, { timezone: 'Europe/Berlin' })).toMatchObject({ maxConcurrentCalls: 50 });
  });
});
