// Truncates a request that exceeds the context window of the model, in this order:
//   1. the oldest turns, each with the tools that ran for it;
//   2. the text of the knowledge, from its end.
// The instructions, the tools and the turn to answer are never shortened. Where these alone are too large, nothing is sent.
import type { ChatMessage, ChatTool } from '../dialogue/chat.js';
import { firstTokens, messageTokens, toolTokens } from './tokens.js';

export interface PromptParts {
  readonly instructions: string;
  /** Text of documents for the prompt; empty for none. */
  readonly knowledge: string;
  readonly tools: readonly ChatTool[];
  /** The messages of each turn before, oldest first. They are kept or dropped together. */
  readonly history: readonly (readonly ChatMessage[])[];
  /** The turn to answer, and the tools that ran for it so far. */
  readonly current: readonly ChatMessage[];
}

export interface Window {
  readonly contextTokens: number;
  /** Kept free for the answer. */
  readonly answerTokens: number;
}

export type FittedPrompt =
  | {
      readonly fits: true;
      readonly messages: readonly ChatMessage[];
      readonly droppedTurns: number;
      readonly isKnowledgeCut: boolean;
    }
  | { readonly fits: false; readonly tooLarge: 'instructions' | 'turn' };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const tokensOf = (messages: readonly ChatMessage[]): number => sum(messages.map(messageTokens));

const systemMessage = (instructions: string, knowledge: string): ChatMessage => ({
  role: 'system',
  content: knowledge === '' ? instructions : `${instructions}\n\n${knowledge}`,
});

/** @param render makes the block of the knowledge from its text */
export const fitPrompt = (
  parts: PromptParts,
  { contextTokens, answerTokens }: Window,
  render: (knowledge: string) => string,
): FittedPrompt => {
  const { instructions, knowledge, tools, history, current } = parts;
  const system = (text: string): ChatMessage => systemMessage(instructions, text === '' ? '' : render(text));
  const available = contextTokens - answerTokens;
  const fixed = tokensOf([system('')]) + toolTokens(tools);
  if (fixed > available) return { fits: false, tooLarge: 'instructions' };
  const required = fixed + tokensOf(current);
  if (required > available) return { fits: false, tooLarge: 'turn' };

  const whole = tokensOf([system(knowledge)]) - tokensOf([system('')]);
  let free = available - required - whole;
  let kept = history.length;
  while (kept > 0) {
    const next = tokensOf(history[kept - 1] ?? []);
    if (next > free) break;
    free -= next;
    kept -= 1;
  }
  const room = Math.max(0, available - required - (tokensOf([system('.')]) - tokensOf([system('')])));
  const text = free >= 0 ? knowledge : firstTokens(knowledge, room).trimEnd();
  return {
    fits: true,
    messages: [system(text), ...history.slice(kept).flat(), ...current],
    droppedTurns: kept,
    isKnowledgeCut: text !== knowledge,
  };
};
