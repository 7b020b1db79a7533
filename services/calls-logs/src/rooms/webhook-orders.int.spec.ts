// The same as `webhook-orders.spec.ts`, by some of the orders, through the service and its read models.
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { startClockedReconciler } from '../testing/clocked-reconciler.js';
import { heldInARoom, ordersOfSix } from '../testing/webhooks.js';
import { userOf, World } from '../testing/world.js';

const every = 15;
const roomsAtOnce = 6;
const organizationId = randomUUID();

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

it('webhooks in any order, at the same time and some of them twice, lead to one call each', async () => {
  const seed = randomInt(2 ** 31);
  const began = Date.now();
  const calls = ordersOfSix(seed)
    .filter((_, index) => index % every === seed % every)
    .map((order) => ({ order, callId: randomUUID() }));
  const waiting = calls.values();
  const teller = async (): Promise<void> => {
    for (const { order, callId } of waiting) {
      const { webhooks } = heldInARoom(organizationId, callId, began);
      const told = order.flatMap((which) => webhooks[which] ?? []);
      // The last two at the same time: the second one decides again on the state after the first one.
      for (const event of told.slice(0, -2)) expect(await world.report(event)).toBe(true);
      expect(await Promise.all(told.slice(-2).map((event) => world.report(event)))).toEqual([true, true]);
    }
  };
  await Promise.all(Array.from({ length: roomsAtOnce }, teller));
  // No runtime hands these calls over: they are ended once the time for that has passed.
  const reconciler = startClockedReconciler(world);
  reconciler.aheadMs = 60_000;
  const ended = () => world.ends;
  await eventually(() => expect(ended()).toHaveLength(calls.length), { timeoutMs: 60_000 });
  await reconciler.stop();
  for (const { order, callId } of calls) {
    const { log } = heldInARoom(organizationId, callId, began);
    expect({ seed, order, log: await world.get(organizationId, callId) }).toMatchObject({ seed, order, log });
  }
  const query = { limit: '100' };
  await eventually(async () => {
    const data = await world.ask(contract.callsList, { query }, userOf(organizationId));
    expect(data.map(({ id }) => id).sort()).toEqual(calls.map(({ callId }) => callId).sort());
    expect(await world.live(organizationId)).toEqual([]);
  });
}, 240_000);
