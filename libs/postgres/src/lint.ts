// The exports that `npm run check` needs, and no process.
export { type LintSubject, lintMigrations, type MigrationFile } from './migration-lint.js';
export { releases } from './releases.js';
