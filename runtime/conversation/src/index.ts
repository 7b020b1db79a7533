export type { BrainName, TokenUsage } from './dialogue/brain.js';
export type {
  ChatEvent,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ChatToolCall,
  LanguageModel,
} from './dialogue/chat.js';
export { type PhraseName, phrase } from './dialogue/phrases.js';
export { type Sources, type ToolCall, type Turn, unintelligible } from './dialogue/turns.js';
export {
  Conversation,
  type ConversationOptions,
  type ExpectedSentence,
  type Heard,
} from './engine/conversation.js';
export type { ConversationEvent } from './engine/events.js';
export { ModelUnavailable } from './model/model-brain.js';
export { CallSession } from './platform/call-session.js';
export { callOf, type InboundCall, inboundContext } from './platform/contexts.js';
export { type FinishedCall, type HandOver, handOverOf } from './platform/hand-over.js';
export { type ModelsOfCall, modelsOfCall } from './platform/organization-models.js';
export { Platform, type PlatformOptions } from './platform/platform.js';
export { type NewTurn, Transcript } from './platform/transcript.js';
export type { Mode } from './prompt/instructions.js';
export { redactedError, redactionOfCall } from './redaction/of-call.js';
export { type Log, type TextTurnOptions, textTurnHandler } from './text-turns/handler.js';
export type { Session } from './tools/toolbox.js';
