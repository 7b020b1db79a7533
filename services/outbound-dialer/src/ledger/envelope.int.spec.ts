// Calls meet the limits of money. Two dialers, which are killed again and again, call the recipients of a campaign with a
// budget for a fifth of them. Quick calls exceed the limits of their day and their month.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallFacts, contract } from '@parlance/contracts';
import { eventually, stormSize } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { setLimits } from '../limits/operator-limits.js';
import { worstCaseMicros } from '../rules/worst-case.js';
import {
  type DialingWorld,
  importedCampaign,
  numbersEnding,
  startDialingWorld,
  type TestCampaign,
} from '../testing/dialing-world.js';
import { quickCallsOf } from '../testing/quick-calls.js';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.js';
import { currentRates } from './rates.js';
import { totalsOf } from './totals.js';

const seconds = 600;
const minute = 60_000;
/** The full storm: `PARLANCE_TEST_BUDGETED=100`, for a campaign of 500. */
const budgeted = stormSize('PARLANCE_TEST_BUDGETED', 50);
/** The number of calls that last as long as the reserved money. */
const dear = budgeted / 2;
let world: DialingWorld;
let dialers: ServiceProcess[] = [];
const { organization } = quickCallsOf(() => world);

const startDialer = (more: Readonly<Record<string, string>> = {}): ServiceProcess =>
  startServiceProcess({ ...world.variables, LOG_LEVEL: 'error', ...more });

beforeAll(async () => {
  world = await startDialingWorld();
  dialers = [startDialer(), startDialer()];
  const who = ownerOf();
  await eventually(() => world.ask(contract.outboundCallsListBatches, { query: {} }, who), {
    timeoutMs: 60_000,
  });
}, 240_000);
afterAll(async () => {
  await Promise.all(dialers.map((dialer) => dialer.kill()));
  await world?.remove();
});

const rateOf = async (number: string): Promise<number> =>
  (await currentRates(world.db)).microsPerStartedMinute(number);

const viewOf = ({ id, who }: TestCampaign) =>
  world.ask(contract.outboundCallsGetBatch, { params: { campaignId: id } }, who);

const spentOn = async ({ id, who }: TestCampaign) => {
  const [total] = await totalsOf(world.db, who.organizationId, [{ period: 'campaign', key: id }]);
  return total ?? { spentMicros: 0, reservedMicros: 0 };
};

interface Connected {
  readonly id: string;
  readonly callId: string;
}

/** The answered calls of the campaign that have not ended. */
const connectedOf = async ({ id }: TestCampaign): Promise<readonly Connected[]> => {
  const { rows } = await world.db.query<Connected>(
    `select id, current_call_id as "callId" from outbound_calls where campaign_id = $1 and phase = 'connected' order by id`,
    [id],
  );
  return rows;
};

/** calls-logs tells that calls have ended that lasted so long. */
const endAll = async (
  campaign: TestCampaign,
  calls: readonly Connected[],
  lastedMs: number,
): Promise<void> => {
  const answeredAt = new Date().toISOString();
  const endedAt = new Date(Date.parse(answeredAt) + lastedMs).toISOString();
  for (const { id, callId } of calls) {
    const facts: CallFacts = {
      ...{ callId, outboundCallId: id, startedAt: answeredAt, answeredAt, endedAt },
      ...{ durationSeconds: lastedMs / 1_000, costMicros: null, answeredBy: 'human' },
      ...{ status: 'completed', outcome: 'answered', endedReason: 'user_hangup' },
    };
    await world.tellEnd(facts, campaign.agentId, campaign.who.organizationId);
  }
};

