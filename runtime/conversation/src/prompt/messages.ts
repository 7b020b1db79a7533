// Turns of the conversation as messages of a chat.
import type { ChatMessage } from '../dialogue/chat.js';
import { heardText, type Turn } from '../dialogue/turns.js';
import { dataBlock } from './data.js';
import { estimateTokens, firstTokens } from './tokens.js';

/** A result of a tool is cut at this share of the window, so that one answer does not displace the conversation. */
const shareOfResult = 1 / 4;

export const userMessage = (text: string): ChatMessage => ({
  role: 'user',
  content: dataBlock('caller', text),
});

export const resultText = (result: unknown): string =>
  typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');

export const toolMessage = (toolCallId: string, result: unknown, contextTokens: number): ChatMessage => {
  const text = resultText(result);
  const most = Math.floor(contextTokens * shareOfResult);
  const shown =
    estimateTokens(text) <= most ? text : `${firstTokens(text, most)}\n[cut: the answer was longer]`;
  return { role: 'tool', toolCallId, content: dataBlock('tool answer', shown) };
};

/** The history has what was heard, not what was planned. */
const agentMessage = (turn: Turn): ChatMessage => ({
  role: 'assistant',
  content:
    turn.interrupted === true
      ? `${heardText(turn).trim()} [interrupted: the person heard no more of this]`.trim()
      : turn.text,
});

const messagesOfTurn = (turn: Turn, index: number, contextTokens: number): readonly ChatMessage[] => {
  switch (turn.role) {
    case 'user':
      return [userMessage(turn.text)];
    case 'agent':
      return [agentMessage(turn)];
    case 'tool': {
      if (turn.toolCall == null) return [];
      const id = `earlier_${index}`;
      const { name, arguments: given, result } = turn.toolCall;
      return [
        { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: given }] },
        toolMessage(id, result, contextTokens),
      ];
    }
    case 'system':
      return [];
    default:
      return turn.role satisfies never;
  }
};

/** Groups that are dropped together: words of the person, with all that follows until they speak again. */
export const historyGroups = (turns: readonly Turn[], contextTokens: number): readonly ChatMessage[][] => {
  const groups: ChatMessage[][] = [];
  for (const [index, turn] of turns.entries()) {
    const messages = messagesOfTurn(turn, index, contextTokens);
    const group = turn.role === 'user' ? undefined : groups.at(-1);
    if (group === undefined) groups.push([...messages]);
    else group.push(...messages);
  }
  return groups.filter((group) => group.length > 0);
};
