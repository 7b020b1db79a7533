export { readSheet } from './sheet.js';
