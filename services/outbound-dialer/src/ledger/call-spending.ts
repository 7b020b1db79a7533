// The worst case of a call, and the sides of the envelope that it meets. Both are worked out when its place is taken.
import type { VersionedSettings } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import type { LimitsInForce } from '../limits/operator-limits.js';
import { dayOf, utcDayOf } from '../rules/calendar.js';
import { longestSeconds, worstCaseMicros } from '../rules/worst-case.js';
import type { Refusal } from './envelope.js';
import { callSubject, type ReservedCall, type Spending, type Wanted } from './ledger.js';
import type { RateTable } from './rates.js';

/** The sources of prices and limits. */
export interface SpendSources {
  readonly limitsOf: (tx: Tx, organizationId: string) => Promise<LimitsInForce>;
  readonly rates: (tx: Tx) => Promise<RateTable>;
  /** No call lasts longer. */
  readonly maxCallSeconds: number;
}

export interface CallPurpose {
  readonly organizationId: string;
  /** Also of a call that a person asked for again. */
  readonly campaignId: string | null;
  /** The campaign's own budget. */
  readonly campaignMicros: number | null;
  readonly settings: {
    /** The zone by which the days of the organization's own budgets are cut. */
    readonly dayZone: string;
  } & Partial<Pick<VersionedSettings, 'quickCallBudget'>>;
}

/** A campaign as far as its calls and their money are concerned. */
export interface CallingCampaign {
  readonly id: string;
  readonly organizationId: string;
  readonly state: Pick<KnownCampaign, 'created'>;
}

/** The budget and the settings under which a campaign's calls are paid. */
export const campaignPurpose = (
  { id, organizationId, state }: CallingCampaign,
  settings: CallPurpose['settings'],
): CallPurpose => ({
  ...{ organizationId, campaignId: id, settings },
  campaignMicros: state.created.budget?.maxCostMicros ?? null,
});

/** The money that such a call may spend now, and the prices in force. */
export const callSpending = async (
  tx: Tx,
  { limitsOf, rates }: Pick<SpendSources, 'limitsOf' | 'rates'>,
  { organizationId, campaignId, campaignMicros, settings }: CallPurpose,
  now: Date,
): Promise<{ readonly spending: Spending; readonly rates: RateTable }> => {
  const limits = await limitsOf(tx, organizationId);
  const table = await rates(tx);
  const quickMicros = settings.quickCallBudget?.maxCostMicros ?? null;
  const { dayMicros, monthMicros } = limits.organization;
  const spending: Spending = {
    organizationId,
    campaignId,
    kind: 'call',
    isQuick: campaignId === null,
    day: dayOf(settings.dayZone, now),
    utcDay: utcDayOf(now),
    currency: table.currency,
    most: { dayMicros, monthMicros, campaignMicros, quickMicros, installation: limits.installation },
  };
  return { spending, rates: table };
};

export interface PricedCall extends Pick<ReservedCall, 'outboundCallId' | 'attempt' | 'isRenewed'> {
  /** E.164. */
  readonly phoneNumber: string;
  /** The longest that the call may last, in seconds; absent when the stored call or campaign does not say it. */
  readonly longestSeconds: number | undefined;
}

export const wantedCall = (
  { outboundCallId, attempt, isRenewed, phoneNumber, longestSeconds: asked }: PricedCall,
  rates: Pick<RateTable, 'microsPerStartedMinute'>,
  maxCallSeconds: number,
): Wanted => {
  const price = {
    rateMicros: rates.microsPerStartedMinute(phoneNumber),
    seconds: longestSeconds(asked, maxCallSeconds),
  };
  return {
    subject: callSubject(outboundCallId, attempt),
    micros: worstCaseMicros(price),
    call: { outboundCallId, attempt, isRenewed, ...price },
  };
};

/** @throws AppError SERVICE_UNAVAILABLE when nothing was heard of the campaign yet */
export const campaignBudgetOf = async (
  tx: Tx,
  organizationId: string,
  campaignId: string,
): Promise<number | null> => {
  const { rows } = await tx.query<{ most: number | null }>(
    `select (state -> 'created' -> 'budget' ->> 'maxCostMicros')::float8 as most from campaigns
     where organization_id = $1 and id = $2`,
    [organizationId, campaignId],
  );
  if (rows[0] === undefined) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  return rows[0].most;
};

export const spendLimitReached = ({ limit, scope, reservedMicros, spentMicros }: Refusal): AppError =>
  limit === 'calls'
    ? new AppError('CONCURRENCY_LIMIT', { details: { scope }, retryAfterSeconds: 5 })
    : new AppError('SPEND_LIMIT_REACHED', { details: { limit, scope, reservedMicros, spentMicros } });
