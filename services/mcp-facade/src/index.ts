export { Env } from './env.js';
export { Gateway } from './gateway/gateway.js';
export { createApp } from './http/app.js';
export { type McpFacade, start } from './service.js';
