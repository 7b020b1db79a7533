export { type ClientFile, clientFiles } from './client-files.js';
