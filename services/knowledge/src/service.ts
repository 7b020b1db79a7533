// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers } from '@parlance/contracts';
import { Egress } from '@parlance/egress';
import {
  connectObjectStorage,
  type ObjectStorage,
  startUploadExpiry,
  UploadTickets,
} from '@parlance/object-storage';
import { type RunningService, startRounds } from '@parlance/observability';
import {
  Cursors,
  countParked,
  deleteOldEndedCalls,
  endedCallsGatherMs,
  noteEndedCall,
  startConsumer,
  startOutboxRelay,
  startRemovals,
} from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService, provided } from '@parlance/service-host';
import type { Embedder } from './embeddings/embeddings.js';
import { embedderOf } from './embeddings/env.js';
import type { Env } from './env.js';
import { crashingAt, neverCrash } from './ingestion/crash-points.js';
import { userAgent } from './ingestion/fetching.js';
import { startJobGauges } from './ingestion/job-gauges.js';
import { countHangingJobs } from './ingestion/queue.js';
import { startIngestion } from './ingestion/start-ingestion.js';
import { Limits } from './limits.js';
import { limits } from './reading/limits.js';
import { Reader } from './reading/reader.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';
import { SearchController } from './search/search.controller.js';
import { Search } from './search/search.js';
import { forgetAgent } from './sources/agents.js';
import { SourcesController } from './sources/sources.controller.js';
import { StorageController } from './sources/storage.controller.js';
import { Documents, deleteUnusedDocuments } from './sources/uploads.js';

@Module({})
class KnowledgeModule {}

const controllers = completeHandlers('knowledge')([
  RemovalController,
  SearchController,
  SourcesController,
  StorageController,
]);

/** The limit for reading one document: longer than a large document takes on a slow machine. */
const readingTimeoutMs = 90_000;

/** Starts the background work on sources. */
const startSources = (
  env: Env,
  host: Host,
  using: {
    readonly egress: Egress;
    readonly storage: ObjectStorage | undefined;
    readonly embedder: Embedder | undefined;
  },
): void => {
  const { db, nats, logger, clock } = host;
  const { storage } = using;
  const reader = new Reader({
    processes: env.KNOWLEDGE_READERS,
    timeoutMs: readingTimeoutMs,
    memoryBytes: env.KNOWLEDGE_READER_MEMORY_MB * 1_048_576,
  });
  host.own(
    startIngestion({
      ...{ ...using, db, logger, reader },
      requestsPerSecond: env.KNOWLEDGE_REQUESTS_PER_SECOND,
      maxChunks: env.QUOTA_KNOWLEDGE_CHUNKS,
      jobsAtOnce: env.KNOWLEDGE_JOBS,
      crash: env.CRASH_AT === undefined ? neverCrash : crashingAt(env.CRASH_AT),
    }),
  );
  if (storage !== undefined) {
    const deleteExpired = () => deleteUnusedDocuments({ db, storage, clock });
    host.own(startUploadExpiry({ logger, deleteExpired }));
  }
  host.own(
    startConsumer({
      ...{ nats, db, logger, ...eventConsumers.knowledge.agents },
      handle: (tx, { organizationId, data }) => forgetAgent(tx, organizationId, data.agentId),
    }),
  );
  host.own(
    startRemovals({
      ...{ nats, db, logger, ...eventConsumers.knowledge.removals },
      clear: (organizationId) => clearOrganization({ db, storage }, organizationId),
    }),
  );
};

/** Notes the calls that have ended, so that their tokens soon permit no search. */
const startEndedCalls = ({ db, nats, logger, own }: Host): void => {
  own(
    startConsumer({
      ...{ nats, db, logger, ...eventConsumers.knowledge.calls },
      gatherMs: endedCallsGatherMs,
      handle: noteEndedCall,
    }),
  );
  own(
    startRounds({
      ...{ name: 'forgetting of ended calls', everyMs: 600_000, logger },
      round: () => deleteOldEndedCalls(db),
    }),
  );
};

/** Folder of the service's migrations. */
export const migrations = new URL('../migrations/', import.meta.url);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'knowledge',
    migrations,
    build: async (host) => {
      const { db, nats, logger, readiness, clock, ids, own } = host;
      const egress = new Egress({
        ...{ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY, userAgent },
        // Pages are public, and no request for one carries a credential.
        plainHttp: true,
      });
      own({ name: 'egress', stop: () => egress.close() });
      const storage = connectObjectStorage(env);
      if (storage !== undefined) {
        own({ name: 'object storage', stop: async () => storage.close() });
        readiness.add('objectStorage', { required: false, check: () => storage.ping() });
      }
      readiness.add('readModel', { required: true, check: () => db.ping() });
      readiness.addParked('knowledge', () => countParked(db));
      readiness.addParked('knowledge-jobs', () => countHangingJobs(db));
      own(startOutboxRelay({ db, nats, logger }));
      own(startJobGauges(db));
      const embedder = embedderOf(env);
      startSources(env, host, { egress, storage, embedder });
      startEndedCalls(host);
      const documents = new Documents(
        {
          db,
          storage,
          clock,
          tickets: new UploadTickets(env.CURSOR_KEY),
          door: { publicUrl: env.PUBLIC_URL, service: 'knowledge' },
          quota: { kind: 'knowledge', bytes: env.QUOTA_KNOWLEDGE_MB, openBytes: env.OPEN_UPLOADS_MB },
          maxBytes: limits.fileBytes,
        },
        ids,
      );
      const ofOrganizations = new Limits({
        documentBytes: env.QUOTA_KNOWLEDGE_MB,
        chunks: env.QUOTA_KNOWLEDGE_CHUNKS,
        sourcesPerAgent: env.MAX_SOURCES_PER_AGENT,
      });
      const search = new Search(db, embedder);
      return {
        module: KnowledgeModule,
        controllers,
        providers: provided(new Cursors(env.CURSOR_KEY), documents, ofOrganizations, search, egress.rules),
      };
    },
  });
