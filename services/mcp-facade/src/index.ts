export { Env } from './env.js';
export { type McpFacade, start } from './service.js';
