// The composition root of this service.
import { Module } from '@nestjs/common';
import { environmentOfProcess } from '@parlance/config';
import { eventConsumers } from '@parlance/contracts';
import { createPersonalData, keyringOf, pgSubjectKeys } from '@parlance/crypto';
import { type Erasure, Erasures, openErasureLog } from '@parlance/erasure';
import {
  CurrentCollections,
  checkEventStore,
  connectEventStore,
  type Projector,
  startEventPublisher,
  startReadModel,
  untilCaughtUp,
} from '@parlance/event-sourcing';
import { createMediaRooms } from '@parlance/media-rooms';
import { catalogWith, modelEgress, pricesOf, readModelsFile } from '@parlance/models';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { type RunningService, refuseOldEngine, startVersionWatch } from '@parlance/observability';
import { Cursors, countParked, startOutboxRelay, startRemovals } from '@parlance/postgres';
import { connectMongo } from '@parlance/postgres/mongo';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService } from '@parlance/service-host';
import { createWebhooks } from '@parlance/webhooks';
import { AgentNames } from './agent-names.js';
import { AnalysisSettingsReader } from './analysis/analysis-settings.js';
import { CallAnalyzer } from './analysis/analyze-call.js';
import { askModel } from './analysis/model/ask-model.js';
import { type AskModel, ModelAnalyst } from './analysis/model/model-analyst.js';
import { startAnalyses } from './analysis/run-analyses.js';
import { startSchedulingAnalyses } from './analysis/schedule-analyses.js';
import { announcedTypes, announcementsOf } from './announcements.js';
import { callEvents } from './call/call-events.js';
import { callCategory, callsIn } from './call/call-repository.js';
import { CallsController } from './calls/calls.controller.js';
import { Transcripts } from './calls/transcripts.js';
import { startConversationConsumer } from './conversations/begin-conversation.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { startSettingsConsumer } from './dashboard/settings.js';
import { startAttemptReportConsumer } from './dialer/attempt-reports.js';
import { startAttemptConsumer } from './dialer/attempts.js';
import type { Env } from './env.js';
import { applyErasures } from './erasure/apply-erasures.js';
import { CallEraser } from './erasure/erase-calls.js';
import { PersonController } from './erasure/person.controller.js';
import { startErasures } from './erasure/run-erasures.js';
import { startSchedulingErasures } from './erasure/schedule-erasures.js';
import { ExportController } from './export/export.controller.js';
import { HandOverController } from './hand-over/hand-over.controller.js';
import { startForgettingLiveTurns, startSweepingLiveTurns } from './live/forget-live-turns.js';
import { LiveTurns } from './live/live-turns.js';
import { ProgressController } from './live/progress.controller.js';
import { ModelsOfOrganizations } from './models/organization-models.js';
import { Parts } from './parts.js';
import { announcementsId, callDocuments, callIndex, callSearch } from './projections.js';
import { CallDocuments } from './read-models/call-documents.js';
import { calledName } from './read-models/call-index.js';
import { hasUnsealed, startDroppingUnsealed } from './read-models/drop-unsealed.js';
import { UnsealedDocuments, unsealedDocumentsId } from './read-models/unsealed-documents.js';
import { startReconciler } from './reconcile/reconciler.js';
import { startCountingRecordings } from './recordings/count-recordings.js';
import { startDeletingRecordings } from './recordings/delete-recordings.js';
import { Recordings } from './recordings/recordings.js';
import { startRetention } from './recordings/retention.js';
import { StorageController } from './recordings/storage.controller.js';
import { TranscriptRedactor } from './redaction/transcript-redactor.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';
import { startCallRetention } from './retention/delete-old-calls.js';
import { BrowserCalls } from './rooms/browser-calls.js';
import { untilReportsRecorded } from './rooms/room-reports-queue.js';
import { startRoomReports } from './rooms/room-reports-worker.js';
import { RoomsController } from './rooms/rooms.controller.js';
import { Timelines } from './timeline/timelines.js';
import { startToolRunConsumer } from './tool-runs/tool-run-consumer.js';
import { startInitiationConsumer } from './webhooks/about-calls.js';
import { WebhookConfigurations } from './webhooks/configurations.js';
import { WebhookDeliverer } from './webhooks/deliverer.js';
import { startDeliveryGauges } from './webhooks/delivery-gauges.js';
import { startForgettingDeliveries } from './webhooks/history/forget.js';
import { payloadFrom } from './webhooks/payload.js';
import { startWebhookRecorder } from './webhooks/recorder.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({})
class CallsLogsModule {}

