// The interface of a brain: it answers the last turn of a history with events.
import type { EndedReason } from '@parlance/contracts';
import type { Sources, ToolCall, Turn } from './turns.js';

/** `rules` follows the configuration of the agent; `model` asks a language model. */
export type BrainName = 'rules' | 'model';

export interface TokenUsage {
  /** Id of the model that answered, from the catalog. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type BrainEvent =
  /** The next words of the agent. */
  | { readonly type: 'say'; readonly delta: string }
  /** A tool ran, or was refused. */
  | { readonly type: 'tool'; readonly toolCall: ToolCall }
  | { readonly type: 'sources'; readonly sources: Sources }
  | ({ readonly type: 'usage' } & TokenUsage)
  /** Another model took over within the answer. */
  | { readonly type: 'fellBack'; readonly from: string; readonly to: string; readonly reason: string }
  /** The conversation ends after these words. */
  | { readonly type: 'end'; readonly reason: EndedReason };

export interface Question {
  /** The turns before, oldest first. */
  readonly history: readonly Turn[];
  readonly text: string;
  readonly signal: AbortSignal;
}

export interface Brain {
  readonly name: BrainName;
  /** Sentences that do not depend on what the other party says, the likeliest first. */
  expected?(): readonly string[];
  answer(question: Question): AsyncIterable<BrainEvent>;
  /** Words that the next turn of the person is likely to have; undefined where anything may be said. */
  hint?(history: readonly Turn[]): string | undefined;
}
