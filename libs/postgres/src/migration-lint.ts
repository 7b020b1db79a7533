// Holds migrations to their marks before they run anywhere: an expanding one must not take anything away from the
// release before.
import { type Migration, markOf, migrationOf, statementsOf } from './migration-files.js';

export interface MigrationFile {
  /** Such as `gateway/migrations`. */
  readonly folder: string;
  /** Such as `0007_tokens.sql`. */
  readonly file: string;
  readonly text: string;
}

export interface LintSubject {
  readonly files: readonly MigrationFile[];
  /** SHA-256 of the migrations that are older than the marks, by `<folder>/<file>`. They never change. */
  readonly unmarked: Readonly<Record<string, string>>;
  readonly releases: readonly string[];
}

interface Rule {
  readonly pattern: RegExp;
  readonly why: string;
  /** The rule is about a table whose name the pattern finds: harmless for a table that the same file makes. */
  readonly ofTable?: true;
}

const table = String.raw`(?:if exists )?(?:only )?(?<table>[\w."]+)`;

const takingAway: readonly Rule[] = [
  {
    pattern: /^drop (?:table|view|materialized view|function|type|sequence|schema)\b/,
    why: 'drops what the release before may use',
  },
  { pattern: /^drop index\b/, why: 'drops an index that the release before may need' },
  { pattern: /^truncate\b/, why: 'empties a table' },
  {
    pattern: new RegExp(`^alter table ${table} .*\\bdrop column\\b`),
    why: 'drops a column that the release before may use',
    ofTable: true,
  },
  {
    pattern: new RegExp(`^alter (?:table|index|type|view) ${table} .*\\brename\\b`),
    why: 'renames what the release before uses',
    ofTable: true,
  },
  {
    pattern: new RegExp(`^alter table ${table} .*\\balter(?: column)? [\\w"]+ (?:set data )?type\\b`),
    why: 'changes the type of a column',
    ofTable: true,
  },
  {
    pattern: new RegExp(`^alter table ${table} .*\\bset not null\\b`),
    why: 'refuses rows that the release before may write',
    ofTable: true,
  },
  {
    pattern: new RegExp(`^create unique index (?:concurrently )?(?:if not exists )?[\\w"]+ on ${table}`),
    why: 'refuses rows that the release before may write',
    ofTable: true,
  },
];

