// A language model as the model brain uses it.
import type { ChatEvent, ChatRequest } from '@parlance/models/chat';

export type { ChatEvent, ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '@parlance/models/chat';

export interface LanguageModel {
  /** From the catalog of models. */
  readonly id: string;
  /** Tokens of a request and its answer together. */
  readonly contextTokens: number;
  chat(request: ChatRequest): AsyncIterable<ChatEvent>;
}
