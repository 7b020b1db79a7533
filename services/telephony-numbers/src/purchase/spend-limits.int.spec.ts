// The money of numbers: a number is ordered only after the dialer has put a month aside, and never when it refuses.

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@parlance/contracts';
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
