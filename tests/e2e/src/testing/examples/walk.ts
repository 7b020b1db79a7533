// A walk through every operation of the interface, in an order in which each finds its needs.
import type { Ground } from './ground.js';
import { walkBuilding } from './walk-building.js';
import { walkCalls } from './walk-calls.js';
import { walkPeople } from './walk-people.js';

/** @throws Error at the first operation that fails */
export const walk = async (ground: Ground): Promise<void> => {
  const { recorder } = ground;
  await recorder.ask('health.live', {});
  await recorder.ask('health.ready', {});
  const office = await walkPeople(ground);
  const { built, takeDown } = await walkBuilding(ground, office);
  await walkCalls(ground, office, built);
  await takeDown();
};