const madeTables = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(
    statements.flatMap(
      (statement) => /^create table (?:if not exists )?([\w."]+)/.exec(statement)?.[1] ?? [],
    ),
  );

const addedColumns = (statements: readonly string[]): readonly string[] =>
  statements.flatMap((statement) => {
    const altered = new RegExp(`^alter table ${table} `).exec(statement)?.groups?.table;
    const added = statement.matchAll(/\badd column (?:if not exists )?([\w"]+)/g);
    return altered === undefined ? [] : [...added].map(([, column]) => `${altered} ${column}`);
  });

/** The release before leaves the column empty, so that no row of it is in the index. */
const isOfNewColumn = (statement: string, indexed: string, added: ReadonlySet<string>): boolean =>
  [...statement.matchAll(/([\w"]+) is not null/g)].some(([, column]) => added.has(`${indexed} ${column}`));

/** A column that has no value in the rows that the release before writes. */
const addsWithoutValue = (statement: string): boolean =>
  statement
    .split(/(?=\badd column\b)/)
    .some(
      (part) =>
        part.startsWith('add column') &&
        /\bnot null\b|\bprimary key\b/.test(part) &&
        !/\b(?:default|generated)\b/.test(part),
    );

/** Names of constraints that a statement adds and does not replace. */
const newConstraints = (statement: string): readonly string[] =>
  [...statement.matchAll(/\badd (?:constraint ([\w"]+)|check|unique|primary key|foreign key|exclude)/g)]
    .filter(
      ([, name]) =>
        name === undefined || !new RegExp(`\\bdrop constraint (?:if exists )?${name}\\b`).test(statement),
    )
    .map(([found]) => found);

interface Made {
  readonly tables: ReadonlySet<string>;
  /** As `table column`, by all migrations of the release. */
  readonly columns: ReadonlySet<string>;
}

const takenAwayBy = (statement: string, { tables: made, columns }: Made): string | undefined => {
  for (const { pattern, why, ofTable } of takingAway) {
    const found = pattern.exec(statement);
    if (found === null) continue;
    const name = found.groups?.table ?? '';
    if (ofTable && made.has(name)) continue;
    if (statement.startsWith('create unique index') && isOfNewColumn(statement, name, columns)) continue;
    return why;
  }
  const altered = new RegExp(`^alter table ${table} `).exec(statement)?.groups?.table;
  if (altered === undefined || made.has(altered)) return undefined;
  if (addsWithoutValue(statement)) return 'adds a column that is not null and has no default';
  if (newConstraints(statement).length > 0)
    return 'adds a constraint that rows of the release before may break';
  if (/\bdrop constraint\b/.test(statement) && !/\badd constraint\b/.test(statement))
    return 'drops a constraint that the release before may count on';
  return undefined;
};

const adding = /^create (?:table|view)\b|^alter table .*\badd column\b/;

const problemsOfPhase = ({ mark, sql }: Migration, columns: ReadonlySet<string>): readonly string[] => {
  const statements = statementsOf(sql);
  const made = { tables: madeTables(statements), columns };
  const away = statements.flatMap((statement) => {
    const why = takenAwayBy(statement, made);
    return why === undefined ? [] : [`${why}: "${statement.slice(0, 60)}"`];
  });
  if (mark?.phase === 'expand') return away.map((problem) => `is marked expand and ${problem}`);
  if (away.length === 0) return ['is marked contract and takes nothing away: mark it expand'];
  return statements
    .filter((statement) => adding.test(statement))
    .map(
      (statement) => `is marked contract and adds what its release needs before: "${statement.slice(0, 60)}"`,
    );
};

const problemsOfFile = (
  { folder, file, text }: MigrationFile,
  { files, unmarked, releases }: LintSubject,
): readonly string[] => {
  const current = releases.at(-1);
  const known = unmarked[`${folder}/${file}`];
  let migration: Migration;
  try {
    migration = migrationOf('', file, text);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  if (known !== undefined)
    return known === migration.checksum
      ? []
      : ['was changed; a migration stays as it is, and a new one corrects it'];
  if (migration.mark === undefined)
    return [
      `has no mark: its first line is "-- expand, release ${current}" or "-- contract, release ${current}"`,
    ];
  if (!releases.includes(migration.mark.release))
    return [`names the release ${migration.mark.release}, which is not known`];
  const { release } = migration.mark;
  const ofRelease = files.filter((one) => one.folder === folder && markOf(one.text)?.release === release);
  const columns = new Set(ofRelease.flatMap((one) => addedColumns(statementsOf(one.text))));
  return problemsOfPhase(migration, columns);
};

/** Numbers that two files of a folder have, and releases that go back. */
const problemsOfOrder = (files: readonly MigrationFile[], releases: readonly string[]): readonly string[] => {
  const sorted = [...files].sort((a, b) => (a.file < b.file ? -1 : 1));
  return sorted.flatMap(({ folder, file, text }, index) => {
    const before = sorted[index - 1];
    if (before === undefined) return [];
    if (before.file.slice(0, 4) === file.slice(0, 4))
      return [`${folder}/${file} has the number of ${before.file}`];
    const place = (mark: string): number => releases.indexOf(markOf(mark)?.release ?? releases[0] ?? '');
    return place(text) < place(before.text)
      ? [`${folder}/${file} names an older release than ${before.file}`]
      : [];
  });
};

/** The faults of migrations, a sentence each; empty when there are none. */
export const lintMigrations = (subject: LintSubject): readonly string[] => {
  const { files, unmarked, releases } = subject;
  const folders = [...new Set(files.map(({ folder }) => folder))];
  const present = new Set(files.map(({ folder, file }) => `${folder}/${file}`));
  return [
    ...Object.keys(unmarked)
      .filter((name) => !present.has(name))
      .map((name) => `${name} is gone; databases have it`),
    ...files.flatMap((file) =>
      problemsOfFile(file, subject).map((problem) => `${file.folder}/${file.file} ${problem}`),
    ),
    ...folders.flatMap((name) =>
      problemsOfOrder(
        files.filter(({ folder }) => folder === name),
        releases,
      ),
    ),
  ];
};
