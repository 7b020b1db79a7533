export { Env } from './env.js';
export { quotas } from './limits/quotas.js';
export { operations } from './operations/operations.js';
export { sealing } from './sealed-columns.js';
export { type Instead, start } from './service.js';
