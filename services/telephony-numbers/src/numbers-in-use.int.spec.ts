// Numbers that calls are made from: which ones the dialer may use, and that none is given back under a campaign.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type Caller, contract, type PhoneNumber, serviceRequests } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { createDatabase } from '@parlance/postgres';
import { NumbersWorld, type ProviderName } from './testing/numbers-world.js';

let world: NumbersWorld;
let service: RunningService;

beforeAll(async () => {
  world = await NumbersWorld.start();
  service = await world.startService();
});
afterAll(async () => {
  await service?.stop();
  await world?.stop();
});
afterEach(() => {
  world.faults.TWILIO.clear();
  world.faults.livekit.clear();
  world.campaignFrom = async () => null;
});

const code = (expected: string) => expect.objectContaining({ code: expected });

const bought = async (who: Caller, provider: ProviderName = 'TWILIO'): Promise<PhoneNumber> => {
  const [offer] = await world.search(provider, who);
  if (offer === undefined) throw new Error('nothing is for sale');
  return world.buy(provider, offer, who);
};
const forDialing = (fromNumber: string, who: Caller) =>
  world.ask(serviceRequests.numbersForDialing, { body: { fromNumber } }, who);
/** The value of `DIAL_GRACE_MS` in the world. */
const goodForMs = 50;
const statusOf = async ({ id }: PhoneNumber, who: Caller) =>
  (await world.list(who)).find((number) => number.id === id)?.status;
const timesReleased = async ({ phoneNumber }: PhoneNumber) =>
  (await world.ledger()).filter((entry) => entry.kind === 'release' && entry.phoneNumber === phoneNumber)
    .length;

/** The dialer is asked about campaigns of a number, and its answer waits until it is told. */
const heldDialer = () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let answer = (_: string | null) => {};
  const answered = new Promise<string | null>((resolve) => {
    answer = resolve;
  });
  world.campaignFrom = () => {
    isAsked();
    return answered;
  };
  return { asked, answer };
};

describe('the dialer', () => {
  it('learns which numbers an organization may call from, and where it has them', async () => {
    const who = ownerOf();
    const number = await bought(who, 'TELNYX');
    const { id, provider, providerNumberId, isoCountry } = number;
    expect(await forDialing(number.phoneNumber, who)).toEqual({
      number: { id, provider, providerNumberId, isoCountry },
      countries: ['US'],
      trunkId: expect.stringMatching(/^ST_/),
      goodForMs,
    });
    expect(await forDialing('+14155550100', who)).toEqual({ number: null, countries: ['US'], goodForMs });
    const taken = { number: null, isTaken: true, countries: [], goodForMs };
    expect(await forDialing(number.phoneNumber, ownerOf())).toEqual(taken);
  });

  it('may use none that is being bought, by nobody', async () => {
    const who = ownerOf();
    world.faults.livekit.set({ target: 'trunks', mode: '5xx-before' });
    const number = await bought(who);
    expect(number.status).toBe('provisioning');
    const taken = { number: null, isTaken: true, countries: [], goodForMs };
    for (const caller of [who, ownerOf()])
      expect(await forDialing(number.phoneNumber, caller)).toEqual(taken);
    world.faults.livekit.clear();
    await eventually(async () => expect(await statusOf(number, who)).toBe('active'), { timeoutMs: 60_000 });
    expect(await forDialing(number.phoneNumber, who)).toMatchObject({ number: { id: number.id } });
  });

  it('may use none that is being given back, by nobody, and afterwards it is a number like every other', async () => {
    const who = ownerOf();
    const number = await bought(who);
    world.faults.TWILIO.set({ target: 'release', mode: '5xx-before' });
    await expect(world.release(number.id, who)).rejects.toEqual(code('PROVIDER_ERROR'));
    const taken = { number: null, isTaken: true, countries: [], goodForMs };
    for (const caller of [who, ownerOf()])
      expect(await forDialing(number.phoneNumber, caller)).toEqual(taken);
    world.faults.TWILIO.clear();
    await eventually(async () => expect(await statusOf(number, who)).toBeUndefined(), { timeoutMs: 60_000 });
    expect(await forDialing(number.phoneNumber, ownerOf())).toEqual({
      number: null,
      countries: [],
      goodForMs,
    });
  });
});

