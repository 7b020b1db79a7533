export { Env } from './env.js';
export { operations } from './operations.js';
export { start } from './service.js';
