export { Env } from './env.js';
export { operations } from './operations/operations.js';
export { quotas } from './limits/quotas.js';
export { sealing } from './sealed-columns.js';
export { type Instead, start } from './service.js';
