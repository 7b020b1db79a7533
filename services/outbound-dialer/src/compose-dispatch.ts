// Puts the parts of admission together for the service as it runs.
import { setTimeout as delay } from 'node:timers/promises';
import { histogram, paceWait } from '@parlance/metrics';
import type { Host } from '@parlance/service-host';
import { PostgresAdmission } from './attempt/admission.js';
import { rememberingNumbers } from './attempt/caller-numbers.js';
import { CampaignWatch } from './attempt/campaign-watch.js';
import type { CrashPoints } from './attempt/crash-points.js';
import type { DueCall } from './attempt/dial-claims.js';
import type { InDoubtProtocol } from './attempt/in-doubt-protocol.js';
import { CampaignConditions } from './campaigns/campaign-conditions.js';
import { CampaignDialer } from './campaigns/campaign-dialer.js';
import type { CampaignWaits } from './campaigns/campaign-waits.js';
import { measuredAs, type ProviderRates, paceOf, reserveSlots } from './dispatch/pacing.js';
import type { Env } from './env.js';
import { agentOfCall } from './integration/agent-of-call.js';
import { askNumbersOver, askProviderOver, askSettingsOver } from './integration/clients.js';
import type { SpendSources } from './ledger/call-spending.js';
import { startSettingsConsumer } from './limits/organization-settings.js';
import type { HashNumbers } from './personal-data/installation-hashes.js';
import type { Campaigns } from './repositories/campaign-repository.js';
import type { OutboundCalls } from './repositories/outbound-call-repository.js';

const ratesOf = (env: Env): ProviderRates => ({
  TWILIO: env.TWILIO_CALLS_PER_SECOND,
  TELNYX: env.TELNYX_CALLS_PER_SECOND,
});

const waits = histogram(paceWait);

/** Quick calls wait for a slot like all others, and go before those of campaigns, which look only a second ahead. */
const farAheadMs = 3_600_000;

/** Resolves when a call through the provider's account may begin, or when the dialer leaves. */
export const paceQuickCalls =
  (env: Env, { db, clock }: Host) =>
  async ({ provider }: DueCall, leaving: AbortSignal): Promise<void> => {
    const wanted = { wanted: 1, now: clock.now(), horizonMs: farAheadMs };
    const pace = paceOf(ratesOf(env), provider);
    const { firstAt } = await reserveSlots(db, pace, wanted);
    const waitMs = firstAt - clock.now().getTime();
    waits.record(Math.max(0, waitMs) / 1_000, { 'parlance.pace.account': measuredAs(pace) });
    if (waitMs > 0) await delay(waitMs, undefined, { signal: leaving }).catch(() => undefined);
  };

export interface Admitting {
  readonly admission: PostgresAdmission;
  /** Makes the calls of campaigns, once it is started. */
  dialerOf(protocol: InDoubtProtocol): CampaignDialer;
}

/** Follows the settings from now on. */
export const startAdmission = (
  env: Env,
  host: Host,
  streams: { readonly calls: OutboundCalls; readonly campaigns: Campaigns },
  {
    crash,
    holder,
    spend,
    hashNumbers,
    waits,
  }: {
    readonly crash: CrashPoints;
    readonly holder: string;
    readonly spend: SpendSources;
    readonly hashNumbers: HashNumbers;
    readonly waits: CampaignWaits;
  },
): Admitting => {
  const { db, clock, ids, logger } = host;
  host.own(startSettingsConsumer(host));
  const everybodys = env.OUTBOUND_ALLOWED_COUNTRIES;
  const campaigns = new CampaignWatch(streams.campaigns, clock);
  const askNumbers = rememberingNumbers(askNumbersOver(host), clock);
  const common = {
    askNumbers,
    askSettings: askSettingsOver(host),
    spend,
    hashNumbers,
    db,
    clock,
    logger,
    everybodys,
  };
  const askAgent = (organizationId: string, agentId: string) =>
    agentOfCall(host, { organizationId, agentId, requestId: ids.next() });
  return {
    // An answer from memory is not enough for a dial: the number may have been given back since.
    admission: new PostgresAdmission({
      ...common,
      campaigns,
      askNumbers: askNumbersOver(host),
      askProvider: askProviderOver(host),
    }),
    dialerOf: (protocol) =>
      new CampaignDialer({
        ...common,
        ...{ calls: streams.calls, campaigns, streams: streams.campaigns, ids, crash, holder, waits },
        conditions: new CampaignConditions({ ...common, askAgent }),
        rates: ratesOf(env),
        maxCalls: env.MAX_CONCURRENT_CAMPAIGN_CALLS,
        finishMs: env.DIALS_FINISH_WITHIN_SECONDS * 1_000,
        attempt: (id, options) => protocol.attempt(id, options),
        recover: (id) => protocol.recover(id),
      }),
  };
};
