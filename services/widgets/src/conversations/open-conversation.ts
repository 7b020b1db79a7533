// Begins a conversation in text. The agent's first words are its first turn, and the call log is told that it goes on.
import { type CallContext, events } from '@parlance/contracts';
import { announce, type Tx } from '@parlance/postgres';
import { namesInVariables } from '@parlance/redaction';
import type { Host } from '@parlance/service-host';
import type { ReadyAgent } from '../widgets/agents.js';
import { showTurns } from './show-turns.js';
import type { TurnsOfSessions } from './turns-of-sessions.js';

export interface OpenConversationOptions {
  readonly host: Pick<Host, 'clock' | 'ids' | 'seals' | 'rpc' | 'callerFor' | 'logger'>;
  readonly sessionTurns: TurnsOfSessions;
}

export interface BeginningConversation {
  readonly id: string;
  readonly roomName: string;
  readonly context: CallContext;
  readonly agent: Pick<ReadyAgent, 'name' | 'redaction'>;
  readonly openedAt: Date;
  /** Null for an agent that lets the visitor begin. */
  readonly firstMessage: string | null;
}

const consentOf = ({ consent }: CallContext) =>
  consent?.textVersion && consent.at ? { textVersion: consent.textVersion, at: consent.at } : null;

/** Call this in the transaction that opens the session. */
export const openConversation = async (
  tx: Tx,
  { host, sessionTurns }: OpenConversationOptions,
  { id, roomName, context, agent, openedAt, firstMessage }: BeginningConversation,
): Promise<void> => {
  const { organizationId, callId, agentId, configVersion, widgetId, dynamicVariables, metadata } = context;
  const startedAt = openedAt.toISOString();
  const begun = {
    ...{ callId, roomName, agentId, agentName: agent.name, configVersion },
    ...{ dynamicVariables, metadata, startedAt },
  };
  if (widgetId === null) await announce(tx, host, events.previewStarted, organizationId, begun);
  else
    await announce(tx, host, events.conversationStarted, organizationId, {
      ...begun,
      ...{ widgetId, consent: consentOf(context) },
    });
  const key = { id, organizationId };
  if (agent.redaction !== null)
    await sessionTurns.redact(tx, key, {
      ...agent.redaction,
      names: namesInVariables(dynamicVariables),
    });
  if (firstMessage === null) return;
  const said = { role: 'agent' as const, text: firstMessage, startMs: 0, endMs: 0, createdAt: startedAt };
  const { recorded } = await sessionTurns.add(tx, key, 0, [said]);
  showTurns(host, context, recorded);
};
