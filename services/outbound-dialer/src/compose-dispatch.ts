// Puts together everything that makes attempts: admission, lifecycle, recovery, the dispatcher and its two sources.
import type { PersonalData } from '@parlance/crypto';
import { createMediaRooms, startTelephonyWatch } from '@parlance/media-rooms';
import type { Host } from '@parlance/service-host';
import { PostgresAdmission } from './attempt/admission.js';
import { rememberingNumbers, sharingNumbers } from './attempt/caller-numbers.js';
import { CampaignWatch } from './attempt/campaign-watch.js';
import type { CrashPoints } from './attempt/crash-points.js';
import { releaseAllClaims } from './attempt/dial-claims.js';
import { type Attempts, openAttempts } from './attempt/open-attempts.js';
import { startRecoveryRounds } from './attempt/recovery-rounds.js';
import { CampaignConditions } from './campaigns/campaign-conditions.js';
import { CampaignScheduler } from './campaigns/campaign-scheduler.js';
import type { CampaignWaits } from './campaigns/campaign-waits.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import type { ProviderRates } from './dispatch/pacing.js';
import { QueuedCalls } from './dispatch/queued-calls.js';
import { RecipientAttempts } from './dispatch/recipient-attempts.js';
import type { Env } from './env.js';
import { agentOfCall } from './integration/agent-of-call.js';
import { askCallsOver, askNumbersOver, askProviderOver, askSettingsOver } from './integration/clients.js';
import type { SpendSources } from './ledger/call-spending.js';
import { startSpendSweep } from './ledger/spend-sweep.js';
import { startSettingsConsumer } from './limits/organization-settings.js';
import type { HashNumbers } from './personal-data/installation-hashes.js';
import type { Campaigns } from './repositories/campaign-repository.js';
import type { OutboundCalls } from './repositories/outbound-call-repository.js';

/** The read model may lag behind the last commands, so other processes keep away a moment longer. */
const readModelLagMs = 1_000;

export interface Dialing {
  readonly calls: OutboundCalls;
  readonly campaigns: Campaigns;
  readonly crash: CrashPoints;
  readonly spend: SpendSources;
  readonly hashNumbers: HashNumbers;
  readonly personalData: Pick<PersonalData, 'open' | 'prepare'>;
  readonly waits: CampaignWaits;
}

const admissionOf = (
  env: Env,
  host: Host,
  { spend, hashNumbers }: Dialing,
  watch: CampaignWatch,
): PostgresAdmission =>
  new PostgresAdmission({
    ...host,
    spend,
    hashNumbers,
    campaigns: watch,
    everybodys: env.OUTBOUND_ALLOWED_COUNTRIES,
    askSettings: askSettingsOver(host),
    // Only a promised answer is enough for a dial: the number may be released.
    askNumbers: sharingNumbers(askNumbersOver(host), host.clock),
    askProvider: askProviderOver(host),
  });

const conditionsOf = (env: Env, host: Host): CampaignConditions =>
  new CampaignConditions({
    ...host,
    askAgent: (organizationId, agentId) =>
      agentOfCall(host, { organizationId, agentId, requestId: host.ids.next() }),
    askSettings: askSettingsOver(host),
    askNumbers: rememberingNumbers(askNumbersOver(host), host.clock),
    everybodys: env.OUTBOUND_ALLOWED_COUNTRIES,
  });

const startDispatch = (
  env: Env,
  host: Host,
  dialing: Dialing,
  {
    holder,
    watch,
    attempts: { lifecycle, recovery },
  }: { readonly holder: string; readonly watch: CampaignWatch; readonly attempts: Attempts },
): void => {
  const rates: ProviderRates = {
    TWILIO: env.TWILIO_CALLS_PER_SECOND,
    TELNYX: env.TELNYX_CALLS_PER_SECOND,
  };
  const dispatcher = new Dispatcher({
    ...host,
    holder,
    attempt: (id, options) => lifecycle.attempt(id, options),
    finishMs: env.DIALS_FINISH_WITHIN_SECONDS * 1_000,
  });
  const common = { ...host, ...dialing, holder, watch, dispatcher, rates };
  const queued = new QueuedCalls({ ...common, maxDials: env.MAX_CONCURRENT_DIALS });
  const scheduler = new CampaignScheduler({
    ...common,
    conditions: conditionsOf(env, host),
    attempts: new RecipientAttempts(common),
    maxCalls: env.MAX_CONCURRENT_CAMPAIGN_CALLS,
    recover: (id) => recovery.recover(id),
  });
  // Stopped after its sources.
  host.own(dispatcher);
  for (const source of [queued, scheduler]) {
    host.own(source);
    // Dials begin once this replica serves: a dial that cold code holds up for too long is abandoned.
    host.onceServing(() => source.start());
  }
};

/** Follows the settings from now on, recovers attempts, and starts new ones once the service answers. */
export const startDialing = (env: Env, host: Host, dialing: Dialing): Attempts => {
  const { db, clock, logger, ids, readiness } = host;
  const { calls, campaigns, crash } = dialing;
  host.own(startSettingsConsumer(host));
  const holder = ids.next();
  const watch = new CampaignWatch(campaigns, clock);
  const rooms = createMediaRooms(env, { logger });
  const askCalls = askCallsOver(host);
  const attempts = openAttempts({
    ...{ calls, rooms, askCalls, clock, ids, crash, logger },
    admission: admissionOf(env, host, dialing, watch),
    trunkId: env.SIP_OUTBOUND_TRUNK_ID,
  });
  host.own(startSpendSweep({ db, calls, clock, logger }));
  // Stopped after everything that claims calls.
  host.own({
    name: 'claims',
    stop: () => releaseAllClaims(db, { holder, now: clock.now() }, readModelLagMs),
  });
  host.own(startRecoveryRounds({ db, clock, logger, holder, ...attempts, askCalls }));
  startDispatch(env, host, dialing, { holder, watch, attempts });
  readiness.add('mediaServer', { required: false, check: () => rooms.ping() });
  host.own(startTelephonyWatch(env, { logger }));
  return attempts;
};
