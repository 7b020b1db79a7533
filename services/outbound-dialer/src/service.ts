// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { createPersonalData, keyringOf, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { type Erasure, Erasures, openErasureLog } from '@parlance/erasure';
import {
  checkEventStore,
  connectEventStore,
  type EventStoreConnection,
  type Projector,
  startEventPublisher,
  startReadModel,
  streamOf,
} from '@parlance/event-sourcing';
import {
  connectObjectStorage,
  type ObjectStorage,
  startUploadExpiry,
  UploadTickets,
} from '@parlance/object-storage';
import {
  type RunningPart,
  type RunningService,
  refuseOldEngine,
  startRounds,
  startVersionWatch,
} from '@parlance/observability';
import {
  announce,
  Cursors,
  countParked,
  startConsumer,
  startOutboxRelay,
  startRemovals,
} from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService } from '@parlance/service-host';
import { CampaignParts } from './api/campaign-parts.js';
import { CampaignsController } from './api/campaigns.controller.js';
import { ErasureController } from './api/erasure.controller.js';
import { LimitsController } from './api/limits.controller.js';
import { OutboundCallService } from './api/outbound-call-service.js';
import { OutboundCallsController } from './api/outbound-calls.controller.js';
import { Parts } from './api/parts.js';
import { PlacesController } from './api/places.controller.js';
import { PreviewController } from './api/preview.controller.js';
import { PreviewParts } from './api/preview-parts.js';
import { RecipientsController } from './api/recipients.controller.js';
import { RemovalController } from './api/removal.controller.js';
import { SpendController } from './api/spend.controller.js';
import { SuppressionsController } from './api/suppressions.controller.js';
import type { AttemptRecovery } from './attempt/attempt-recovery.js';
import type { AttemptSettlement } from './attempt/attempt-settlement.js';
import { type CrashPoints, crashingAt, noCrashPoints, onceArmed, stopSelf } from './attempt/crash-points.js';
import { cancelInHand } from './campaigns/campaign-sweep.js';
import { CampaignWaits } from './campaigns/campaign-waits.js';
import { startDialing } from './compose-dispatch.js';
import { countriesOf, importLimits, startImport } from './compose-import.js';
import { sweepBrowserPlaces } from './dispatch/browser-places.js';
import { campaignEvents } from './domain/campaign/campaign-events.js';
import { outboundCallEvents } from './domain/outbound-call/outbound-call-events.js';
import type { Env } from './env.js';
import { applyErasures } from './erasure/apply-erasures.js';
import { clearOrganization } from './erasure/clear-organization.js';
import { startErasingDeleted } from './erasure/erase-deleted.js';
import { startRetention } from './erasure/retention.js';
import { deleteExpiredUploads } from './import/expired-uploads.js';
import { agentOfCall } from './integration/agent-of-call.js';
import { attemptReport } from './integration/attempt-report.js';
import {
  askCallNumbersOver,
  askNumbersOver,
  askProviderOver,
  askSettingsOver,
  eraseCallsOver,
} from './integration/clients.js';
import { translateAttempt } from './integration/publish-attempts.js';
import { translateCallChange, translateCampaignChange } from './integration/publish-changes.js';
import { publishAttemptsId, publishCampaignsId } from './integration/publishers.js';
import { startSpendFollower } from './integration/spend-follower.js';
import type { SpendSources } from './ledger/call-spending.js';
import { startMonthlyCharges, startNumberConsumer } from './ledger/number-rounds.js';
import { currentRates } from './ledger/rates.js';
import { everybodysLimits, installationLimits } from './limits/limits-env.js';
import { limitsInForce, recordEverybodysLimits, recordInstallationLimits } from './limits/operator-limits.js';
import { startDialerGauges } from './monitoring/dialer-gauges.js';
import { installationHashes } from './personal-data/installation-hashes.js';
import { readRecipientForm } from './personal-data/recipient-form.js';
import { campaignsReadModel } from './read-models/campaign-projection.js';
import { outboundCallsReadModel } from './read-models/outbound-call-projection.js';
import { type Campaigns, campaignCategory, openCampaigns } from './repositories/campaign-repository.js';
import {
  type OutboundCalls,
  openOutboundCalls,
  outboundCallCategory,
} from './repositories/outbound-call-repository.js';
import { type OptOutParts, optOutOfCall, recordOptOut } from './suppressions/opt-out.js';
import { sealNumbersInTheClear } from './suppressions/sealed-numbers.js';
import { forgetFacts } from './suppressions/suppression-facts.js';

@Module({})
class OutboundDialerModule {}

