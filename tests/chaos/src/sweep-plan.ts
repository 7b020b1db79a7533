// The crash sweep as data: the point at which a dialer dies, and the provider's behaviour meanwhile. A new crash point
// of the dialer needs a line here; a test beside it fails until then.

import type { Cell, Cells, Life } from './cell-shapes.js';
import type { ProviderMode } from './diced-faults.js';

/** The failure of an experiment's first dialer. */
export interface CrashPlan {
  readonly point: string;
  /** Dies and is started again, or sleeps so long that it must not go on where it was. */
  readonly dialer: 'dies' | 'sleeps';
  /** Where an earlier dialer has to die, so that there is something for this one to recover. */
  readonly after?: string;
  /** The calls are those of a campaign; otherwise people call one by one. */
  readonly isCampaign?: boolean;
  /** The campaign is cancelled while its calls are made. */
  readonly isCampaignCancelled?: boolean;
}

export const crashPlans: readonly CrashPlan[] = [
  { point: 'place.afterAppend', dialer: 'dies' },
  { point: 'dial.afterClaim', dialer: 'dies' },
  { point: 'dial.afterStart', dialer: 'dies' },
  { point: 'dial.afterRoom', dialer: 'dies' },
  { point: 'dial.beforeRequest', dialer: 'dies' },
  { point: 'dial.duringRequest', dialer: 'dies' },
  { point: 'dial.afterRequest', dialer: 'dies' },
  { point: 'dial.afterRecord', dialer: 'dies' },
  { point: 'recover.beforeRecord', dialer: 'dies', after: 'dial.duringRequest' },
  { point: 'recover.afterRecord', dialer: 'dies', after: 'dial.duringRequest' },
  { point: 'cancel.afterAppend', dialer: 'dies' },
  { point: 'hangUp.afterDelete', dialer: 'dies' },
  { point: 'settle.afterAppend', dialer: 'dies' },
  { point: 'spend.afterReserve', dialer: 'dies' },
  { point: 'spend.beforeSettled', dialer: 'dies' },
  { point: 'dial.afterStart', dialer: 'sleeps' },
  { point: 'dial.afterRoom', dialer: 'sleeps' },
  { point: 'campaign.afterStep', dialer: 'dies', isCampaign: true },
  { point: 'campaign.afterClaim', dialer: 'dies', isCampaign: true },
  { point: 'hangUp.afterDelete', dialer: 'dies', isCampaign: true, isCampaignCancelled: true },
];

/** The name of the plan in a report. */
export const nameOf = ({ point, dialer }: Pick<CrashPlan, 'point' | 'dialer'>): string =>
  dialer === 'dies' ? point : `${point} (asleep)`;

/** Tells every plan from every other. */
export const titleOf = (plan: CrashPlan): string =>
  plan.isCampaignCancelled ? `${nameOf(plan)} (campaign cancelled)` : nameOf(plan);

const sip = (mode: ProviderMode['mode'], ms = 0): ProviderMode => ({
  name: mode,
  target: 'sip',
  mode,
  ms,
  share: 0.5,
});

/** Half of the dials, or of the requests that the mode concerns, are hit: the others keep every branch within reach. */
export const providerModes: readonly ProviderMode[] = [
  sip('ok'),
  sip('4xx'),
  sip('429'),
  sip('5xx-before'),
  sip('5xx-after'),
  sip('hang-after'),
  sip('reset-before'),
  sip('reset-after'),
  sip('refuse'),
  sip('slow', 3_000),
  { name: 'no rooms', target: 'rooms', mode: '5xx-before', share: 0.3 },
  { name: 'late webhooks', target: 'webhooks', mode: 'late', ms: 5_000, share: 0.5 },
];

/**
 * An attempt without evidence is given up after a minute. A campaign pauses for a minute when its provider is away,
 * then tries one call, and pauses again when that call fails. This limit only ends an experiment that would never end.
 * The audit checks whether each attempt has its outcome in time.
 */
const settleMs = 600_000;
const cancelShare = 0.2;

const livesOf = ({ point, dialer, after }: CrashPlan): Life[] => [
  ...(after === undefined ? [] : [{ crashAt: after }]),
  ...(dialer === 'dies' ? [{ crashAt: point }, {}] : [{ stopAt: point }]),
];

export interface SweepOptions {
  readonly recipients: number;
  /** Leaves out every cell without this text in its seed. */
  readonly only?: string;
}

const cellsOf = (plan: CrashPlan, seed: string, { recipients, only = '' }: SweepOptions): Cell[] =>
  providerModes
    .map((mode) => ({
      lives: livesOf(plan),
      mode,
      isCampaign: plan.isCampaign ?? false,
      isCampaignCancelled: plan.isCampaignCancelled ?? false,
      recipients,
      cancelShare,
      seed: `${seed}/${titleOf(plan)}/${mode.name}`,
    }))
    .filter((cell) => cell.seed.includes(only));

export interface PlannedCells extends Cells {
  readonly plan: CrashPlan;
}

/** One world for each crash plan with at least one wanted cell. */
export const sweepWorlds = (seed: string, options: SweepOptions): PlannedCells[] =>
  crashPlans.flatMap((plan, index) => {
    const [first, ...others] = cellsOf(plan, seed, options);
    return first === undefined
      ? []
      : [{ plan, name: `sweep-${index}`, cells: [first, ...others] as const, settleMs }];
  });
