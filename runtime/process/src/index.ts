export { Env } from './env.js';
export { start, type VoiceRuntime } from './service.js';