const controllers = completeHandlers('outbound-dialer')([
  OutboundCallsController,
  CampaignsController,
  SuppressionsController,
  RemovalController,
  LimitsController,
  SpendController,
  PlacesController,
  PreviewController,
  RecipientsController,
  ErasureController,
]);

/** Starts the followers of the streams: for the read models, the ledger, and the announcements to other services. */
const startFollowers = (
  host: Host,
  eventStore: EventStoreConnection,
  crash: CrashPoints,
): readonly Projector[] => {
  const { db, nats, seals, clock, logger } = host;
  const follower = { category: outboundCallCategory, codec: outboundCallEvents, db, eventStore, logger };
  return [
    startReadModel(outboundCallsReadModel, { db, eventStore, logger }),
    startReadModel(campaignsReadModel, { db, eventStore, logger }),
    startSpendFollower({ db, eventStore, clock, crash, logger }),
    startEventPublisher({
      ...{ ...follower, id: publishAttemptsId, nats, seals },
      translate: (recorded) => translateAttempt(recorded) ?? translateCallChange(recorded),
    }),
    startEventPublisher({
      ...{ category: campaignCategory, codec: campaignEvents, db, eventStore, logger, nats },
      id: publishCampaignsId,
      personal: false,
      translate: translateCampaignChange(() => clock.now()),
    }),
  ];
};

/** Settles outbound calls when their calls have ended, but for the ends that this process has recorded itself. */
const startListener = (
  { db, nats, logger }: Host,
  calls: Pick<OutboundCallService, 'settle'>,
  settlement: Pick<AttemptSettlement, 'isRecorded'>,
): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...eventConsumers['outbound-dialer'].calls },
    concerns: ({ data }) => data.outboundCallId !== null && !settlement.isRecorded(data.callId),
    handle: async (_, { id, data }) => {
      if (data.outboundCallId !== null) await calls.settle(data.outboundCallId, data, id);
    },
  });

/** Reports attempts to calls-logs, for calls without a reported end. */
const startAttemptReports = ({ nats, db, logger, clock, ids }: Host): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...eventConsumers['outbound-dialer'].attempts },
    handle: async (tx, { organizationId, data: { callIds } }) => {
      const report = await attemptReport(tx, organizationId, callIds);
      await announce(tx, { clock, ids }, events.attemptsReported, organizationId, report);
    },
  });

/** People who asked in a call not to be called again, as the hand-over of the call reports. */
const startOptOuts = ({ nats, db, logger }: Host, parts: OptOutParts): RunningPart =>
  startConsumer({
    nats,
    db,
    logger,
    ...eventConsumers['outbound-dialer'].optOuts,
    handle: async (tx, { organizationId, data: { callId } }) => {
      const optOut = await optOutOfCall(tx, parts, { organizationId, callId });
      if (optOut !== undefined) await recordOptOut(tx, parts, optOut);
    },
  });

/** The engines of erasures. */
interface Erasing {
  readonly eventStore: EventStoreConnection;
  readonly personalData: PersonalData;
  readonly erasures: Erasures;
  readonly storage: ObjectStorage | undefined;
}

/** Opens the log of erasures, and erases what a restored backup brought back before anything else reads it. */
const openErasures = async (
  env: Env,
  { db, logger, own }: Host,
  engines: Omit<Erasing, 'erasures'>,
): Promise<Erasures> => {
  const { storage } = engines;
  const log = openErasureLog({ service: 'outbound-dialer', storage, directory: env.ERASURE_LOG_DIR });
  const erasures = new Erasures({ log, db, logger });
  const apply = (pieces: readonly Erasure[]): Promise<void> =>
    applyErasures({ ...engines, db, logger }, pieces);
  await erasures.applyMissing(apply);
  own(erasures.start(apply));
  return erasures;
};

/** Organizations that are removed. */
const startClearing = (
  host: Host,
  streams: { readonly calls: OutboundCalls; readonly campaigns: Campaigns },
  erasing: Erasing,
  recovery: AttemptRecovery,
): RunningPart => {
  const parts = { ...host, ...streams, ...erasing, recover: (id: string) => recovery.recover(id) };
  const clear = (organizationId: string): Promise<boolean> => clearOrganization(parts, organizationId);
  return startRemovals({ ...host, ...eventConsumers['outbound-dialer'].removals, clear });
};

const watch = (
  { db, logger, own, readiness }: Host,
  eventStore: EventStoreConnection,
  followers: readonly Projector[],
): void => {
  readiness.add('readModel', { required: true, check: () => db.ping() });
  // Without the event store nothing is dialled and nothing changes, but lists still answer.
  readiness.add('eventStore', { required: false, check: () => checkEventStore(eventStore) });
  own(startVersionWatch({ engine: 'EventStoreDB', read: () => eventStore.serverVersion(), logger }));
  for (const follower of followers) readiness.addLag(follower.name, () => follower.lagMs());
  readiness.addParked('outbound-dialer', () => countParked(db));
};