describe('a campaign with a budget', () => {
  it('stops at it with two dialers that are killed, and goes on when its calls cost less', async () => {
    const numbers = numbersEnding(0, 59, 5 * budgeted);
    const rateMicros = await rateOf('+14155550100');
    const worst = worstCaseMicros({ rateMicros, seconds });
    const maxCostMicros = budgeted * worst + worst - 1;
    const campaign = await importedCampaign(world, numbers, {
      campaign: { budget: { maxCostMicros }, longestSeconds: seconds },
    });
    const overspent: number[] = [];
    const look = async () => {
      const { spentMicros, reservedMicros } = await spentOn(campaign);
      if (spentMicros + reservedMicros > maxCostMicros) overspent.push(spentMicros + reservedMicros);
      return { spentMicros, reservedMicros };
    };
    for (const share of [0.2, 0.4, 0.6]) {
      await eventually(
        async () => expect((await look()).reservedMicros).toBeGreaterThan(share * maxCostMicros),
        { timeoutMs: 60_000, intervalMs: 20 },
      );
      const [dialer, ...others] = dialers;
      await dialer?.kill();
      dialers = [...others, startDialer()];
    }
    await eventually(
      async () => {
        // A call with an unknown end, after a kill in the middle of its dial, counts as spent.
        const { spentMicros, reservedMicros } = await look();
        expect(spentMicros + reservedMicros + worst).toBeGreaterThan(maxCostMicros);
        expect(await viewOf(campaign)).toMatchObject({ status: 'paused', statusReason: 'budget_reached' });
        expect((await connectedOf(campaign)).length).toBeGreaterThan(0.8 * budgeted);
      },
      { timeoutMs: 150_000, intervalMs: 50 },
    );
    const first = await connectedOf(campaign);
    expect(first.length).toBeLessThanOrEqual(budgeted);
    // Half of the calls cost all the money put aside for them, and the others a tenth. Ten of the others allow nine
    // more calls.
    await endAll(campaign, first.slice(0, dear), seconds * 1_000);
    await endAll(campaign, first.slice(dear), minute);
    await eventually(
      async () => {
        await look();
        const more = (await connectedOf(campaign)).filter(
          ({ id }) => !first.some((before) => before.id === id),
        );
        expect(more.length).toBeGreaterThanOrEqual(Math.floor((first.length - dear) * 0.9));
      },
      { timeoutMs: 60_000, intervalMs: 50 },
    );
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: campaign.id } }, campaign.who);
    // Where no dial followed, a sweep every 15 s gives the money back (`leftCalls`). It does so a minute after the money was
    // put aside, once the claim of 15 s is over.
    await eventually(async () => expect((await look()).reservedMicros).toBe(0), { timeoutMs: 120_000 });
    expect(overspent).toEqual([]);
    const { spentMicros } = await spentOn(campaign);
    expect(spentMicros).toBeGreaterThanOrEqual(dear * worst + (first.length - dear) * rateMicros);
    const { rows } = await world.db.query(
      `select sum(settled_micros)::float8 as paid from spend_reservations where campaign_id = $1`,
      [campaign.id],
    );
    expect(rows).toEqual([{ paid: spentMicros }]);
  }, 400_000);
});

describe('a quick call', () => {
  it('is refused when its worst case does not fit into the day, and made when the operator allows more', async () => {
    const { who, quick } = organization();
    const worst = worstCaseMicros({ rateMicros: await rateOf('+14155550100'), seconds });
    await setLimits(world.db, who.organizationId, { dayMicros: 2 * worst - 1 }, new Date());
    await quick({ phoneNumber: '+14155550100' });
    await expect(quick({ phoneNumber: '+14155550101' })).rejects.toMatchObject({
      code: 'SPEND_LIMIT_REACHED',
      details: { limit: 'day', reservedMicros: worst, spentMicros: 0 },
    });
    await setLimits(world.db, who.organizationId, { dayMicros: 2 * worst }, new Date());
    await expect(quick({ phoneNumber: '+14155550101' })).resolves.toMatchObject({ status: 'queued' });
  });

  it('without an answer costs nothing, and gives back the money that was put aside for it', async () => {
    const { who, quick } = organization();
    const worst = worstCaseMicros({ rateMicros: await rateOf('+14155550170'), seconds });
    await setLimits(world.db, who.organizationId, { monthMicros: worst }, new Date());
    await quick({ phoneNumber: '+14155550170' });
    await expect(quick({ phoneNumber: '+14155550171' })).rejects.toMatchObject({
      details: { limit: 'month' },
    });
    await eventually(() => quick({ phoneNumber: '+14155550171' }), { timeoutMs: 30_000 });
  });
});
