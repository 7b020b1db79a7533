export { measure } from './harness/measure.js';