const controllers = completeHandlers('calls-logs')([
  CallsController,
  DashboardController,
  ExportController,
  HandOverController,
  PersonController,
  ProgressController,
  RemovalController,
  RoomsController,
  StorageController,
  WebhooksController,
]);

const connect = (env: Env, { db, own }: Host) => {
  const keyring = keyringOf(env);
  const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  const eventStore = connectEventStore({ url: env.EVENTSTORE_URL, name: 'calls-logs', personalData });
  own({ name: 'event store', stop: () => eventStore.close() });
  const mongo = connectMongo({ url: env.MONGODB_URL, appName: 'calls-logs', database: env.MONGODB_DATABASE });
  own({ name: 'mongodb', stop: () => mongo.close() });
  return { eventStore, mongo, keyring, personalData };
};

const startProjections = (host: Host, { eventStore, mongo }: ReturnType<typeof connect>): Projector[] => {
  const { db, nats, logger, clock } = host;
  const engines = { db, eventStore, logger, mongo: mongo.db };
  return [
    startReadModel(callIndex, engines),
    startReadModel(callSearch, engines),
    startReadModel(callDocuments, engines),
    startEventPublisher({
      ...{ category: callCategory, codec: callEvents, db, eventStore, logger, nats },
      id: announcementsId,
      about: announcedTypes,
      personal: false,
      translate: announcementsOf,
    }),
    startForgettingLiveTurns({ db, eventStore, logger, clock }),
  ];
};

/** The receivers of messages about calls over HTTP, and the tools behind people's questions about these messages. */
const createMessaging = (
  env: Env,
  { db, rpc, clock, callerFor, own }: Host,
  { keyring, calls }: ReturnType<typeof connect> & Pick<Parts, 'calls'>,
) => {
  const { egress, sender, secrets, revealing } = createWebhooks(env, { rpc, callerFor });
  own({ name: 'egress', stop: () => egress.close() });
  const configurations = new WebhookConfigurations({ rpc, callerFor });
  return {
    sender,
    secrets,
    configurations,
    replays: { db, calls, configurations, keyring, clock },
    tests: { rpc, callerFor, revealing, clock },
  };
};

/** Recorded events become deliveries, and deliveries are sent. */
const startWebhooks = (
  { db, logger, clock, readiness, own }: Host,
  { eventStore, keyring, calls }: ReturnType<typeof connect> & Pick<Parts, 'calls'>,
  { sender, configurations }: ReturnType<typeof createMessaging>,
): void => {
  const recorder = startWebhookRecorder({ db, eventStore, logger, calls, configurations, keyring, clock });
  readiness.addLag(recorder.name, () => recorder.lagMs());
  own(recorder);
  own(startDeliveryGauges(db));
  own(startForgettingDeliveries({ db, logger, clock }));
  const payloadOf = payloadFrom({ store: eventStore, sender });
  own(new WebhookDeliverer({ db, keyring, sender, payloadOf, clock, logger }).start());
};

/** Deleted calls are erased, and so are those whose retention has passed. */
const startErasing = (
  env: Env,
  { db, logger, clock, readiness, own }: Host,
  { eventStore, mongo }: ReturnType<typeof connect>,
  { calls, eraser }: { readonly calls: Parts['calls']; readonly eraser: CallEraser },
  unsealedDropped: () => void,
): void => {
  const schedule = startSchedulingErasures({ db, eventStore, logger });
  readiness.addLag(schedule.name, () => schedule.lagMs());
  own(schedule);
  own(startErasures({ db, eraser, logger }));
  own(startCallRetention({ db, calls, clock, logger, defaultDays: env.CALL_RETENTION_DAYS }));
  own(startDroppingUnsealed({ db, mongo: mongo.db, eventStore, clock, logger }, unsealedDropped));
};

