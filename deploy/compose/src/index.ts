export { type Process, processes } from './processes.js';
export { type Variable, variablesOf } from './variables.js';
