export { Env } from './env.js';
export { operations } from './operations.js';
export { sealing } from './sealed-columns.js';
export { start } from './service.js';
