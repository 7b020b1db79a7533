// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { type Keyring, keyringOf } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import { withLag } from '@parlance/jobs';
import { type RunningService, startRounds } from '@parlance/observability';
import { Cursors, noteEndedCall, startConsumer, startOutboxRelay, startRemovals } from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import {
  type Host,
  hostService,
  InFlight,
  PersonalDataOfAgents,
  startSecretReports,
} from '@parlance/service-host';
import { OrganizationSecrets } from '@parlance/webhooks';
import { connectionAttachments } from './agents/attachments.js';
import { AttachmentsController } from './connections/attachments.controller.js';
import { authorizationOf, givenClient, withoutToken } from './connections/authorizations.js';
import { startRefreshes } from './connections/background.js';
import type { ConnectionRow } from './connections/connection-record.js';
import { ConnectionsController } from './connections/connections.controller.js';
import { LoginsController } from './connections/logins.controller.js';
import { refreshSoon } from './connections/refresh.js';
import { secretsOfConnection } from './connections/secrets-in-use.js';
import type { Env } from './env.js';
import { ExecutionsController } from './execution/executions.controller.js';
import { pruneExecutions } from './execution/executions-repository.js';
import { recordLostExecutions } from './execution/recording.js';
import type { OAuthParts } from './oauth/login.js';
import { dropOldLogins } from './oauth/logins.js';
import { oauthFetch } from './oauth/oauth-fetch.js';
import { revocationJobs, revokeEnded } from './oauth/revocations.js';
import { Parts } from './parts.js';
import { McpFailure } from './protocol/failures.js';
import { Session } from './protocol/session.js';
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

const sessionOpener = (
  { db, rpc, callerFor, logger }: Pick<Host, 'db' | 'rpc' | 'callerFor' | 'logger'>,
  {
    keyring,
    egress,
    oauth,
  }: { readonly keyring: Keyring; readonly egress: Egress; readonly oauth: OAuthParts },
): Parts['openSession'] => {
  const secrets = new OrganizationSecrets({ rpc, callerFor, keyring });
  return (connection: ConnectionRow, timeoutMs) =>
    Session.open({
      ...{ egress, timeoutMs, address: connection },
      authorization: authorizationOf({ secrets, keyring, oauth }, connection),
      onToolsChanged: () => {
        refreshSoon(db, connection.organization_id, connection.id).catch((err: unknown) =>
          logger.warn({ err, connectionId: connection.id }, 'a refresh cannot be asked for'),
        );
      },
    });
};

const challengeTimeoutMs = 8_000;

/** Speaks to the server as it will be spoken to. Some servers ask for a token at the first request and some later. */
const challengeReader =
  (
    { rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>,
    { keyring, egress }: { readonly keyring: Keyring; readonly egress: Egress },
  ): Parts['challengeOf'] =>
  async (connection) => {
    const secrets = new OrganizationSecrets({ rpc, callerFor, keyring });
    let challenge: string | undefined;
    const authorization = withoutToken({ secrets, keyring }, connection, (header) => {
      challenge ??= header;
    });
    try {
      const session = await Session.open({
        ...{ egress, authorization, address: connection, timeoutMs: challengeTimeoutMs },
        onToolsChanged: () => undefined,
      });
      await session.listTools(challengeTimeoutMs).finally(() => session.close());
    } catch (error) {
      // A refusal brings the wanted challenge; a server that is away shows when its metadata is read.
      if (!(error instanceof McpFailure)) throw error;
    }
    return challenge;
  };

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'mcp-hub',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, rpc, nats, seals, logger, readiness, clock, ids, callerFor, own } = host;
      const keyring = keyringOf(env);
      const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
      own({ name: 'egress', stop: () => egress.close() });
      const sessions = new Sessions();
      own({ name: 'sessions', stop: () => sessions.stop() });
      const oauth: OAuthParts = {
        ...{ db, keyring, clock, ids, logger, publicUrl: env.PUBLIC_URL },
        fetchFn: oauthFetch(egress),
      };
      const parts: Parts = {
        cursors: new Cursors(env.CURSOR_KEY),
        ...{ db, rpc, clock, ids, seals, logger, callerFor, keyring, sessions },
        urls: egress.rules,
        oauth,
        openSession: sessionOpener(host, { keyring, egress, oauth }),
        challengeOf: challengeReader(host, { keyring, egress }),
        givenClient: (connection, source) =>
          givenClient({ secrets: new OrganizationSecrets({ rpc, callerFor, keyring }) }, connection, source),
        inFlight: new InFlight(),
        personalData: new PersonalDataOfAgents({ rpc, callerFor }),
      };
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
          { mcp_connection: secretsOfConnection(parts) },
          events.connectionSecretsReported,
        ),
      );
      own(startRefreshes(parts));
      own(
        startRounds({
          ...{ name: 'lost executions of MCP tools', everyMs: 5_000, activity: db.activity, logger },
          round: () => recordLostExecutions(parts),
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
      return { module: McpHubModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
