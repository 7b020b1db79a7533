export { Env } from './env.js';
export { start, type TextRuntime } from './service.js';
