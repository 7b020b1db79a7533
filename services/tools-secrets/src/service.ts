// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { keyringOf } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import { type RunningService, startRounds } from '@parlance/observability';
import {
  Cursors,
  endedCallsGatherMs,
  noteEndedCall,
  startConsumer,
  startOutboxRelay,
  startRemovals,
} from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import { hostService, InFlight, PersonalDataOfAgents } from '@parlance/service-host';
import type { Env } from './env.js';
import { ExecutionsController } from './execution/executions.controller.js';
import { recordLostRuns } from './execution/recording.js';
import { pruneRuns } from './execution/runs-repository.js';
import { Parts } from './parts.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';
import { startCollectingOrigins } from './secrets/collect-origins.js';
import { checkMentions, ForeignMentions, noteReport } from './secrets/foreign-mentions.js';
import { SecretValues } from './secrets/secret-values.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { deleteEndedVersions } from './secrets/secrets-repository.js';
import { toolAttachments } from './tools/attachments.js';
import { ToolsController } from './tools/tools.controller.js';

@Module({})
class ToolsSecretsModule {}

const controllers = completeHandlers('tools-secrets')([
  RemovalController,
  SecretsController,
  ToolsController,
  ExecutionsController,
]);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'tools-secrets',
    migrations: new URL('../migrations/', import.meta.url),
    build: async ({ db, rpc, nats, seals, logger, readiness, clock, ids, callerFor, own }) => {
      const keyring = keyringOf(env);
      const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
      own({ name: 'egress', stop: () => egress.close() });
      const parts: Parts = {
        cursors: new Cursors(env.CURSOR_KEY),
        ...{ db, rpc, clock, ids, seals, logger, callerFor, keyring },
        secretValues: new SecretValues({ db, keyring, clock }),
        mentions: new ForeignMentions({ db, clock, ids }),
        egress,
        urls: egress.rules,
        inFlight: new InFlight(),
        personalData: new PersonalDataOfAgents({ rpc, callerFor }),
      };
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].agents },
          handle: (tx, { organizationId, data }) =>
            checkMentions(tx, { organizationId, type: 'agent', id: data.agentId }),
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].connections },
          handle: (tx, { organizationId, data }) =>
            checkMentions(tx, { organizationId, type: 'mcp_connection', id: data.mcpConnectionId }),
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].widgets },
          handle: (tx, { organizationId, data }) =>
            checkMentions(tx, { organizationId, type: 'widget', id: data.widgetId }),
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].reports },
          handle: noteReport,
        }),
      );
      own(
        startRemovals({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].removals },
          clear: (organizationId) => clearOrganization(db, organizationId),
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['tools-secrets'].tools },
          gatherMs: endedCallsGatherMs,
          handle: (tx, event) =>
            event.name === events.callEnded.name
              ? noteEndedCall(tx, event)
              : toolAttachments.forgetAgent(tx, event.organizationId, event.data.agentId),
        }),
      );
      own(
        startRounds({
          ...{ name: 'executions of tools', everyMs: 30_000, logger },
          round: async () => {
            await recordLostRuns(parts);
            await pruneRuns(db);
          },
        }),
      );
      own(parts.mentions.start(logger));
      own(startCollectingOrigins(parts, logger));
      own(
        startRounds({
          ...{ name: 'ended versions of secrets', everyMs: 30_000, logger },
          round: () => deleteEndedVersions(db),
        }),
      );
      return { module: ToolsSecretsModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
