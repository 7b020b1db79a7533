export { Env } from './env.js';
export { sealing } from './sealed-columns.js';
export { start } from './service.js';