/** The files of recordings; undefined where no storage is configured. */
const openStorage = (env: Env, { readiness, own }: Host): ObjectStorage | undefined => {
  const storage = connectObjectStorage(env);
  if (storage === undefined) return undefined;
  own({ name: 'object storage', stop: async () => storage.close() });
  readiness.add('objectStorage', { required: false, check: () => storage.ping() });
  return storage;
};

/** Recordings are deleted in their time. Without a storage there are none. */
const startRecordings = (
  { db, rpc, logger, clock, readiness, callerFor, own }: Host,
  {
    eventStore,
    calls,
    storage,
  }: Pick<ReturnType<typeof connect>, 'eventStore'> & {
    readonly calls: Parts['calls'];
    readonly storage: ObjectStorage | undefined;
  },
): void => {
  const retention = startRetention({ db, eventStore, logger, calls, rpc, callerFor, clock });
  readiness.addLag(retention.name, () => retention.lagMs());
  own(retention);
  if (storage === undefined) return;
  own(startDeletingRecordings({ db, storage, calls, clock, logger }));
  own(startCountingRecordings({ db, storage, clock, logger }));
};

/** Hand-overs without an analysis get one. */
const startAnalyzing = (
  { db, logger, clock, readiness, own }: Host,
  { eventStore }: Pick<ReturnType<typeof connect>, 'eventStore'>,
  { calls, transcripts }: Pick<Parts, 'calls' | 'transcripts'>,
  { settings, ask }: { readonly settings: AnalysisSettingsReader; readonly ask: AskModel },
): void => {
  const schedule = startSchedulingAnalyses({ db, eventStore, logger, clock });
  readiness.addLag(schedule.name, () => schedule.lagMs());
  own(schedule);
  const model = new ModelAnalyst({ ask, logger });
  const analyzer = new CallAnalyzer({ calls, transcripts, settings, model, clock, logger });
  own(startAnalyses({ db, analyzer, clock, logger }));
};

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'calls-logs',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, nats, rpc, seals, logger, readiness, clock, ids, callerFor, own } = host;
      const connections = connect(env, host);
      const { eventStore, mongo, personalData } = connections;
      const rooms = createMediaRooms(env, { logger });
      const calls = callsIn(eventStore);
      let isUnsealedThere = await hasUnsealed(db);
      const documents = new CallDocuments({
        current: new CurrentCollections(mongo.db, callDocuments.id),
        keys: personalData,
        unsealed: new UnsealedDocuments(
          new CurrentCollections(mongo.db, unsealedDocumentsId),
          () => isUnsealedThere,
        ),
      });
      const liveTurns = new LiveTurns({ db, personalData, clock, ids });
      const storage = openStorage(env, host);
      const log = openErasureLog({ service: 'calls-logs', storage, directory: env.ERASURE_LOG_DIR });
      const erasures = new Erasures({ log, db, logger });
      const eraseAgain = (list: readonly Erasure[]): Promise<void> =>
        applyErasures({ db, eventStore, logger, mongo: mongo.db, personalData, storage }, list);
      // Before anything reads or sends what a restored backup has brought back.
      await erasures.applyMissing(eraseAgain);
      own(erasures.start(eraseAgain));
      const eraser = new CallEraser({ db, documents, personalData, erasures, clock });
      const untilCaughtUpWith = ({ id, category }: { readonly id: string; readonly category: string }) =>
        untilCaughtUp({ db, eventStore, id, category });
      const modelsFile = await readModelsFile(env.MODELS_FILE);
      const egressToModels = modelEgress(env, modelsFile);
      own({ name: 'egress to models', stop: () => egressToModels.close() });
      const analysisSettings = new AnalysisSettingsReader({ rpc, callerFor });
      const messaging = createMessaging(env, host, { ...connections, calls });
      const models = new ModelsOfOrganizations({
        rpc,
        callerFor,
        secrets: messaging.secrets,
        prices: {
          version: catalogWith(modelsFile).version,
          pricesOf: (id) => pricesOf(id, modelsFile),
        },
      });
      const agentNames = new AgentNames({
        rpc,
        callerFor,
        nameBefore: (organizationId, agentId) => calledName(db, organizationId, agentId),
      });
      const browserCalls = new BrowserCalls({ db, keyring: connections.keyring });
      const roomReports = startRoomReports({
        db,
        personalData,
        parts: { agentNames, browserCalls, calls, clock, rpc, callerFor, ids },
        logger,
      });
      own(roomReports);
      const parts: Parts = {
        db,
        personalData,
        eraser,
        calls,
        documents,
        transcripts: new Transcripts({ store: eventStore, calls, documents, liveTurns }),
        liveTurns,
        models,
        redactor: new TranscriptRedactor(analysisSettings),
        recordings: new Recordings({
          db,
          storage,
          clock,
          quota: {
            kind: 'recordings',
            bytes: env.QUOTA_RECORDINGS_MB,
            // As many calls may end at the same time as the organization may hold.
            openBytes: Number.POSITIVE_INFINITY,
          },
        }),
        timelines: new Timelines({ store: eventStore, db, rpc, ids, callerFor }),
        untilIndexed: () => untilCaughtUpWith(callIndex),
        untilSearchable: () => untilCaughtUpWith(callSearch),
        untilReportsRecorded: (organizationId) => untilReportsRecorded(db, organizationId),
        roomReports,
        browserCalls,
        agentNames,
        rooms,
        rpc,
        logger,
        cursors: new Cursors(env.CURSOR_KEY),
        clock,
        ids,
        callerFor,
        replays: messaging.replays,
        tests: messaging.tests,
      };
      readiness.add('eventStore', { required: true, check: () => checkEventStore(eventStore) });
      await Promise.all([
        refuseOldEngine('EventStoreDB', () => eventStore.serverVersion()),
        refuseOldEngine('MongoDB', () => mongo.serverVersion()),
      ]);
      own(startVersionWatch({ engine: 'EventStoreDB', read: () => eventStore.serverVersion(), logger }));
      own(startVersionWatch({ engine: 'MongoDB', read: () => mongo.serverVersion(), logger }));
      readiness.add('readModel', { required: true, check: () => Promise.all([db.ping(), mongo.ping()]) });
      readiness.add('mediaServer', { required: false, check: () => rooms.ping() });
      readiness.addParked('calls-logs', () => countParked(db));
      for (const projector of startProjections(host, connections)) {
        own(projector);
        readiness.addLag(projector.name, () => projector.lagMs());
      }
      // For turns of live calls and deliveries of webhooks, which are rows, and for what earlier releases announced about calls.
      own(startOutboxRelay({ db, nats, logger }));
      own(startAttemptConsumer({ nats, db, seals, logger, calls: parts.calls, now: () => clock.now() }));
      own(startAttemptReportConsumer({ nats, db, logger, calls: parts.calls, now: () => clock.now() }));
      own(startConversationConsumer({ nats, db, seals, logger, calls: parts.calls, now: () => clock.now() }));
      own(browserCalls.listen({ nats, seals, logger }));
      own(browserCalls.forgetOld(logger));
      own(startSettingsConsumer({ nats, db, logger }));
      own(
        startToolRunConsumer({
          nats,
          db,
          seals,
          logger,
          calls: parts.calls,
          redactor: parts.redactor,
          now: () => clock.now(),
        }),
      );
      own(startReconciler({ parts, logger }));
      own(startSweepingLiveTurns({ db, logger, clock }));
      own(
        startRemovals({
          ...{ nats, db, logger, ...eventConsumers['calls-logs'].removals },
          clear: (organizationId) =>
            clearOrganization(
              {
                db,
                documents,
                personalData,
                storage,
                erasures,
                clock,
                untilProjected: async () => {
                  await untilCaughtUpWith(callIndex);
                  await untilCaughtUpWith(callDocuments);
                },
              },
              organizationId,
            ),
        }),
      );
      own(startInitiationConsumer({ nats, db, seals, logger, calls: parts.calls, now: () => clock.now() }));
      startAnalyzing(host, connections, parts, {
        settings: analysisSettings,
        // The operator's file names variables of its own.
        ask: askModel({
          env: { ...environmentOfProcess(), ...env },
          file: modelsFile,
          egress: egressToModels,
          modelsOf: (organizationId, model) => models.endpoints(organizationId, model, ids.next()),
        }),
      });
      startRecordings(host, { eventStore, calls, storage });
      startErasing(env, host, connections, { calls, eraser }, () => {
        isUnsealedThere = false;
      });
      startWebhooks(host, { ...connections, calls }, messaging);
      return { module: CallsLogsModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
