// The money of numbers: a number is ordered only after the dialer has put a month aside, and never when it refuses.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { NumbersWorld } from '../testing/numbers-world.js';

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
const granted = { data: {} };
afterEach(() => {
  world.reserveMonth = () => granted;
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const offersOf = (who: Caller, limit: number, areaCode = '415') =>
  world.search('TWILIO', who, { areaCode, limit: String(limit) });
const offerOf = async (who: Caller, areaCode?: string) => {
  const [offer] = await offersOf(who, 1, areaCode);
  if (offer === undefined) throw new Error('nothing is for sale');
  return offer;
};

describe('before a number is ordered', () => {
  it('its price is put aside with the number of those that the organization owns', async () => {
    const who = ownerOf();
    const asked: unknown[] = [];
    world.reserveMonth = (wanted) => {
      asked.push(wanted);
      return granted;
    };
    const offer = await offerOf(who);
    const { id } = await world.buy('TWILIO', offer, who);
    const { monthlyPriceMicros } = offer;
    expect(asked).toEqual([{ numberId: id, monthlyPriceMicros, currency: 'USD', numbersOwned: 1 }]);
  });

  it.each([['day'], ['month'], ['numbers']])(
    'the purchase is refused over the limit "%s", nothing is bought, and quote and number can be used again',
    async (limit) => {
      const who = ownerOf();
      const offer = await offerOf(who, '212');
      const details = { limit, reservedMicros: 5, spentMicros: 7 };
      world.reserveMonth = () => ({ error: new AppError('SPEND_LIMIT_REACHED', { details }).toWire() });
      await expect(world.buy('TWILIO', offer, who)).rejects.toMatchObject({
        code: 'SPEND_LIMIT_REACHED',
        details,
      });
      expect(await world.timesBought(offer.phoneNumber)).toBe(0);
      await eventually(() =>
        expect(world.told.map(({ data }) => data)).toContainEqual(
          expect.objectContaining({ phoneNumber: offer.phoneNumber, status: 'failed' }),
        ),
      );
      world.reserveMonth = () => granted;
      expect(await world.buy('TWILIO', offer, who)).toMatchObject({ status: 'active' });
    },
  );

  it.each([
    ['reserved', undefined, 'active'],
    ['refused', 'SPEND_LIMIT_REACHED', 'SPEND_LIMIT_REACHED'],
    ['not answered', 'silence', 'SERVICE_UNAVAILABLE'],
  ])('a gateway of 0.2.0 leaves the reservation to the service: %s', async (_, answer, expected) => {
    const who = ownerOf();
    const offer = await offerOf(who, '305');
    const refused = { error: new AppError('SPEND_LIMIT_REACHED').toWire() };
    world.reserveMonth = () => (answer === 'silence' ? undefined : answer === undefined ? granted : refused);
    const outcome = await world
      .buyFormerly('TWILIO', offer, who)
      .then(({ status }) => status)
      .catch(({ code: refusal }: AppError) => refusal);
    expect(outcome).toBe(expected);
    expect(await world.timesBought(offer.phoneNumber)).toBe(answer === undefined ? 1 : 0);
  });

  it('nothing is ordered for a purchase that was begun and left, and the number is free again', async () => {
    const who = ownerOf();
    const offer = await offerOf(who, '512');
    const { phoneNumber, quoteId } = offer;
    const body = { provider: 'TWILIO' as const, phoneNumber, quoteId };
    const { begun } = await world.ask(serviceRequests.numbersBegin, { body }, who);
    expect(begun).toMatchObject({ monthlyPriceMicros: offer.monthlyPriceMicros, numbersOwned: 1 });
    const numberId = begun?.numberId ?? '';
    const statusOf = async () => (await world.list(who)).find(({ id }) => id === numberId)?.status;
    await eventually(async () => expect(await statusOf()).toBe('failed'), { timeoutMs: 60_000 });
    expect(await world.timesBought(phoneNumber)).toBe(0);
    const composed = { numberId, refusal: null };
    await expect(world.ask(contract.numbersBuy, { body, composed }, who)).rejects.toEqual(
      code('PROVIDER_ERROR'),
    );
    expect(await world.timesBought(phoneNumber)).toBe(0);
    expect(await world.buy('TWILIO', offer, who)).toMatchObject({ status: 'active' });
  });

  it('a begun purchase is ordered once, however often the gateway sends it, and by its organization alone', async () => {
    const who = ownerOf();
    const offer = await offerOf(who, '206');
    const { phoneNumber, quoteId } = offer;
    const body = { provider: 'TWILIO' as const, phoneNumber, quoteId };
    const { begun } = await world.ask(serviceRequests.numbersBegin, { body }, who);
    const composed = { numberId: begun?.numberId ?? '', refusal: null };
    const buy = (buyer: Caller) => world.ask(contract.numbersBuy, { body, composed }, buyer);
    await expect(buy(ownerOf())).rejects.toEqual(code('PROVIDER_ERROR'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => buy(who)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([composed.numberId]));
    expect(await world.timesBought(phoneNumber)).toBe(1);
  });

  it('a command that comes again begins no second purchase', async () => {
    const who = ownerOf();
    const [offer, other] = await offersOf(who, 2, '312');
    const commandId = randomUUID();
    if (offer === undefined || other === undefined) throw new Error('nothing is for sale');
    const begin = ({ phoneNumber, quoteId }: typeof offer) =>
      world.ask(
        serviceRequests.numbersBegin,
        { body: { provider: 'TWILIO', phoneNumber, quoteId } },
        who,
        commandId,
      );
    expect((await begin(offer)).begun).toMatchObject({ numberId: commandId });
    expect((await begin(other)).begun).toBeNull();
    // The number is free for other purchases once this one is refused its month.
    const { phoneNumber, quoteId } = offer;
    const body = { provider: 'TWILIO' as const, phoneNumber, quoteId };
    const composed = { numberId: commandId, refusal: { code: 'SERVICE_UNAVAILABLE' as const } };
    await expect(world.ask(contract.numbersBuy, { body, composed }, who)).rejects.toEqual(
      code('SERVICE_UNAVAILABLE'),
    );
    expect((await world.list(who)).map(({ status }) => status)).toEqual(['failed']);
  });

  it('nothing is bought while the dialer does not answer', async () => {
    const who = ownerOf();
    const offer = await offerOf(who, '312');
    world.reserveMonth = () => undefined;
    await expect(world.buy('TWILIO', offer, who)).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await world.timesBought(offer.phoneNumber)).toBe(0);
  });

  it('each of many that are bought at the same time counts those before it, so that no two take the last place', async () => {
    const who = ownerOf();
    const most = 3;
    const counts: number[] = [];
    world.reserveMonth = ({ numbersOwned }) => {
      counts.push(numbersOwned);
      if (numbersOwned <= most) return granted;
      return { error: new AppError('SPEND_LIMIT_REACHED', { details: { limit: 'numbers' } }).toWire() };
    };
    const offers = await offersOf(who, 8, '206');
    const answers = await Promise.allSettled(offers.map((offer) => world.buy('TWILIO', offer, who)));
    const bought = answers.filter(({ status }) => status === 'fulfilled');
    expect(bought.length).toBeGreaterThan(0);
    expect(bought.length).toBeLessThanOrEqual(most);
    expect(counts).toHaveLength(8);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toEqual(code('SPEND_LIMIT_REACHED'));
    const active = (await world.list(who)).filter(({ status }) => status === 'active');
    expect(active).toHaveLength(bought.length);
  });
});
