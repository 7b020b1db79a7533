export { Env } from './env.js';
export { start } from './service.js';
