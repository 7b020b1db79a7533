export { createS3Faults, type S3Faults } from './faults.js';
export { type RunningS3, type S3Options, startS3 } from './server.js';
