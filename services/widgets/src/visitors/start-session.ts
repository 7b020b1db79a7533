// Opens a conversation for a visitor: it is admitted, takes a place among the organization's calls, and gets a room.
// Any failure in between leaves a session that is ended and cleaned up.
import { randomBytes } from 'node:crypto';
import {
  type CallContext,
  callContext,
  type WidgetSession,
  type WidgetSessionInput,
} from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { roomOfCall } from '@parlance/media-rooms';
import { firstMessageOf } from '../conversations/first-message.js';
import { openConversation } from '../conversations/open-conversation.js';
import type { Parts } from '../parts.js';
import { type Asking, askInLine, mustWait, stepBack } from '../queue/queue.js';
import { endTicket } from '../queue/tickets.js';
import {
  endSession,
  type NewSession,
  type OpenedSession,
  openSession,
  type SessionOfWidget,
} from '../sessions/session-rows.js';
import { takePlace } from '../sessions/take-place.js';
import type { ReadyAgent } from '../widgets/agents.js';
import { longestSeconds, type WidgetRow } from '../widgets/widget-record.js';
import { admitSession } from './admission.js';
import { consentOf, metadataOf, modeOf, variablesOf } from './asked-session.js';
import { namedVisitor } from './visitor-token.js';

export interface AskedSession {
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

const contextOf = async (parts: Parts, asked: AskedSession): Promise<CallContext> => {
  const { widget, agent, body } = asked;
  const consent = consentOf(widget, body, parts.clock.now());
  const visitor = await namedVisitor(parts, widget, body.visitorToken);
  return callContext({
    ...{ callId: parts.ids.next(), organizationId: widget.organization_id, agentId: widget.agent_id },
    ...{ channel: 'widget', direction: 'inbound', widgetId: widget.id, configVersion: agent.configVersion },
    dynamicVariables: variablesOf(widget, body, visitor),
    metadata: metadataOf(body, visitor),
    consent,
    maxDurationSeconds: longestSeconds(widget, agent),
  });
};

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

/** In voice the session has a room when this resolves. In text it has the first message of the agent. */
const open = async (
  parts: Parts,
  { id, roomName, context, mode }: Opening,
  { agent, requestId }: AskedSession,
): Promise<Opened> => {
  await takePlace(parts, context, requestId);
  if (mode === 'voice')
    await parts.rooms.createRoom({
      ...roomOfCall(context),
      ...{ name: roomName, emptyTimeoutSeconds: joinWithinSeconds, maxParticipants },
    });
  const firstMessage = mode === 'text' ? firstMessageOf(agent, context) : null;
  const opened = await parts.db.transaction(async (tx) => {
    const session = await openSession(tx, id, context.maxDurationSeconds ?? 1);
    await endTicket(tx, id);
    if (session === undefined || mode === 'voice') return session;
    const conversation = { id, roomName, context, agent, openedAt: session.openedAt };
    await openConversation(tx, parts, { ...conversation, firstMessage });
    return session;
  });
  // The widget was disabled or deleted meanwhile.
  if (opened === undefined) throw new AppError('WIDGET_NOT_FOUND');
  return { ...opened, firstMessage };
};

/** Rows of sessions that fail are ended here. If this process dies, their deadline ends them. */
const openOrEnd = async (
  parts: Parts,
  opening: Opening,
  asked: AskedSession,
  asking: Asking | null,
): Promise<Opened> => {
  try {
    return await open(parts, opening, asked);
  } catch (error) {
    const ahead = asking === null ? undefined : await stepBack(parts.db, opening.id, asking, error);
    if (asking !== null && ahead !== undefined) throw mustWait(asked.widget, asking, ahead);
    await endSession(parts.db, opening.id, 'failed');
    // An opener that was held up makes its room after the session was ended and cleaned up.
    if (opening.mode === 'voice')
      await parts.rooms.deleteRoom(opening.roomName).catch((err: unknown) => {
        parts.logger.warn(
          { err, sessionId: opening.id },
          'the room of a failed session is left to the rounds',
        );
      });
    throw publicRefusal(error);
  }
};

/** @throws AppError CONCURRENCY_LIMIT with the place in the queue, and as admissions are refused */
const admit = async (
  parts: Parts,
  { widget }: AskedSession,
  session: SessionOfWidget,
  asking: Asking | null,
): Promise<void> => {
  const { turns } = parts;
  const held = asking?.held ?? null;
  if (asking !== null && held !== null && turns.isFull(widget.id))
    throw mustWait(widget, asking, held.line.ahead);
  const ahead = await turns
    .take(widget.id, () => admitSession(parts, session, asking))
    .catch((error: unknown) => {
      throw publicRefusal(error);
    });
  if (asking !== null && ahead !== undefined) throw mustWait(widget, asking, ahead);
};

/** @throws AppError as the row of the contract declares */
export const startSession = async (parts: Parts, asked: AskedSession): Promise<WidgetSession> => {
  const { widget, address, body } = asked;
  const mode = modeOf(widget, parts.installedModes, body);
  const asking = await askInLine(parts.db, widget, { ticket: body.queueTicket, address });
  const context = await contextOf(parts, asked);
  const id = parts.ids.next();
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
  await admit(parts, asked, session, asking);
  const { endsAt, firstMessage } = await openOrEnd(parts, session, asked, asking);
  const common = {
    ...{ sessionId: id, mode, endToken },
    maxDurationSeconds: context.maxDurationSeconds ?? 1,
    expiresAt: endsAt.toISOString(),
  };
  if (mode === 'text') {
    const messagesUrl = `${parts.baseUrl}${sessionsPath(widget.id)}/${id}/messages`;
    return { ...common, roomName: null, serverUrl: null, token: null, messagesUrl, firstMessage };
  }
  const ttlSeconds = Math.min(joinWithinSeconds, context.maxDurationSeconds ?? joinWithinSeconds);
  const token = await parts.rooms.browserToken({ room: roomName, identity: `visitor_${id}`, ttlSeconds });
  return { ...common, roomName, serverUrl: parts.mediaServerUrl, token, messagesUrl: null, firstMessage };
};
