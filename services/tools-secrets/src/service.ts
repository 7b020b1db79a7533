// The composition root of this service.
import { Module } from '@nestjs/common';
import type { RunningService } from '@parlance/observability';
import { startOutboxRelay } from '@parlance/persistence';
import { completeHandlers } from '@parlance/rpc';
import { hostService } from '@parlance/service-host';
import type { Env } from './env.js';
import { Parts } from './parts.js';

@Module({})
class ToolsSecretsModule {}

const controllers = completeHandlers('tools-secrets')(
  [],
  [
    'tools.list',
    'tools.listForAgent',
    'tools.create',
    'tools.update',
    'tools.delete',
    'tools.test',
    'tools.runInCall',
    'tools.attach',
    'tools.detach',
    'tools.forAgent',
    'secrets.list',
    'secrets.create',
    'secrets.rotate',
    'secrets.delete',
    'secrets.sealed',
    'secrets.refer',
  ],
);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'tools-secrets',
    migrations: new URL('../migrations/', import.meta.url),
    build: async ({ db, rpc, nats, logger, readiness, clock, ids, platformToken, own }) => {
      const parts: Parts = { db, rpc, clock, ids, logger, platformToken };
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      return { module: ToolsSecretsModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
