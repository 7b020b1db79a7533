// Begins a conversation that tries an agent. It is a conversation in text as visitors of a website have it. It has the same
// turns, the same runtime, the same end and hand-over. It has a person of the organization in place of a widget.
import { type Caller, callContext, type PreviewConversation } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';
import { firstMessageOf } from '../conversations/first-message.js';
import { type OpenConversationOptions, openConversation } from '../conversations/open-conversation.js';
import type { SessionContexts } from '../sessions/session-contexts.js';
import { endSession, openSession } from '../sessions/session-rows.js';
import { takePlace } from '../sessions/take-place.js';
import { readyAgent } from '../widgets/agents.js';
import { admitPreview } from './preview-rows.js';

interface AskedPreview {
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

export interface PreviewsOptions extends OpenConversationOptions {
  readonly host: Host;
  readonly sessionContexts: SessionContexts;
  readonly hasTextRuntime: boolean;
}

export class Previews {
  readonly #options: PreviewsOptions;

  constructor(options: PreviewsOptions) {
    this.#options = options;
  }

  /** @throws AppError as the row of the contract declares */
  async start(asked: AskedPreview): Promise<PreviewConversation> {
    const { host, sessionContexts, hasTextRuntime } = this.#options;
    const { db, ids } = host;
    const { caller, agentId, dynamicVariables, requestId } = asked;
    const { organizationId } = caller;
    const agent = await readyAgent(host, { organizationId, agentId });
    if (!hasTextRuntime) throw new AppError('TEXT_RUNTIME_NOT_CONFIGURED');
    const maxDurationSeconds = Math.min(longestSeconds, agent.maxDurationSeconds ?? longestSeconds);
    const context = callContext({
      ...{ callId: ids.next(), organizationId, agentId, configVersion: agent.configVersion },
      ...{ channel: 'preview', direction: 'inbound', dynamicVariables, maxDurationSeconds },
    });
    const id = ids.next();
    const roomName = `tx_${id}`;
    const session = { id, widgetId: null, mode: 'text' as const, roomName, address: '', context };
    await admitPreview(db, sessionContexts, { ...session, endTokenHash: holderOf(caller) });
    const firstMessage = firstMessageOf(agent, context);
    try {
      await takePlace(host, context, requestId);
      const opened = await db.transaction(async (tx) => {
        const begun = await openSession(tx, id, maxDurationSeconds);
        if (begun === undefined) throw new AppError('AGENT_NOT_FOUND');
        const conversation = { id, roomName, context, agent, openedAt: begun.openedAt };
        await openConversation(tx, this.#options, { ...conversation, firstMessage });
        return begun;
      });
      return {
        ...{ sessionId: id, agentId, callId: context.callId, configVersion: agent.configVersion },
        ...{ firstMessage, maxDurationSeconds, expiresAt: opened.endsAt.toISOString() },
      };
    } catch (error) {
      await endSession(db, id, 'failed');
      throw error;
    }
  }
}
