// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { keyringOf } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import { withLag } from '@parlance/jobs';
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
import {
  hostService,
  InFlight,
  PersonalDataOfAgents,
  provided,
  startSecretReports,
} from '@parlance/service-host';
import { connectionAttachments } from './agents/attachments.js';
import { AttachmentsController } from './connections/attachments.controller.js';
import { startRefreshes } from './connections/background.js';
import { ConnectionsController } from './connections/connections.controller.js';
import { Connector } from './connections/connector.js';
import { LoginsController } from './connections/logins.controller.js';
import { Logins } from './connections/logins.js';
import { Refreshes, type RefreshParts } from './connections/refresh.js';
import { secretsOfConnection } from './connections/secrets-in-use.js';
import type { Env } from './env.js';
import { ExecutionsController } from './execution/executions.controller.js';
import { Executions } from './execution/executions.js';
import { pruneExecutions } from './execution/executions-repository.js';
import { recordLostExecutions } from './execution/recording.js';
import type { OAuthParts } from './oauth/login.js';
import { dropOldLogins } from './oauth/logins.js';
import { oauthFetch } from './oauth/oauth-fetch.js';
import { revocationJobs, revokeEnded } from './oauth/revocations.js';
import { Sessions } from './protocol/sessions.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';

@Module({})
class McpHubModule {}

const controllers = completeHandlers('mcp-hub')([
  RemovalController,
  ConnectionsController,
  AttachmentsController,
  ExecutionsController,
  LoginsController,
]);

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'mcp-hub',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, nats, logger, readiness, clock, ids, own } = host;
      const keyring = keyringOf(env);
      const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
      own({ name: 'egress', stop: () => egress.close() });
      const sessions = new Sessions();
      own({ name: 'sessions', stop: () => sessions.stop() });
      const oauth: OAuthParts = {
        ...{ db, keyring, clock, ids, logger, publicUrl: env.PUBLIC_URL },
        fetchFn: oauthFetch(egress),
      };
      const connector = new Connector({ host, keyring, egress, oauth });
      const refreshing: RefreshParts = {
        ...{ db, clock, ids, logger, sessions },
        openSession: (connection, timeoutMs) => connector.open(connection, timeoutMs),
      };
      const refreshes = new Refreshes(refreshing);
      const executions = new Executions({
        ...{ host, sessions, connector },
        inFlight: new InFlight(),
        personalData: new PersonalDataOfAgents(host),
      });
      readiness.add('readModel', { required: true, check: () => db.ping() });
      own(startOutboxRelay({ db, nats, logger }));
      own(
        startRemovals({
          ...{ nats, db, logger, ...eventConsumers['mcp-hub'].removals },
          clear: (organizationId) => clearOrganization(db, organizationId),
        }),
      );
      own(
        startConsumer({
          ...{ nats, db, logger, ...eventConsumers['mcp-hub'].agents },
          gatherMs: endedCallsGatherMs,
          handle: (tx, event) =>
            event.name === events.callEnded.name
              ? noteEndedCall(tx, event)
              : connectionAttachments.forgetAgent(tx, event.organizationId, event.data.agentId),
        }),
      );
      own(
        startSecretReports(
          host,
          eventConsumers['mcp-hub'].secrets,
          { mcp_connection: secretsOfConnection(keyring) },
          events.connectionSecretsReported,
        ),
      );
      own(startRefreshes(refreshing));
      own(
        startRounds({
          ...{ name: 'lost executions of MCP tools', everyMs: 5_000, activity: db.activity, logger },
          round: () => recordLostExecutions(host),
        }),
      );
      own(
        startRounds({
          ...{ name: 'old executions of MCP tools', everyMs: 60_000, logger },
          round: () => pruneExecutions(db),
        }),
      );
      const revocations = startRounds({
        ...{ name: 'revocation of tokens', everyMs: 1_000, activity: db.activity, logger },
        round: async () => {
          await revokeEnded(oauth);
          await dropOldLogins(db);
        },
      });
      own(withLag(revocations, db, revocationJobs));
      return {
        module: McpHubModule,
        controllers,
        providers: provided(
          new Cursors(env.CURSOR_KEY),
          keyring,
          egress.rules,
          sessions,
          refreshes,
          executions,
          new Logins({ host, connector, oauth, refreshes }),
        ),
      };
    },
  });