describe('a number that is given back', () => {
  it('is answered for only when every dial that was allowed before has been sent, or has to ask again', async () => {
    const graceMs = 1_500;
    const patient = await world.startService({ DIAL_GRACE_MS: String(graceMs) });
    await service.stop();
    service = patient;
    const who = ownerOf();
    const number = await bought(who);
    expect(await forDialing(number.phoneNumber, who)).toMatchObject({ number: {}, goodForMs: graceMs });
    const before = await timesReleased(number);
    const from = performance.now();
    const first = world.release(number.id, who);
    // The answer is no long before the number is gone; and releasing it a second time is no way around the wait.
    await eventually(async () =>
      expect(await forDialing(number.phoneNumber, who)).toMatchObject({ number: null }),
    );
    await Promise.all([first, world.release(number.id, who)]);
    expect(performance.now() - from).toBeGreaterThanOrEqual(graceMs);
    expect(await timesReleased(number)).toBe(before + 1);
    await service.stop();
    service = await world.startService();
  });
});

describe('a number that is kept at the provider alone', () => {
  const ownedAt = (provider: ProviderName, sid: string, fromNumber: string, who: Caller) =>
    world.ask(serviceRequests.numbersOwnedAtProvider, { body: { provider, sid, fromNumber } }, who);
  /** A number that the account has, and that was not bought through the service. */
  const keptAt = async (provider: ProviderName) => {
    const account = world.account(provider);
    const [offer] = await account.search({ country: 'US', areaCode: 305, limit: 1 });
    const marker = `reception ${randomUUID()}`;
    await account.buy({ phoneNumber: offer?.phoneNumber ?? '', marker });
    return eventually(async () => {
      const purchase = await account.findByMarker(marker);
      if (purchase.kind !== 'owned') throw new Error('not delivered yet');
      return purchase.number;
    });
  };
  const isOwned = async (...asked: Parameters<typeof ownedAt>): Promise<boolean> =>
    (await ownedAt(...asked)).isOwned;

  it('may be called from only where the accounts are the tenants’ own, and only this very number', async () => {
    const who = ownerOf();
    const kept = { TWILIO: await keptAt('TWILIO'), TELNYX: await keptAt('TELNYX') };
    const { phoneNumber, providerNumberId: sid } = kept.TWILIO;
    expect(await ownedAt('TWILIO', sid, phoneNumber, who)).toEqual({
      ...{ isOwned: false, countries: [], goodForMs },
    });
    await service.stop();
    service = await world.startService({ BILLING_MODE: 'own' });
    for (const provider of ['TWILIO', 'TELNYX'] as const) {
      const { phoneNumber: number, providerNumberId } = kept[provider];
      expect(await isOwned(provider, providerNumberId, number, who)).toBe(true);
      expect(await isOwned(provider, providerNumberId, '+14155550100', who)).toBe(false);
    }
    expect(await isOwned('TELNYX', sid, phoneNumber, who)).toBe(false);
    expect(await isOwned('TWILIO', kept.TELNYX.providerNumberId, kept.TELNYX.phoneNumber, who)).toBe(false);
    expect(await isOwned('TWILIO', `PN${'0'.repeat(32)}`, phoneNumber, who)).toBe(false);
  });

  it('belongs, once it is on record here, to its owner alone, and only while it is active', async () => {
    const who = ownerOf();
    const { phoneNumber, providerNumberId, id } = await bought(who);
    const asked = [providerNumberId ?? '', phoneNumber] as const;
    expect(await isOwned('TWILIO', ...asked, who)).toBe(true);
    expect(await isOwned('TWILIO', ...asked, ownerOf())).toBe(false);
    world.faults.TWILIO.set({ target: 'release', mode: '5xx-before' });
    await expect(world.release(id, who)).rejects.toEqual(code('PROVIDER_ERROR'));
    expect(await isOwned('TWILIO', ...asked, who)).toBe(false);
  });

  it('may not be called from while the provider does not answer', async () => {
    world.faults.TWILIO.set({ target: 'read', mode: '5xx-before' });
    await expect(ownedAt('TWILIO', `PN${'0'.repeat(32)}`, '+14155550100', ownerOf())).rejects.toEqual(
      code('PROVIDER_ERROR'),
    );
    world.faults.TWILIO.clear();
    await service.stop();
    service = await world.startService();
  });
});

