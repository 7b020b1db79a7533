// The composition root of this service.

import { Module } from '@nestjs/common';
import { environmentOfProcess } from '@parlance/config';
import { eventConsumers, events } from '@parlance/contracts';
import { keyringOf } from '@parlance/crypto';
import { createMediaRooms } from '@parlance/media-rooms';
import { modelEgress, readModelsFile } from '@parlance/models';
import type { RunningService } from '@parlance/observability';
import { Cursors, startConsumer, startOutboxRelay, startRemovals } from '@parlance/postgres';
import { CallTokenIssuer, completeHandlers } from '@parlance/rpc';
import { hostService, startSecretReports } from '@parlance/service-host';
import { createWebhooks } from '@parlance/webhooks';
import { noteConnections, noteSources, noteTools, noteWidgets } from './agents/agent-counts.js';
import { AgentLimit } from './agents/agent-limit.js';
import { noteNumber } from './agents/agent-numbers.js';
import { AgentsController } from './agents/agents.controller.js';
import { noteLastCall } from './agents/agents-repository.js';
import { ConfigurationsController } from './configuration/configurations.controller.js';
import { startSealingOldHeaders } from './configuration/seal-old-headers.js';
import { secretsOfAgent } from './configuration/secrets-in-use.js';
import type { Env } from './env.js';
import { startForgettingAnswered } from './initiation/answered-variables.js';
import { Initiations } from './initiation/initiations.js';
import { CallModelsController } from './models/call-models.controller.js';
import { Catalogs } from './models/catalogs.js';
import { secretOfModel } from './models/model-secret.js';
import { ModelTestController } from './models/model-test.controller.js';
import { ModelsController } from './models/models.controller.js';
import { Parts } from './parts.js';
import { PreviewController } from './preview/preview.controller.js';
import { startForgettingPreviews } from './preview/preview-calls.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';
import { RuntimeController } from './runtime/runtime.controller.js';
import { SettingsController } from './settings/settings.controller.js';

@Module({})
class AgentsConfigModule {}

const controllers = completeHandlers('agents-config')([
  RemovalController,
  AgentsController,
  CallModelsController,
  ConfigurationsController,
  ModelTestController,
  ModelsController,
  PreviewController,
  RuntimeController,
  SettingsController,
]);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'agents-config',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, rpc, nats, seals, logger, readiness, clock, ids, callerFor, own } = host;
      const webhooks = createWebhooks(env, { rpc, callerFor });
      own({ name: 'egress', stop: () => webhooks.egress.close() });
      const modelsFile = await readModelsFile(env.MODELS_FILE);
      const egressToModels = modelEgress(env, modelsFile);
      own({ name: 'egress to models', stop: () => egressToModels.close() });
      const catalogs = new Catalogs(modelsFile);
      const keyring = keyringOf(env);
      const parts: Parts = {
        cursors: new Cursors(env.CURSOR_KEY),
        db,
        rpc,
        rooms: createMediaRooms(env, { logger }),
        clock,
        ids,
        seals,
        mediaServerUrl: env.LIVEKIT_WS_URL,
        agentLimit: new AgentLimit(env.MAX_AGENTS_PER_ORGANIZATION, clock),
        catalogs,
        modelsFile,
        // The operator's file names variables of its own.
        modelKeys: { ...environmentOfProcess(), ...env },
        modelEgress: egressToModels,
        maxModels: env.MAX_MODELS_PER_ORGANIZATION,
        secrets: webhooks.secrets,
        keyring,
        urls: webhooks.egress.rules,
        initiations: new Initiations({
          sender: webhooks.sender,
          catalogOf: (organizationId) => catalogs.of(db, organizationId),
          clock,
          ids,
        }),
        callTokens: new CallTokenIssuer(env, clock),
        runtimeBaseUrl: `${new URL(env.RUNTIME_BASE_URL).origin}/api/v1`,
        logger,
        callerFor,
      };
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      own(startSealingOldHeaders({ db, keyring, logger }));
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].use },
          gatherMs: 250,
          handle: (tx, event) =>
            event.name === events.numberChanged.name
              ? noteNumber(tx, event)
              : noteLastCall(tx, event.organizationId, event.data.agentId, event.data.startedAt),
        }),
      );
      own(startForgettingPreviews({ db, clock, logger }));
      own(startForgettingAnswered({ db, clock, logger }));
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].tools },
          handle: noteTools,
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].sources },
          handle: noteSources,
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].connections },
          handle: noteConnections,
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].widgets },
          handle: noteWidgets,
        }),
      );
      own(
        startSecretReports(
          host,
          eventConsumers['agents-config'].secrets,
          { agent: secretsOfAgent, model: secretOfModel },
          events.agentSecretsReported,
        ),
      );
      own(
        startRemovals({
          ...{ nats, db, logger, ...eventConsumers['agents-config'].removals },
          clear: (organizationId) => clearOrganization(db, organizationId),
        }),
      );
      return { module: AgentsConfigModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