/** Reports on the storage of campaigns' files, which no call needs. */
const watchOutside = ({ readiness }: Host, storage: ObjectStorage | undefined): void => {
  if (storage !== undefined)
    readiness.add('objectStorage', { required: false, check: () => storage.ping(), delayMs: 2_000 });
};

/** The files of campaigns; undefined where no storage is configured. */
const openStorage = (env: Env, host: Host): ObjectStorage | undefined => {
  const storage = connectObjectStorage(env);
  if (storage === undefined) return undefined;
  const { db, clock, logger } = host;
  host.own({ name: 'object storage', stop: async () => storage.close() });
  const deleteExpired = () => deleteExpiredUploads({ db, storage, clock });
  host.own(startUploadExpiry({ logger, deleteExpired }));
  return storage;
};

const campaignParts = (
  env: Env,
  host: Host,
  own: Pick<CampaignParts, 'campaigns' | 'personalData' | 'storage' | 'cursors' | 'endCallsSoon'>,
): CampaignParts => {
  const { db, rpc, clock, ids, callerFor } = host;
  return {
    ...{ db, rpc, clock, ids, callerFor, ...own },
    maxFileBytes: env.CAMPAIGN_MAX_FILE_BYTES,
    uploads: {
      db,
      storage: own.storage,
      clock,
      tickets: new UploadTickets(env.CURSOR_KEY),
      door: { publicUrl: env.PUBLIC_URL, service: 'campaigns' },
      quota: { kind: 'campaigns', bytes: env.QUOTA_CAMPAIGN_FILES_MB, openBytes: env.OPEN_UPLOADS_MB },
      maxBytes: env.CAMPAIGN_MAX_FILE_BYTES,
    },
    maxCallSeconds: env.MAX_CALL_SECONDS,
    askNumbers: askNumbersOver(host),
    askSettings: askSettingsOver(host),
  };
};

/**
 * Deletes the room while a dial may still be on its way into it. It may be a dial of a dialer that was held up. A
 * cancellation does not wait for the media server.
 */
const hangUpSoon =
  ({ logger }: Host, recovery: AttemptRecovery) =>
  (outboundCallId: string): void => {
    recovery
      .recover(outboundCallId)
      .catch((err: unknown) => logger.warn({ outboundCallId, err }, 'hanging up has to wait'));
  };

/** As `hangUpSoon`, for every recipient that a campaign has in hand. */
const endCallsSoon = (
  { db, clock, logger }: Host,
  calls: OutboundCalls,
  recovery: AttemptRecovery,
): CampaignParts['endCallsSoon'] => {
  const parts = { db, calls, clock, logger, recover: (id: string) => recovery.recover(id) };
  return (campaign) => {
    cancelInHand(parts, campaign).catch((err: unknown) =>
      logger.warn({ campaignId: campaign.id, err }, 'ending the calls of a cancelled campaign has to wait'),
    );
  };
};

/** The sources of prices and limits. */
const spendSources = (env: Env): SpendSources => ({
  limitsOf: limitsInForce,
  rates: currentRates,
  maxCallSeconds: env.MAX_CALL_SECONDS,
});

const namedCrashPoints = ({ CRASH_AT: dies, STOP_AT: stops }: Env): CrashPoints => {
  if (dies !== undefined) return crashingAt(dies);
  return stops === undefined ? noCrashPoints : crashingAt(stops, stopSelf);
};

const crashPointsOf = (env: Env): CrashPoints => {
  if (env.CRASH_WHEN !== 'signalled') return namedCrashPoints(env);
  const crash = onceArmed(() => namedCrashPoints(env));
  process.on('SIGUSR2', () => crash.arm());
  return crash;
};

/** Replaces parts of the host: a clock that a test sets, or the moment at which dials begin. */
export type Instead = (given: Host) => Partial<Pick<Host, 'clock' | 'onceServing'>>;

