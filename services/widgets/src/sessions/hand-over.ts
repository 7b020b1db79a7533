// Hands a conversation in text over to the call log, as a voice runtime hands over a call. The row of the session is handed
// over again and again until the log has it. The log takes it once, because the session is the id of the hand-over.
import { contract, EndedReason, type RequestOf } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import type { Host } from '@parlance/service-host';
import type { TurnsOfSessions } from '../conversations/turns-of-sessions.js';
import type { SessionContexts } from './session-contexts.js';
import type { EndedBy } from './session-rows.js';

type IngestBody = RequestOf<(typeof contract)['callsIngest']>['body'];

export interface HandOverOptions {
  readonly host: Pick<Host, 'db' | 'rpc' | 'callerFor' | 'ids' | 'logger'>;
  readonly sessionTurns: TurnsOfSessions;
  readonly sessionContexts: SessionContexts;
}

export interface EndedConversation {
  readonly id: string;
  readonly organizationId: string;
  readonly roomName: string;
  readonly context: unknown;
  readonly openedAt: Date;
  readonly endedAt: Date;
  readonly endedBy: EndedBy;
  readonly agentReason: string | null;
}

const reasons: Readonly<Record<EndedBy, EndedReason>> = {
  visitor: 'user_hangup',
  time: 'max_duration_reached',
  silence: 'silence_timeout',
  widget: 'operator_ended',
  operator: 'operator_ended',
  agent: 'agent_hangup',
  room: 'room_lost',
  failed: 'unknown',
};

const reasonOf = ({ endedBy, agentReason }: EndedConversation): EndedReason =>
  EndedReason.safeParse(agentReason).data ?? reasons[endedBy];

const bodyOf = async (
  { host, sessionTurns, sessionContexts }: HandOverOptions,
  session: EndedConversation,
): Promise<IngestBody> => {
  const context = sessionContexts.read(session.id, session.context);
  const transcript = await sessionTurns.of(host.db, session);
  const { openedAt, endedAt } = session;
  return {
    ...{ eventId: session.id, schemaVersion: 1, roomName: session.roomName },
    ...{ organizationId: context.organizationId, agentId: context.agentId, callId: context.callId },
    ...{ configVersion: context.configVersion, widgetId: context.widgetId },
    ...{ channel: context.channel, direction: context.direction, consent: context.consent },
    ...{ status: 'completed', endedReason: reasonOf(session), analysisStatus: 'pending' },
    answeredBy: transcript.some(({ role }) => role === 'user') ? 'human' : 'no_speech',
    startedAt: openedAt.toISOString(),
    answeredAt: openedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    durationSeconds: (endedAt.getTime() - openedAt.getTime()) / 1_000,
    transcript,
    ...{ dynamicVariables: context.dynamicVariables, metadata: context.metadata },
  };
};

/** A refusal that no repetition changes. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && error.status < 500 && errorCodes[error.code].retryable !== true;

/** Resolves when the log has the conversation, or refuses it for good. @throws AppError when it has to be handed over again */
export const handOver = async (options: HandOverOptions, session: EndedConversation): Promise<void> => {
  const { rpc, callerFor, ids, logger } = options.host;
  const context = { caller: callerFor(session.organizationId), requestId: ids.next() };
  try {
    await rpc.call(contract.callsIngest, { body: await bodyOf(options, session) }, context);
  } catch (err) {
    if (!isFinal(err)) throw err;
    logger.error({ err, sessionId: session.id }, 'the call log refuses a conversation');
  }
};
