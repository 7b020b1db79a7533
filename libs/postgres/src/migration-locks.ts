// Locks of migrations. One process at a time migrates a schema, and it contracts only without processes of older
// releases.
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './database.js';
import type { Tx } from './tx.js';

const pollMs = 50;

const keyOf = (name: string): string => `hashtextextended(current_schema() || ':${name}', 0)`;

/** Name of the lock that every process of a release shares while it runs. */
export const releaseLock = (place: number): string => `release:${place}`;

const tryLock = async (connection: Connection, name: string): Promise<boolean> => {
  const { rows } = await connection.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${keyOf(name)}) as taken`,
  );
  return rows[0]?.taken === true;
};

interface Holder {
  readonly schema: string;
  readonly pid: number | null;
  readonly process: string | null;
}

const holderOf = async (connection: Connection): Promise<Holder | undefined> => {
  const { rows } = await connection.query<Holder>(
    `select current_schema() as schema, a.pid, a.application_name as process
     from (select 1) one left join (pg_locks l join pg_stat_activity a using (pid))
       on l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = ${keyOf('migrating')}`,
  );
  return rows[0];
};

/**
 * Takes the lock under which one process migrates; it ends with the connection. The lock is polled for: a process that
 * waits inside a statement would hold up an index that is built concurrently.
 * @throws Error that names the process that has the lock after `patienceMs`
 */
export const takeTurn = async (connection: Connection, patienceMs: number): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  while (!(await tryLock(connection, 'migrating'))) {
    if (performance.now() > deadline) {
      const holder = await holderOf(connection);
      throw new Error(
        `another process migrates the schema ${holder?.schema}: "${holder?.process}". Wait until it has ended, ` +
          `or end it with: select pg_terminate_backend(${holder?.pid})`,
      );
    }
    await delay(pollMs);
  }
};

/** The lock of releases before the marks, which they take for each migration. */
export const lockForOldReleases = async (tx: Tx): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(${keyOf('migrate')})`);
};

/**
 * Keeps processes of the releases before `place` out, until the connection ends.
 * @returns the release of a process that runs, by its place, in which case nothing was kept out
 */
export const keepOlderOut = async (connection: Connection, place: number): Promise<number | undefined> => {
  for (let older = 0; older < place; older += 1)
    if (!(await tryLock(connection, releaseLock(older)))) return older;
  return undefined;
};