describe('a number that a campaign calls from', () => {
  it('is not given back before the campaign has ended, and nobody at the provider is asked to', async () => {
    const who = ownerOf();
    const number = await bought(who);
    // An earlier test may have given back the same number.
    const before = await timesReleased(number);
    const campaignId = randomUUID();
    world.campaignFrom = async (phoneNumber) => (phoneNumber === number.phoneNumber ? campaignId : null);
    await expect(world.release(number.id, who)).rejects.toMatchObject({
      code: 'NUMBER_IN_USE',
      details: { campaignId },
    });
    expect(await world.list(who)).toEqual([number]);
    expect(await world.callTo(number.phoneNumber)).toBe(201);
    expect(await timesReleased(number)).toBe(before);
    world.campaignFrom = async () => null;
    await world.release(number.id, who);
    expect(await timesReleased(number)).toBe(before + 1);
  });

  it('is not given back while the dialer does not say whether there is one', async () => {
    const who = ownerOf();
    const number = await bought(who);
    const before = await timesReleased(number);
    world.campaignFrom = null;
    await expect(world.release(number.id, who)).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await world.list(who)).toEqual([number]);
    expect(await timesReleased(number)).toBe(before);
  });

  it('is asked about once: a release that was begun is finished, whatever campaign there is by then', async () => {
    const who = ownerOf();
    const number = await bought(who);
    world.faults.TWILIO.set({ target: 'release', mode: '5xx-before' });
    await expect(world.release(number.id, who)).rejects.toEqual(code('PROVIDER_ERROR'));
    world.campaignFrom = async () => randomUUID();
    await world.release(number.id, who);
    world.faults.TWILIO.clear();
    await eventually(async () => expect(await statusOf(number, who)).toBeUndefined(), { timeoutMs: 60_000 });
  });
});

describe('a number that a gateway of 0.2.0 gives back', () => {
  it('is checked for campaigns by the service', async () => {
    const who = ownerOf();
    const number = await bought(who);
    const campaignId = randomUUID();
    world.campaignFrom = async () => campaignId;
    await expect(world.releaseFormerly(number.id, who)).rejects.toMatchObject({
      code: 'NUMBER_IN_USE',
      details: { campaignId },
    });
    world.campaignFrom = null;
    await expect(world.releaseFormerly(number.id, who)).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    world.campaignFrom = async () => null;
    await world.releaseFormerly(number.id, who);
    expect(await statusOf(number, who)).toBeUndefined();
  });
});

