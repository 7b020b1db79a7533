// The composition root of this service.
import { Module } from '@nestjs/common';
import { events } from '@parlance/contracts';
import { type RunningService, startRounds } from '@parlance/observability';
import { deleteOldEndedCalls, noteEndedCall, startConsumer, startOutboxRelay } from '@parlance/persistence';
import { completeHandlers } from '@parlance/rpc';
import { hostService } from '@parlance/service-host';
import { embedderOf } from './embeddings/env.js';
import type { Env } from './env.js';
import { Parts } from './parts.js';
import { SearchController } from './search/search.controller.js';
import { Search } from './search/search.js';

@Module({})
class KnowledgeModule {}

const controllers = completeHandlers('knowledge')(
  [SearchController],
  [
    'knowledge.list',
    'knowledge.create',
    'knowledge.uploadUrl',
    'knowledge.update',
    'knowledge.delete',
    'knowledge.refresh',
  ],
);

/** Folder of the service's migrations. */
export const migrations = new URL('../migrations/', import.meta.url);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'knowledge',
    migrations,
    build: async ({ db, rpc, nats, logger, readiness, clock, ids, platformToken, own }) => {
      const search = new Search(db, embedderOf(env));
      const parts: Parts = { db, rpc, clock, ids, logger, search, platformToken };
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      own(
        startConsumer({
          ...{ nats, db, logger, durable: 'knowledge-search' },
          events: [events.callEnded],
          handle: noteEndedCall,
        }),
      );
      own(
        startRounds({
          ...{ name: 'forgetting of ended calls', everyMs: 600_000, logger },
          round: () => deleteOldEndedCalls(db),
        }),
      );
      return { module: KnowledgeModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
