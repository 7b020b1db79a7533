// What `npm run check` needs of this library, and no process.
export { type LintSubject, lintMigrations, type MigrationFile } from './migration-lint.js';
export { releases } from './releases.js';
