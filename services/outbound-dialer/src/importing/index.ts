// Files of campaigns become recipients.
export type { CampaignImportParts } from './campaign-import.js';
export { type ImportFileOptions, importFile } from './import-file.js';
export { ImportRunner, type ImportRunnerParts } from './import-runner.js';
export {
  type DuplicatePolicy,
  type FileRefusal,
  type ImportLimits,
  type ImportOutcome,
  usualLimits,
} from './import-types.js';
export type { RecipientBatch } from './recipient-batch.js';
