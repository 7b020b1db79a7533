// The statements that Postgres ran, from pg_stat_statements: counts and blocks do not depend on the load of the machine.
import pg from 'pg';

export interface StatementUse {
  readonly calls: number;
  /** Blocks read from the cache or from disk. */
  readonly blocks: number;
}

/** By the text of a statement, in which constants are placeholders. */
export type StatementUses = ReadonlyMap<string, StatementUse>;

const withClient = async <T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

/** Takes effect when Postgres starts again. @throws Error when this Postgres comes without the module */
export const enableStatementCounts = (adminUrl: string): Promise<void> =>
  withClient(adminUrl, async (db) => {
    const { rowCount } = await db.query(
      `select from pg_available_extensions where name = 'pg_stat_statements'`,
    );
    if (rowCount === 0)
      throw new Error('Postgres has no pg_stat_statements: install its contrib modules (postgresql-contrib)');
    await db.query('create extension if not exists pg_stat_statements');
    await db.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    // With fewer, Postgres forgets the rarest statements when the queries of nine services come together.
    await db.query('alter system set pg_stat_statements.max = 10000');
  });

export const resetStatementCounts = (adminUrl: string): Promise<void> =>
  withClient(adminUrl, async (db) => {
    await db.query('select pg_stat_statements_reset()');
  });

export const readStatementUses = (adminUrl: string): Promise<StatementUses> =>
  withClient(adminUrl, async (db) => {
    const { rows } = await db.query<{ query: string; calls: string; blocks: string }>(
      `select query, sum(calls) as calls, sum(shared_blks_hit + shared_blks_read) as blocks
       from pg_stat_statements where query not like '%pg_stat_statements%' group by query`,
    );
    return new Map(
      rows.map(({ query, calls, blocks }) => [query, { calls: Number(calls), blocks: Number(blocks) }]),
    );
  });