describe('a number that is held for its release', () => {
  it('is not given back by what the gateway saw before, once the hold is over', async () => {
    const who = ownerOf();
    const number = await bought(who);
    const hold = await world.hold(number.id, who);
    await world.db.query(`update numbers set held_until = now() where id = $1`, [number.id]);
    const composed = { holdId: hold?.holdId ?? '', campaign: { id: null } };
    const release = () => world.ask(contract.numbersRelease, { params: { phId: number.id }, composed }, who);
    await expect(release()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    await expect(release()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await forDialing(number.phoneNumber, who)).toMatchObject({ number: { id: number.id } });
    await world.release(number.id, who);
    expect(await statusOf(number, who)).toBeUndefined();
  });

  it('is held once at a time, and by its organization alone', async () => {
    const who = ownerOf();
    const number = await bought(who);
    await expect(world.hold(number.id, ownerOf())).rejects.toEqual(code('NUMBER_NOT_FOUND'));
    expect(await world.hold(number.id, who)).toMatchObject({ phoneNumber: number.phoneNumber });
    await expect(world.hold(number.id, who)).rejects.toEqual(code('CONFLICT'));
  });

  it('is usable again when the gateway that held it died', async () => {
    const who = ownerOf();
    const number = await bought(who);
    expect(await world.hold(number.id, who)).not.toBeNull();
    // A dialer waits for a decision, and not for as long as the hold lasts at most.
    await eventually(
      async () =>
        expect(await forDialing(number.phoneNumber, who)).toMatchObject({ number: { id: number.id } }),
      { timeoutMs: 30_000 },
    );
  });

  it('is not held, and no purchase begun, while a process that knows neither answers for the service', async () => {
    const who = ownerOf();
    const number = await bought(who);
    const [offer] = await world.search('TWILIO', who);
    const url = new Secret(world.variables.POSTGRES_URL ?? '');
    const older = createDatabase({ url, applicationName: 'older', max: 1 });
    // The lock that every process of the first release has.
    await older.hold('release:0');
    await eventually(
      async () => {
        await world.db.query('update numbers set held_until = now() where id = $1', [number.id]);
        expect(await world.hold(number.id, who)).toBeNull();
      },
      { timeoutMs: 30_000 },
    );
    const { phoneNumber = '', quoteId } = offer ?? {};
    const body = { provider: 'TWILIO' as const, phoneNumber, quoteId };
    expect(await world.ask(serviceRequests.numbersBegin, { body }, who)).toEqual({ begun: null });
    await older.end();
  });
});

describe('a campaign that is created while its number is given back', () => {
  it.each([
    ['has the number when the release is refused', 'release', randomUUID()],
    ['has no number when it is given back', 'release', null],
    ['has the number when a gateway of 0.2.0 is refused its release', 'releaseFormerly', randomUUID()],
    ['has no number when a gateway of 0.2.0 gives it back', 'releaseFormerly', null],
  ] as const)('waits for the decision, and %s', async (_, release, campaignId) => {
    const who = ownerOf();
    const number = await bought(who);
    const dialer = heldDialer();
    const releasing = world[release](number.id, who).catch((error: unknown) => error);
    await dialer.asked;
    const looked: string[] = [];
    const looking = forDialing(number.phoneNumber, who).then(({ number: found }) => {
      looked.push('answered');
      return found?.id;
    });
    // Others are not kept waiting, so that the question above has been there for a while by now.
    await forDialing('+14155550100', who);
    await world.list(who);
    expect(looked).toEqual([]);
    dialer.answer(campaignId);
    expect(await looking).toBe(campaignId === null ? undefined : number.id);
    if (campaignId === null) expect(await releasing).toBeFalsy();
    else expect(await releasing).toEqual(code('NUMBER_IN_USE'));
  });
});

describe('an organization that is being removed', () => {
  const { numbersCloseOrganization, numbersReopenOrganization } = serviceRequests;
  const close = (who: Caller, removalId: string) =>
    world.ask(numbersCloseOrganization, { body: { removalId } }, who);

  it('buys no number: a purchase at the moment of the closure is either refused or counted', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [who, removalId] = [ownerOf(), randomUUID()];
      const [offer] = await world.search('TWILIO', who);
      if (offer === undefined) throw new Error('nothing is for sale');
      const buying = world.buy('TWILIO', offer, who).catch((error: unknown) => error);
      const { numbers } = await close(who, removalId);
      const outcome = await buying;
      if (numbers === 0) expect(outcome).toEqual(code('CONFLICT'));
      else expect(outcome).toMatchObject({ phoneNumber: offer.phoneNumber });
      expect(await world.list(who)).toHaveLength(numbers);
      expect((await close(who, removalId)).numbers).toBe(numbers);
      await expect(bought(who)).rejects.toEqual(code('CONFLICT'));
      await world.ask(numbersReopenOrganization, { body: { removalId } }, who);
      expect((await bought(who)).status).toBe('active');
    }
  });

  it('counts numbers that are being bought or given back', async () => {
    const who = ownerOf();
    world.faults.livekit.set({ target: 'trunks', mode: '5xx-before' });
    expect((await bought(who)).status).toBe('provisioning');
    expect((await close(who, randomUUID())).numbers).toBe(1);
    const other = ownerOf();
    world.faults.livekit.clear();
    const number = await bought(other);
    world.faults.TWILIO.set({ target: 'release', mode: '5xx-before' });
    await expect(world.release(number.id, other)).rejects.toEqual(code('PROVIDER_ERROR'));
    expect((await close(other, randomUUID())).numbers).toBe(1);
  });

  it('and was removed has its numbers given back by the service, once, though told twice while it was down', async () => {
    const who = ownerOf();
    const number = await bought(who);
    const before = await timesReleased(number);
    await service.stop();
    await tellRemoval(world.nats, who.organizationId);
    service = await world.startService();
    await eventually(async () => expect(await world.list(who)).toEqual([]), { timeoutMs: 60_000 });
    expect(await timesReleased(number)).toBe(before + 1);
    expect(await world.callTo(number.phoneNumber)).toBe(422);
    await expect(bought(who)).rejects.toEqual(code('CONFLICT'));
  });
});
