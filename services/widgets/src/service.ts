// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { keyringOf } from '@parlance/crypto';
import { createMediaRooms } from '@parlance/media-rooms';
import { type RunningService, startRounds } from '@parlance/observability';
import {
  Cursors,
  countParked,
  StoredForm,
  startConsumer,
  startOutboxRelay,
  startRemovals,
} from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService, provided, startSecretReports } from '@parlance/service-host';
import { OrganizationSecrets } from '@parlance/webhooks';
import { TextAnswers } from './conversations/text-answers.js';
import { TextRuntime } from './conversations/text-runtime.js';
import { TurnsOfSessions } from './conversations/turns-of-sessions.js';
import type { Env } from './env.js';
import { PreviewsController } from './previews/previews.controller.js';
import { Previews } from './previews/previews.js';
import { forgetTickets } from './queue/tickets.js';
import { clearOrganization } from './removal/clear-organization.js';
import { forgetAgent } from './removal/forget-agent.js';
import { RemovalController } from './removal/removal.controller.js';
import { SessionContexts } from './sessions/session-contexts.js';
import { startSessionGauges } from './sessions/session-gauges.js';
import { endSessionOfCall } from './sessions/session-rows.js';
import { startSessionRounds } from './sessions/start-rounds.js';
import { ConversationsController } from './visitors/conversations.controller.js';
import { Turns } from './visitors/turns.js';
import { VisitorSessions } from './visitors/visitor-sessions.js';
import { VisitorsController } from './visitors/visitors.controller.js';
import { KnownAgents } from './widgets/agents.js';
import { EnabledWidgets } from './widgets/enabled-widgets.js';
import { startLateNotes } from './widgets/noted-secrets.js';
import { secretInUse } from './widgets/secret-in-use.js';
import { widgetBaseUrl } from './widgets/widget-record.js';
import { WidgetsController } from './widgets/widgets.controller.js';

@Module({})
class WidgetsModule {}

const controllers = completeHandlers('widgets')([
  RemovalController,
  WidgetsController,
  VisitorsController,
  ConversationsController,
  PreviewsController,
]);

const textRuntimeOf = ({ TEXT_RUNTIME_URL: url, INTERNAL_API_KEY: key }: Env): TextRuntime | undefined =>
  url === undefined || key === undefined
    ? undefined
    : new TextRuntime({ url: url.replace(/\/+$/, ''), internalKey: key.reveal() });

const startListening = (host: Host): void => {
  const { db, nats, logger, clock, ids, own } = host;
  own(
    startConsumer({
      ...{ nats, db, logger, ...eventConsumers.widgets.agents },
      handle: (tx, { organizationId, data }) =>
        forgetAgent(tx, { clock, ids }, { organizationId, agentId: data.agentId }),
    }),
  );
  own(
    startConsumer({
      ...{ nats, db, logger, ...eventConsumers.widgets.calls },
      gatherMs: 250,
      handle: (tx, { organizationId, data }) => endSessionOfCall(tx, organizationId, data.callId),
    }),
  );
  own(
    startSecretReports(
      host,
      eventConsumers.widgets.secrets,
      { widget: secretInUse },
      events.widgetSecretsReported,
    ),
  );
  own(
    startRemovals({
      ...{ nats, db, logger, ...eventConsumers.widgets.removals },
      clear: (organizationId) => clearOrganization(db, organizationId),
    }),
  );
};

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'widgets',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, nats, logger, readiness, own } = host;
      const rooms = createMediaRooms(env, { logger });
      const keyring = keyringOf(env);
      const textRuntime = textRuntimeOf(env);
      const sealedContexts = await StoredForm.read(db, { name: 'sealed-session-contexts' });
      const sessionTurns = new TurnsOfSessions(keyring);
      const sessionContexts = new SessionContexts(keyring, sealedContexts);
      const sessions = { host, rooms, sessionTurns, sessionContexts };
      const hasTextRuntime = textRuntime !== undefined;
      const baseUrl = new URL(env.WIDGET_BASE_URL).origin;
      // Visitor tokens are signed with secrets that organizations make, and with no other.
      const derived = { signing: async () => [] };
      const visitors = new VisitorSessions({
        ...sessions,
        secrets: new OrganizationSecrets({ ...host, keyring, derived }),
        turns: new Turns(),
        installedModes: { voice: env.BROWSER_VOICE === 'on', text: hasTextRuntime },
        baseUrl,
        mediaServerUrl: env.LIVEKIT_WS_URL,
      });
      readiness.add('readModel', { required: true, check: () => db.ping() });
      readiness.add('mediaServer', { required: false, check: () => rooms.ping() });
      readiness.addParked('widgets', () => countParked(db));
      own(startOutboxRelay({ db, nats, logger }));
      own(startLateNotes(host));
      startListening(host);
      own(startSessionGauges(db));
      for (const rounds of startSessionRounds(sessions)) own(rounds);
      own(
        startRounds({
          ...{ name: 'tickets of visitors who left', everyMs: 60_000, logger },
          round: () => forgetTickets(db),
        }),
      );
      return {
        module: WidgetsModule,
        controllers,
        providers: [
          { provide: widgetBaseUrl, useValue: baseUrl },
          ...provided(
            new Cursors(env.CURSOR_KEY),
            new KnownAgents(host),
            new EnabledWidgets(db),
            new TextAnswers({ ...sessions, textRuntime }),
            new Previews({ ...sessions, hasTextRuntime }),
            visitors,
            sessionContexts,
          ),
        ],
      };
    },
  });
