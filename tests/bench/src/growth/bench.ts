// npm run bench -- growth: the cost of an attempt beside few and many old campaigns. One platform for each size runs the same
// attempts, in turns, because the speed of a machine changes during a run.
import { type CampaignAccount, openAccount } from '../campaigns/account.js';
import { measureAttempts } from '../campaigns/attempts.js';
import { unpaced } from '../campaigns/unpaced.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { tell, timed } from '../harness/report.js';
import { readStatementUses, resetStatementCounts } from '../harness/statements.js';
import { type AttemptCost, type GrowthRow, rowOf, statementsThatGrew } from './figures.js';
import { seedHistory } from './history.js';
import { showGrowth, showStatements } from './show.js';
import { callsPerCampaign, sizes } from './sizes.js';

export interface GrowthBenchOptions {
  /** Up to 10,000 old campaigns with a million calls. */
  readonly isFull: boolean;
  readonly attempts: number;
  /** Measurements of each size; the figures are medians. */
  readonly rounds: number;
}

interface Side {
  readonly copies: number;
  readonly platform: MeasuredPlatform;
  readonly account: CampaignAccount;
  readonly costs: AttemptCost[];
}

const campaigns = 4;

/** Starts a platform, runs the campaign that the history consists of, and copies it. */
const prepare = async (copies: number): Promise<Side> => {
  const platform = await startMeasuredPlatform({ variables: unpaced, countsStatements: true });
  try {
    const account = await openAccount(platform);
    const { campaignIds } = await measureAttempts(platform, account, {
      campaigns: 1,
      people: callsPerCampaign,
    });
    const [campaignId] = campaignIds;
    if (campaignId === undefined) throw new Error('no campaign was made');
    const { organizationId, databaseUrlOf } = platform;
    const what = `${copies.toLocaleString('en')} old campaigns of ${callsPerCampaign} calls seeded`;
    await timed(what, () => seedHistory(databaseUrlOf, { organizationId, campaignId, copies }));
    return { copies, platform, account, costs: [] };
  } catch (error) {
    await platform.stop();
    throw error;
  }
};

const measure = async ({ platform, account }: Side, attempts: number): Promise<AttemptCost> => {
  await resetStatementCounts(platform.adminUrl);
  const load = { campaigns, people: Math.ceil(attempts / campaigns) };
  const figures = await measureAttempts(platform, account, load);
  const statements = await readStatementUses(platform.adminUrl);
  return { attempts: figures.attempts, processorMs: figures.costs, statements };
};

/** Starts platforms of its own on fresh data, measures and prints. */
export const benchGrowth = async ({ isFull, attempts, rounds }: GrowthBenchOptions): Promise<void> => {
  const sides: Side[] = [];
  try {
    for (const copies of isFull ? sizes.full : sizes.quick) sides.push(await prepare(copies));
    for (let round = 1; round <= rounds; round += 1)
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        tell(
          `round ${round} of ${rounds}: ${attempts} attempts beside ${side.copies.toLocaleString('en')} campaigns`,
        );
        side.costs.push(await measure(side, attempts));
      }
  } finally {
    await Promise.all(sides.map(({ platform }) => platform.stop()));
  }
  const rows: GrowthRow[] = sides.map(({ copies, costs }) => rowOf(copies, costs));
  showGrowth(rows);
  showStatements(statementsThatGrew(sides.at(0)?.costs ?? [], sides.at(-1)?.costs ?? []));
};
