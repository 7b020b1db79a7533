export { checkCompose } from './check.js';
export { envExample } from './env-example.js';
export { type Process, processes } from './processes.js';
