export { measure } from './measure.js';
