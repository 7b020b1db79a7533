// The events that a conversation emits while it answers.
import type { AnsweredTurn, EndedReason } from '@parlance/contracts';
import type { TokenUsage } from '../dialogue/brain.js';
import type { Sources } from '../dialogue/turns.js';

export type ConversationEvent =
  /** The agent's next words, to speak or display at once. */
  | { readonly type: 'say'; readonly delta: string }
  /** A tool that ran, as a turn for the transcript. */
  | { readonly type: 'tool'; readonly turn: AnsweredTurn }
  /** Passages that the answer is based on; the turn of the agent has them too. */
  | { readonly type: 'sources'; readonly sources: Sources }
  /** The whole turn of the agent. Comes once, after its words and its tools. */
  | { readonly type: 'turn'; readonly turn: AnsweredTurn }
  | ({ readonly type: 'usage' } & TokenUsage)
  | { readonly type: 'fellBack'; readonly from: string; readonly to: string; readonly reason: string }
  /** The agent ends the conversation when its words have been spoken. */
  | { readonly type: 'end'; readonly reason: EndedReason };
