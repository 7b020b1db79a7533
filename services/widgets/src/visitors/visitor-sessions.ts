// Opens a conversation for a visitor: it is admitted, takes a place among the organization's calls, and gets a room.
// Any failure in between leaves a session that is ended and cleaned up.
import { randomBytes } from 'node:crypto';
import {
  type CallContext,
  callContext,
  type PublicWidgetConfig,
  type WidgetSession,
  type WidgetSessionInput,
} from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { type MediaRooms, roomOfCall } from '@parlance/media-rooms';
import type { Host } from '@parlance/service-host';
import type { OrganizationSecrets } from '@parlance/webhooks';
import { firstMessageOf } from '../conversations/first-message.js';
import { type OpenConversationOptions, openConversation } from '../conversations/open-conversation.js';
import { type Asking, askInLine, mustWait, stepBack } from '../queue/queue.js';
import { endTicket } from '../queue/tickets.js';
import type { SessionContexts } from '../sessions/session-contexts.js';
import {
  endSession,
  type NewSession,
  type OpenedSession,
  openSession,
  type SessionOfWidget,
} from '../sessions/session-rows.js';
import { takePlace } from '../sessions/take-place.js';
import type { ReadyAgent } from '../widgets/agents.js';
import {
  type InstalledModes,
  longestSeconds,
  toPublicConfig,
  type WidgetRow,
} from '../widgets/widget-record.js';
import { admitSession } from './admission.js';
import { consentOf, metadataOf, modeOf, variablesOf } from './asked-session.js';
import type { Turns } from './turns.js';
import { namedVisitor } from './visitor-token.js';

interface AskedSession {
  readonly widget: WidgetRow;
  readonly agent: ReadyAgent;
  readonly body: WidgetSessionInput;
  /** Keyed digest of the visitor's address. */
  readonly address: string;
  readonly requestId: string;
}

/** A visitor joins at once; an empty room waits no longer. */
const joinWithinSeconds = 60;
/** The visitor, and a person of the organization who looks in. Agents are not counted. */
const maxParticipants = 2;
const endTokenBytes = 32;

const sessionsPath = (widgetId: string): string => `/api/v1/public/widgets/${widgetId}/sessions`;

/** The words to a visitor when the organization is the reason: they tell neither its money nor its calls. */
const publicRefusal = (error: unknown): unknown => {
  if (!(error instanceof AppError)) return error;
  const { code, retryAfterSeconds } = error;
  switch (code) {
    case 'SPEND_LIMIT_REACHED':
      return new AppError('WIDGET_BUDGET_EXCEEDED', { retryAfterSeconds: 3_600, cause: error });
    case 'CONCURRENCY_LIMIT':
      return new AppError(code, { retryAfterSeconds: retryAfterSeconds ?? 10, cause: error });
    case 'CONFLICT':
      return new AppError('WIDGET_NOT_FOUND', { cause: error });
    default:
      return error;
  }
};

type Opening = Pick<NewSession, 'id' | 'roomName' | 'context' | 'mode'>;

interface Opened extends OpenedSession {
  /** The first words of the agent, in text. */
  readonly firstMessage: string | null;
}

export interface VisitorSessionsOptions extends OpenConversationOptions {
  readonly host: Host;
  readonly sessionContexts: SessionContexts;
  readonly rooms: Pick<MediaRooms, 'createRoom' | 'deleteRoom' | 'browserToken'>;
  readonly secrets: Pick<OrganizationSecrets, 'signing'>;
  /** Visitors of one widget are admitted one after the other. */
  readonly turns: Turns;
  readonly installedModes: InstalledModes;
  /** The address at which browsers reach the gateway. */
  readonly baseUrl: string;
  /** The address at which browsers reach the media server. */
  readonly mediaServerUrl: string;
}

export class VisitorSessions {
  readonly #options: VisitorSessionsOptions;

  constructor(options: VisitorSessionsOptions) {
    this.#options = options;
  }