/** Starts the service; resolves when it answers, and dials. */
export const start = (env: Env, instead: Instead = () => ({})): Promise<RunningService> =>
  hostService(env, {
    service: 'outbound-dialer',
    finishAfterwardsMs: env.DIALS_FINISH_WITHIN_SECONDS * 1_000,
    migrations: new URL('../migrations/', import.meta.url),
    build: async (given) => {
      const host = { ...given, ...instead(given) };
      const { db, rpc, clock, ids, callerFor } = host;
      await recordEverybodysLimits(db, everybodysLimits(env), clock.now());
      await recordInstallationLimits(db, installationLimits(env), clock.now());
      const recipientForm = await readRecipientForm(db, clock);
      const keyring = keyringOf(env);
      const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
      const eventStore = connectEventStore({
        url: env.EVENTSTORE_URL,
        name: 'outbound-dialer',
        personalData,
      });
      host.own({ name: 'event store', stop: () => eventStore.close() });
      await refuseOldEngine('EventStoreDB', () => eventStore.serverVersion());
      const storage = openStorage(env, host);
      const engines = { eventStore, personalData, storage };
      const erasing: Erasing = { ...engines, erasures: await openErasures(env, host, engines) };
      const calls = openOutboundCalls(eventStore);
      const campaigns = openCampaigns(eventStore);
      const crash = crashPointsOf(env);
      const followers = startFollowers(host, eventStore, crash);
      for (const follower of followers) host.own(follower);
      // For do-not-call lists, which are rows, and for what earlier releases announced about attempts.
      host.own(startOutboxRelay(host));
      watch(host, eventStore, followers);
      const waits = new CampaignWaits(clock);
      host.own(startDialerGauges(db, waits));
      watchOutside(host, storage);
      const spend = spendSources(env);
      const hashNumbers = installationHashes(personalData);
      const importing = { campaigns, personalData, hashNumbers, recipientForm };
      if (storage !== undefined) host.own(startImport(env, host, { ...importing, storage }));
      const { recovery, settlement } = startDialing(env, host, {
        calls,
        campaigns,
        crash,
        spend,
        hashNumbers,
        personalData,
        waits,
      });
      const paying = { ...host, askSettings: askSettingsOver(host) };
      host.own(startNumberConsumer(paying));
      host.own(startMonthlyCharges(paying));
      host.own(
        startRounds({
          ...{ name: 'places of calls in a browser', everyMs: 60_000, logger: host.logger },
          round: () => sweepBrowserPlaces(db, clock.now()),
        }),
      );
      host.own(
        startRounds({
          name: 'old facts of do-not-call lists',
          everyMs: 3_600_000,
          logger: host.logger,
          round: () => forgetFacts(db, clock.now()),
        }),
      );
      let isSealed = false;
      host.own(
        startRounds({
          name: 'sealing of do-not-call lists',
          everyMs: 3_600_000,
          logger: host.logger,
          round: async (stopping) => {
            if (isSealed) return;
            isSealed = await sealNumbersInTheClear({ db, personalData, hashNumbers }, clock.now(), stopping);
          },
        }),
      );
      host.own(startClearing(host, { calls, campaigns }, erasing, recovery));
      host.own(
        startRetention({
          ...host,
          ...erasing,
          recipientForm,
          askSettings: askSettingsOver(host),
          defaultDays: env.CALL_RETENTION_DAYS,
        }),
      );
      host.own(startErasingDeleted({ ...host, ...erasing, calls, eraseCalls: eraseCallsOver(host) }));
      const cursors = new Cursors(env.CURSOR_KEY);
      const allowedCountries = env.OUTBOUND_ALLOWED_COUNTRIES;
      const asking = {
        askNumbers: askNumbersOver(host),
        askProvider: askProviderOver(host),
        askSettings: askSettingsOver(host),
        askCallNumbers: askCallNumbersOver(host),
        spend,
        hashNumbers,
        browserMinuteMicros: env.BROWSER_MINUTE_PRICE,
        usualFileBytes: env.QUOTA_CAMPAIGN_FILES_MB,
      };
      const historyOf = async (id: string) =>
        (await eventStore.read(streamOf(outboundCallCategory, id), outboundCallEvents)).events;
      const parts: Parts = {
        ...{ db, calls, rpc, cursors, clock, ids, crash, callerFor, allowedCountries },
        ...asking,
        ...erasing,
      };
      const outboundCalls = new OutboundCallService(
        calls,
        parts,
        (asked) => agentOfCall(host, asked),
        settlement,
        hangUpSoon(host, recovery),
        historyOf,
        ids,
      );
      host.own(startListener(host, outboundCalls, settlement));
      host.own(startAttemptReports(host));
      host.own(startOptOuts(host, parts));
      const providers = [
        { provide: Parts, useValue: parts },
        { provide: OutboundCallService, useValue: outboundCalls },
        {
          provide: CampaignParts,
          useValue: campaignParts(env, host, {
            campaigns,
            personalData,
            storage,
            cursors,
            endCallsSoon: endCallsSoon(host, calls, recovery),
          }),
        },
        {
          provide: PreviewParts,
          useValue: {
            ...host,
            ...asking,
            storage,
            limits: importLimits(env),
            allowedCountries: countriesOf(env, host),
          },
        },
      ];
      return { module: OutboundDialerModule, controllers, providers };
    },
  });
