// For tests: a service that dies again and again while numbers are bought or given back. Also the invariants after
// everything has come to rest.

import { expect } from '@jest/globals';
import type { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { purchaseOf } from '@parlance/telephony';
import type { CrashPoint } from '../purchase/crash-points.js';
import { type NumbersWorld, type ProviderName, providerNames } from './numbers-world.js';
import { startServiceProcess } from './service-process.js';

// biome-ignore lint/style/noProcessEnv: PARLANCE_TEST_NUMBERS=50 for the sweep in full, which takes minutes
const asked = process.env.PARLANCE_TEST_NUMBERS;
export const numbersPerPoint = Number(asked ?? 4);
/** Every point at every provider. */
export const isInFull = asked !== undefined;

/** No answer, because the asked process is dead. */
const isSilence = (error: unknown): boolean =>
  error instanceof AppError && ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'].includes(error.code);

/** Starts a process that dies at the point, does the work against it, and resolves when it is dead. */
export const dieAt = async (
  world: NumbersWorld,
  point: CrashPoint,
  work: () => Promise<unknown>,
): Promise<void> => {
  const service = startServiceProcess({ ...world.variables, CRASH_AT: point });
  await eventually(
    async () => {
      // The work that an earlier process left may have brought it to its point already.
      if (service.isRunning()) await world.list(ownerOf());
    },
    { intervalMs: 100 },
  );
  const working = work();
  // A request to a dead service is not awaited; the next service is started meanwhile.
  working.catch(() => undefined);
  await Promise.race([service.ended, working.then(() => service.ended)]);
  expect(await service.ended).toBe('SIGKILL');
};

/** A search tells of fifty numbers, and of those of a purchase that died again: each time is in another area. */
const areas = ['212', '415', '312', '206', '305', '512'];
let turn = 0;

/** Buys as many numbers at once; a buyer without an answer gets no error here. */
export const buySome = async (
  world: NumbersWorld,
  provider: ProviderName,
  who: Caller,
  count = numbersPerPoint,
): Promise<void> => {
  const areaCode = areas[turn % areas.length];
  turn += 1;
  const offers = await world.search(provider, who, { areaCode, limit: String(count) });
  // With fewer offers, no purchase might reach the point at which a process has to die.
  expect(offers).toHaveLength(count);
  await Promise.all(
    offers.map((offer) =>
      world.buy(provider, offer, who).catch((error: unknown) => {
        if (!isSilence(error)) throw error;
      }),
    ),
  );
};

/** Waits until no purchase and no release is unfinished. */
export const atRest = async (world: NumbersWorld): Promise<void> => {
  await eventually(
    async () => {
      const { rows } = await world.db.query(
        `select id, status, step, tries from numbers where status in ('provisioning', 'releasing')`,
      );
      expect(rows).toEqual([]);
    },
    { timeoutMs: 60_000, intervalMs: 250 },
  );
};

/** The numbers at the providers are those on record: no orphan, no ghost, and no number was bought twice. */
export const everythingAddsUp = async (world: NumbersWorld): Promise<{ active: number; failed: number }> => {
  let [active, failed] = [0, 0];
  for (const provider of providerNames) {
    const owned = await world.account(provider).listOwned();
    const { rows } = await world.db.query<{ id: string; status: string; provider_number_id: string | null }>(
      'select id, status, provider_number_id from numbers where provider = $1',
      [provider],
    );
    const recorded = rows
      .filter(({ status }) => status === 'active')
      .map(({ id, provider_number_id }) => [id, provider_number_id]);
    const paidFor = owned.map(({ marker, providerNumberId }) => [
      purchaseOf('main', marker),
      providerNumberId,
    ]);
    expect(paidFor.sort()).toEqual(recorded.sort());
    for (const [purchase] of paidFor) expect(world.reserved).toContain(purchase);
    active += recorded.length;
    failed += rows.filter(({ status }) => status === 'failed').length;
  }
  const entries = await world.ledger();
  const bought = entries.filter(({ kind }) => kind === 'purchase').map(({ marker }) => marker);
  expect(new Set(bought).size).toBe(bought.length);
  return { active, failed };
};
