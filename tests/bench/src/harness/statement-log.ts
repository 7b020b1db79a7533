// The statements that PostgreSQL runs, from its log: that needs no extension and shows every session, transactions included.
import { readFileSync, statSync } from 'node:fs';
import pg from 'pg';

export interface CountedStatement {
  /** The name under which the session connected, such as `calls-logs`. */
  readonly application: string;
  readonly text: string;
  readonly count: number;
}

const marker = 'bench';
const settings = { log_statement: "'all'", log_line_prefix: `'${marker} %a|'` };
const shownLength = 100;

const asAdministrator = async (adminUrl: string, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl, application_name: marker });
  await client.connect();
  try {
    // One by one: ALTER SYSTEM runs in no transaction, which several statements of one query would be.
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const logged = new RegExp(`^${marker} (.*?)\\|LOG: {2}(?:statement|execute [^:]*): ([^]*)$`);

/** Counts the statements of a log, of which each line begins with the application. */
const statementsIn = (log: string): readonly CountedStatement[] => {
  const counts = new Map<string, CountedStatement>();
  // The server indents the further lines of a statement.
  for (const entry of log.replaceAll('\n\t', ' ').split('\n')) {
    const [, application, statement] = logged.exec(entry) ?? [];
    if (application === undefined || statement === undefined || application === marker) continue;
    const text = statement.replaceAll(/\s+/g, ' ').trim().slice(0, shownLength);
    const key = `${application} ${text}`;
    counts.set(key, { application, text, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
};

/** Runs the work and counts the statements of everybody meanwhile. */
export const countStatements = async <T>(
  adminUrl: string,
  logFile: string,
  work: () => Promise<T>,
): Promise<{ readonly statements: readonly CountedStatement[]; readonly result: T }> => {
  const names = Object.entries(settings);
  await asAdministrator(adminUrl, [
    ...names.map(([name, value]) => `alter system set ${name} = ${value}`),
    'select pg_reload_conf()',
  ]);
  const from = statSync(logFile).size;
  const result = await work();
  const log = readFileSync(logFile).subarray(from).toString();
  await asAdministrator(adminUrl, [
    ...names.map(([name]) => `alter system reset ${name}`),
    'select pg_reload_conf()',
  ]);
  return { statements: statementsIn(log), result };
};

/** Open connections by application. */
export const connectionsOf = async (adminUrl: string): Promise<readonly (readonly [string, number])[]> => {
  const client = new pg.Client({ connectionString: adminUrl, application_name: marker });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; count: number }>(
      `select application_name as name, count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and application_name <> $1 group by 1 order by 2 desc, 1`,
      [marker],
    );
    return rows.map(({ name, count }) => [name, count] as const);
  } finally {
    await client.end();
  }
};
