export type { Answer, ScriptedAnswer, ScriptedToolCall } from './answer.js';
export type { AudioScript } from './audio-script.js';
export type { ChatBody } from './chat-request.js';
export { createOpenAiFaults, type OpenAiFaults } from './faults.js';
export type { ChatScript, Rule } from './script.js';
export { type OpenAiOptions, type ReceivedRequest, type RunningOpenAi, startOpenAi } from './server.js';
