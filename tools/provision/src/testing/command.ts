// Runs commands of the image as a container runs them, and reads their traces in a database.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Secret } from '@parlance/config';
import { createDatabase } from '@parlance/postgres';

/** The checkout, with a slash at the end. */
export const root = new URL('../../../../', import.meta.url);

/** The exit of a command, and all of its output. */
export interface Ended {
  readonly code: number | string | null | undefined;
  readonly output: string;
}
/** Runs a command of the image to its end, as a container does, with these variables and no others. */
export const imageCommand = (
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
    const command = ['deploy/image/entrypoint.sh', ...args];
    execFile('sh', command, { cwd: fileURLToPath(root), env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });

/** Names of the tables in the role's own schema. */
export const tablesOf = async (url: Secret): Promise<readonly string[]> => {
  const db = createDatabase({ url, applicationName: 'test', max: 1 });
  try {
    const { rows } = await db.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await db.end();
  }
};
