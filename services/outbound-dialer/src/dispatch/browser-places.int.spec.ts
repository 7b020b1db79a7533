// Places of calls in a browser, in a real Postgres: counted among the calls of the organization, and paid for.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VersionedSettings } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { totalsOf } from '../ledger/totals.js';
import { setLimits } from '../limits/operator-limits.js';
import { giveBrowserPlaceBack, sweepBrowserPlaces, takeBrowserPlace } from './browser-places.js';
import { callsInProgress } from './call-slots.js';

let engines: TestEngines;
let db: Database;
const now = new Date('2026-03-31T12:00:00.000Z');
const rateMicros = 10_000;
/** Ten started minutes. */
const [seconds, worst] = [600, 100_000];

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 10 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const settings = (maxConcurrentCalls: number): VersionedSettings => ({
  ...{ version: 1, timezone: 'UTC', allowedCountries: null, maxConcurrentCalls, inboundReserve: 0 },
  ...{ callingWindow: null, dailyAttemptsPerNumber: null, quickCallBudget: null, namedTimezones: 'narrow' },
});

const organization = (maxConcurrentCalls = 50) => {
  const organizationId = randomUUID();
  const parts = { db, rateMicros, askSettings: async () => settings(maxConcurrentCalls) };
  return {
    id: organizationId,
    take: (callId: string = randomUUID()) =>
      takeBrowserPlace(parts, { organizationId, callId, seconds }, now).then(
        () => 'taken',
        (error: AppError) => error.code,
      ),
    giveBack: (callId: string, lasted: number | null) =>
      giveBrowserPlaceBack(db, { organizationId, callId }, lasted, now),
    busy: () => callsInProgress(db, organizationId, now),
    today: async () => (await totalsOf(db, organizationId, [{ period: 'day', key: '2026-03-31' }]))[0],
  };
};

describe('places of calls in a browser', () => {
  it('are taken up to the limit by calls that come at the same moment, each with its worst case put aside', async () => {
    const org = organization(4);
    const answers = await Promise.all(Array.from({ length: 20 }, () => org.take()));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(4);
    expect(answers.filter((answer) => answer === 'CONCURRENCY_LIMIT')).toHaveLength(16);
    expect(await org.busy()).toBe(4);
    expect(await org.today()).toEqual({ spentMicros: 0, reservedMicros: 4 * worst });
  });

  it('are refused where the worst case does not fit into the envelope, and then nothing is taken', async () => {
    const org = organization();
    await setLimits(db, org.id, { dayMicros: 2 * worst + 1 }, now);
    const answers = await Promise.all(Array.from({ length: 5 }, () => org.take()));
    expect(answers.filter((answer) => answer === 'SPEND_LIMIT_REACHED')).toHaveLength(3);
    expect(await org.busy()).toBe(2);
    expect(await org.today()).toEqual({ spentMicros: 0, reservedMicros: 2 * worst });
  });

  it.each([
    ['no room', null, 0],
    ['a room for a moment', 0.2, rateMicros],
    ['61 seconds', 61, 2 * rateMicros],
    ['longer than was put aside', 6_000, worst],
  ])('cost what started minutes of %s cost, once', async (_, lasted, cost) => {
    const org = organization();
    const callId = randomUUID();
    for (let time = 0; time < 2; time += 1) expect(await org.take(callId)).toBe('taken');
    expect(await org.today()).toEqual({ spentMicros: 0, reservedMicros: worst });
    for (let time = 0; time < 2; time += 1) await org.giveBack(callId, lasted);
    expect(await org.busy()).toBe(0);
    expect(await org.today()).toEqual({ spentMicros: cost, reservedMicros: 0 });
    expect(await org.take(callId)).toBe('CONFLICT');
  });

  it('cannot be taken by a request that comes after its end was told', async () => {
    const org = organization();
    const callId = randomUUID();
    await org.giveBack(callId, null);
    expect(await org.take(callId)).toBe('CONFLICT');
    expect(await org.busy()).toBe(0);
  });

  it('are neither taken nor given back by another organization', async () => {
    const [org, other] = [organization(), organization()];
    const callId = randomUUID();
    await org.take(callId);
    await other.giveBack(callId, null);
    expect(await other.take(callId)).toBe('CONFLICT');
    expect(await org.busy()).toBe(1);
    expect(await org.today()).toEqual({ spentMicros: 0, reservedMicros: worst });
  });

  it('that nobody gives back are over in time, and cost their worst case', async () => {
    const org = organization();
    const callId = randomUUID();
    await org.take(callId);
    const during = new Date(now.getTime() + (seconds + 590) * 1_000);
    await sweepBrowserPlaces(db, during);
    expect(await org.busy()).toBe(1);
    await sweepBrowserPlaces(db, new Date(now.getTime() + (seconds + 601) * 1_000));
    expect(await org.busy()).toBe(0);
    expect(await org.today()).toEqual({ spentMicros: worst, reservedMicros: 0 });
  });
});
