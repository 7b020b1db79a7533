// Requests of visitors of websites. Visitors are held by the origin of their page, and by the end token of their session.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type PublicWidgetConfig,
  type Result,
  type serviceRequests,
  type WidgetSession,
  type WidgetSessionEnd,
} from '@parlance/contracts';
import { equalSecrets, sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { SessionContexts } from '../sessions/session-contexts.js';
import { contextOfCall, endSession, findSession } from '../sessions/session-rows.js';
import { KnownAgents, type ReadyAgent } from '../widgets/agents.js';
import { EnabledWidgets } from '../widgets/enabled-widgets.js';
import type { WidgetRow } from '../widgets/widget-record.js';
import { refuseOtherOrigins, type Visitor, visitorOf } from './visitor.js';
import { VisitorSessions } from './visitor-sessions.js';

type Contract = typeof contract;
type Origins = (typeof serviceRequests)['widgetsOrigins'];
type SessionCall = (typeof serviceRequests)['widgetsSessionCall'];

interface OpenDoor {
  readonly widget: WidgetRow;
  readonly agent: ReadyAgent;
  readonly visitor: Visitor;
}

const secondsBetween = (from: Date | null, to: Date): number =>
  from === null ? 0 : Math.max(0, (to.getTime() - from.getTime()) / 1_000);

@Controller()
@Serves()
export class VisitorsController {
  constructor(
    private readonly host: Host,
    private readonly widgets: EnabledWidgets,
    private readonly agents: KnownAgents,
    private readonly sessions: VisitorSessions,
    private readonly sessionContexts: SessionContexts,
  ) {}

  async 'widgets.publicConfig'({
    params,
    caller,
  }: RpcRequest<Contract['widgetsPublicConfig']>): Promise<PublicWidgetConfig> {
    return this.sessions.publicConfig(await this.#door(params.widgetId, caller));
  }

  async 'widgets.startSession'({
    params,
    body,
    caller,
    requestId,
  }: RpcRequest<Contract['widgetsStartSession']>): Promise<WidgetSession> {
    const { widget, agent, visitor } = await this.#door(params.widgetId, caller);
    return this.sessions.start({ widget, agent, body, address: visitor.id, requestId });
  }

  async 'widgets.endSession'({
    params: { widgetId, sessionId },
    body,
    caller,
  }: RpcRequest<Contract['widgetsEndSession']>): Promise<WidgetSessionEnd> {
    const { db, clock } = this.host;
    // A visitor can hang up even while the agent is away or inactive.
    refuseOtherOrigins(await this.widgets.get(widgetId), visitorOf(caller));
    const session = await findSession(db, widgetId, sessionId);
    const given = sha256(body.endToken ?? '');
    const isRight = equalSecrets(given, session?.endTokenHash ?? '');
    if (session === undefined || !isRight) throw new AppError('INVALID_END_TOKEN');
    await endSession(db, sessionId, 'visitor');
    const { openedAt, endedAt } = (await findSession(db, widgetId, sessionId)) ?? session;
    const durationSeconds = secondsBetween(openedAt, endedAt ?? clock.now());
    return { sessionId, ended: true, durationSeconds };
  }

  async 'widgets.origins'({ body }: RpcRequest<Origins>): Promise<Result<Origins>> {
    try {
      const { document } = await this.widgets.get(body.widgetId);
      return { allowedOrigins: document.allowedOrigins };
    } catch (error) {
      if (error instanceof AppError && error.code === 'WIDGET_NOT_FOUND') return { allowedOrigins: [] };
      throw error;
    }
  }

  async 'widgets.sessionCall'({ body }: RpcRequest<SessionCall>): Promise<Result<SessionCall>> {
    return { context: await contextOfCall(this.host.db, this.sessionContexts, body.callId) };
  }

  /** The widget, as far as this visitor may use it. @throws AppError WIDGET_NOT_FOUND, ORIGIN_NOT_ALLOWED */
  async #door(widgetId: string, caller: Caller): Promise<OpenDoor> {
    const visitor = visitorOf(caller);
    const widget = await this.widgets.get(widgetId);
    const { organization_id: organizationId, agent_id: agentId } = widget;
    const agent = await this.agents.ready({ organizationId, agentId });
    if (agent === null) throw new AppError('WIDGET_NOT_FOUND');
    refuseOtherOrigins(widget, visitor);
    return { widget, agent, visitor };
  }
}
