export {
  createDatabase,
  Database,
  type DatabaseOptions,
  isUnavailable,
  type TransactionOptions,
} from './database.js';
export { isUniqueViolation } from './database-errors.js';
export { type MigrateOptions, migrate } from './migrate.js';
export { provisionService, type ServiceAccount } from './provision.js';
export type { Lock, Unlisten } from './session.js';
export type { QueryResult, Statement, Tx } from './tx.js';
