// Begins a conversation that tries an agent. It is a conversation in text as visitors of a website have it. It has the same
// turns, the same runtime, the same end and hand-over. It has a person of the organization in place of a widget.
import { type Caller, callContext, type PreviewConversation } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { firstMessageOf } from '../conversations/first-message.js';
import { openConversation } from '../conversations/open-conversation.js';
import type { Parts } from '../parts.js';
import { endSession, openSession } from '../sessions/session-rows.js';
import { takePlace } from '../sessions/take-place.js';
import { readyAgent } from '../widgets/agents.js';
import { admitPreview } from './preview-rows.js';

export interface AskedPreview {
  readonly caller: Caller;
  readonly agentId: string;
  readonly dynamicVariables: Readonly<Record<string, string>>;
  readonly requestId: string;
}

/** As a session in voice that tries an agent. */
const longestSeconds = 600;

/** Names the person or key that tries an agent, as an end token names a visitor. */
export const holderOf = ({ organizationId, actor }: Caller): string =>
  sha256(JSON.stringify(['preview', organizationId, actor.type, actor.id]));

/** @throws AppError as the row of the contract declares */
export const startPreview = async (parts: Parts, asked: AskedPreview): Promise<PreviewConversation> => {
  const { caller, agentId, dynamicVariables, requestId } = asked;
  const { organizationId } = caller;
  const agent = await readyAgent(parts, { organizationId, agentId });
  if (parts.textRuntime === undefined) throw new AppError('TEXT_RUNTIME_NOT_CONFIGURED');
  const maxDurationSeconds = Math.min(longestSeconds, agent.maxDurationSeconds ?? longestSeconds);
  const context = callContext({
    ...{ callId: parts.ids.next(), organizationId, agentId, configVersion: agent.configVersion },
    ...{ channel: 'preview', direction: 'inbound', dynamicVariables, maxDurationSeconds },
  });
  const id = parts.ids.next();
  const roomName = `tx_${id}`;
  const session = { id, widgetId: null, mode: 'text' as const, roomName, address: '', context };
  await admitPreview(parts, { ...session, endTokenHash: holderOf(caller) });
  const firstMessage = firstMessageOf(agent, context);
  try {
    await takePlace(parts, context, requestId);
    const opened = await parts.db.transaction(async (tx) => {
      const begun = await openSession(tx, id, maxDurationSeconds);
      if (begun === undefined) throw new AppError('AGENT_NOT_FOUND');
      const conversation = { id, roomName, context, agent, openedAt: begun.openedAt };
      await openConversation(tx, parts, { ...conversation, firstMessage });
      return begun;
    });
    return {
      ...{ sessionId: id, agentId, callId: context.callId, configVersion: agent.configVersion },
      ...{ firstMessage, maxDurationSeconds, expiresAt: opened.endsAt.toISOString() },
    };
  } catch (error) {
    await endSession(parts.db, id, 'failed');
    throw error;
  }
};