  /** The part of a widget that every visitor may read. */
  publicConfig({ widget, agent }: Pick<AskedSession, 'widget' | 'agent'>): PublicWidgetConfig {
    return toPublicConfig(widget, agent, this.#options.installedModes);
  }

  /** @throws AppError as the row of the contract declares */
  async start(asked: AskedSession): Promise<WidgetSession> {
    const { host, rooms, installedModes, baseUrl, mediaServerUrl } = this.#options;
    const { widget, address, body } = asked;
    const mode = modeOf(widget, installedModes, body);
    const asking = await askInLine(host.db, widget, { ticket: body.queueTicket, address });
    const context = await this.#contextOf(asked);
    const id = host.ids.next();
    const roomName = `${mode === 'voice' ? 'wg' : 'tx'}_${id}`;
    const endToken = randomBytes(endTokenBytes).toString('base64url');
    const session = {
      id,
      widgetId: widget.id,
      mode,
      roomName,
      address,
      context,
      endTokenHash: sha256(endToken),
    };
    await this.#admit(asked, session, asking);
    const { endsAt, firstMessage } = await this.#openOrEnd(session, asked, asking);
    const common = {
      ...{ sessionId: id, mode, endToken },
      maxDurationSeconds: context.maxDurationSeconds ?? 1,
      expiresAt: endsAt.toISOString(),
    };
    if (mode === 'text') {
      const messagesUrl = `${baseUrl}${sessionsPath(widget.id)}/${id}/messages`;
      return { ...common, roomName: null, serverUrl: null, token: null, messagesUrl, firstMessage };
    }
    const ttlSeconds = Math.min(joinWithinSeconds, context.maxDurationSeconds ?? joinWithinSeconds);
    const token = await rooms.browserToken({ room: roomName, identity: `visitor_${id}`, ttlSeconds });
    return { ...common, roomName, serverUrl: mediaServerUrl, token, messagesUrl: null, firstMessage };
  }

  async #contextOf(asked: AskedSession): Promise<CallContext> {
    const { host, secrets } = this.#options;
    const { widget, agent, body } = asked;
    const consent = consentOf(widget, body, host.clock.now());
    const visitor = await namedVisitor({ secrets, clock: host.clock }, widget, body.visitorToken);
    return callContext({
      ...{ callId: host.ids.next(), organizationId: widget.organization_id, agentId: widget.agent_id },
      ...{ channel: 'widget', direction: 'inbound', widgetId: widget.id, configVersion: agent.configVersion },
      dynamicVariables: variablesOf(widget, body, visitor),
      metadata: metadataOf(body, visitor),
      consent,
      maxDurationSeconds: longestSeconds(widget, agent),
    });
  }

  /** In voice the session has a room when this resolves. In text it has the first message of the agent. */
  async #open({ id, roomName, context, mode }: Opening, { agent, requestId }: AskedSession): Promise<Opened> {
    const { host, rooms } = this.#options;
    await takePlace(host, context, requestId);
    if (mode === 'voice')
      await rooms.createRoom({
        ...roomOfCall(context),
        ...{ name: roomName, emptyTimeoutSeconds: joinWithinSeconds, maxParticipants },
      });
    const firstMessage = mode === 'text' ? firstMessageOf(agent, context) : null;
    const opened = await host.db.transaction(async (tx) => {
      const session = await openSession(tx, id, context.maxDurationSeconds ?? 1);
      await endTicket(tx, id);
      if (session === undefined || mode === 'voice') return session;
      const conversation = { id, roomName, context, agent, openedAt: session.openedAt };
      await openConversation(tx, this.#options, { ...conversation, firstMessage });
      return session;
    });
    // The widget was disabled or deleted meanwhile.
    if (opened === undefined) throw new AppError('WIDGET_NOT_FOUND');
    return { ...opened, firstMessage };
  }

  /** Rows of sessions that fail are ended here. If this process dies, their deadline ends them. */
  async #openOrEnd(opening: Opening, asked: AskedSession, asking: Asking | null): Promise<Opened> {
    const { host, rooms } = this.#options;
    try {
      return await this.#open(opening, asked);
    } catch (error) {
      const ahead = asking === null ? undefined : await stepBack(host.db, opening.id, asking, error);
      if (asking !== null && ahead !== undefined) throw mustWait(asked.widget, asking, ahead);
      await endSession(host.db, opening.id, 'failed');
      // An opener that was held up makes its room after the session was ended and cleaned up.
      if (opening.mode === 'voice')
        await rooms.deleteRoom(opening.roomName).catch((err: unknown) => {
          host.logger.warn(
            { err, sessionId: opening.id },
            'the room of a failed session is left to the rounds',
          );
        });
      throw publicRefusal(error);
    }
  }

  /** @throws AppError CONCURRENCY_LIMIT with the place in the queue, and as admissions are refused */
  async #admit({ widget }: AskedSession, session: SessionOfWidget, asking: Asking | null): Promise<void> {
    const { turns } = this.#options;
    const held = asking?.held ?? null;
    if (asking !== null && held !== null && turns.isFull(widget.id))
      throw mustWait(widget, asking, held.line.ahead);
    const ahead = await turns
      .take(widget.id, () => admitSession(this.#options, session, asking))
      .catch((error: unknown) => {
        throw publicRefusal(error);
      });
    if (asking !== null && ahead !== undefined) throw mustWait(widget, asking, ahead);
  }
}
