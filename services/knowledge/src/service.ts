// The composition root of this service.
import { Module } from '@nestjs/common';
import type { RunningService } from '@parlance/observability';
import { startOutboxRelay } from '@parlance/persistence';
import { completeHandlers } from '@parlance/rpc';
import { hostService } from '@parlance/service-host';
import type { Env } from './env.js';
import { Parts } from './parts.js';

@Module({})
class KnowledgeModule {}

const controllers = completeHandlers('knowledge')(
  [],
  [
    'knowledge.list',
    'knowledge.create',
    'knowledge.uploadUrl',
    'knowledge.update',
    'knowledge.delete',
    'knowledge.refresh',
    'knowledge.search',
    'knowledge.searchInCall',
    'knowledge.forAgent',
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
      const parts: Parts = { db, rpc, clock, ids, logger, platformToken };
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      return { module: KnowledgeModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
