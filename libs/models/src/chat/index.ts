export { type BreakerOptions, EndpointBreakers } from './breakers.js';
export { type ChatOptions, chat } from './chat.js';
export type {
  ChatEvent,
  ChatFailure,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ChatToolCall,
  InvalidToolCall,
} from './events.js';
export {
  type ChatDeadlines,
  type ChatLimits,
  defaultDeadlines,
  defaultLimits,
  type Timers,
} from './limits.js';
