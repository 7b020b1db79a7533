// Migrations as files: `NNNN_name.sql`. The first line names the effect of the migration on the release before.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** `expand`: the release before keeps working. `contract`: it would not, so the migration waits until that release is gone. */
export type Phase = 'expand' | 'contract';

export interface Mark {
  readonly phase: Phase;
  /** Version of the release that brings the migration. */
  readonly release: string;
}

export interface Migration {
  /** The file's name, with `framework/` before it for a table that all services have. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256, in hex. */
  readonly checksum: string;
  /** Undefined for the migrations that are older than the marks: they expand. */
  readonly mark: Mark | undefined;
  /** The index that the migration builds outside of a transaction, which is all that it does then. */
  readonly index: string | undefined;
}

const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;
const markLine = /^-- (expand|contract), release (\d+\.\d+\.\d+)$/;
const concurrentIndex =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([a-z_][a-z0-9_]*)\s+on\s[^;]*$/;

/** The mark in the first line; undefined where there is none. */
export const markOf = (sql: string): Mark | undefined => {
  const [, phase, release] = markLine.exec(sql.split('\n', 1)[0] ?? '') ?? [];
  if ((phase !== 'expand' && phase !== 'contract') || release === undefined) return undefined;
  return { phase, release };
};

/**
 * The statements of a migration in small letters, with single spaces, without comments, and with empty texts and bodies
 * of functions. A rule about statements reads these, and nothing of them could run.
 */
export const statementsOf = (sql: string): readonly string[] =>
  sql
    .replaceAll(/\/\*[\s\S]*?\*\/|--[^\n]*|(\$[a-z_]*\$)[\s\S]*?\1|'(?:[^']|'')*'/gi, (found) =>
      found.startsWith('-') || found.startsWith('/') ? ' ' : "''",
    )
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** @throws Error where something else stands beside an index that is built outside of a transaction */
const indexOf = (name: string, statements: readonly string[]): string | undefined => {
  if (!statements.some((statement) => /\bconcurrently\b/.test(statement))) return undefined;
  const [, index] = concurrentIndex.exec(statements.length === 1 ? (statements[0] ?? '') : '') ?? [];
  if (index !== undefined) return index;
  throw new Error(`migration ${name}: "create index concurrently" with a name is all that its file may hold`);
};

/** @throws Error for a file with a name that is not `NNNN_name.sql` */
export const migrationOf = (prefix: string, file: string, text: string): Migration => {
  if (!fileName.test(file)) throw new Error(`migration ${file} is not named NNNN_name.sql`);
  const sql = text.replaceAll('\r\n', '\n');
  const name = `${prefix}${file}`;
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    mark: markOf(sql),
    index: indexOf(name, statementsOf(sql)),
  };
};

/** The migrations of a folder, in their order. */
export const readMigrations = async (directory: URL, prefix: string): Promise<Migration[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => migrationOf(prefix, file, await readFile(new URL(file, directory), 'utf8'))),
  );
};
