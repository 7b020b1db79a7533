// Gives a service a role and a schema of its own, and a second schema in which it makes read models anew. The role may
// connect and own these two, and nothing else.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from './database.js';

export interface ServiceAccount {
  readonly role: string;
  readonly schema: string;
  /** Printable ASCII. */
  readonly password: string;
}

/** Name of the schema in which a service makes its read models anew, beside those that are being read. */
export const shadowSchemaOf = (schema: string): string => `${schema}_shadow`;

const iterations = 4_096;

/** The verifier that Postgres stores; sending it keeps the password out of the statement and of the server's log. */
const scramVerifier = (password: string): string => {
  if (!/^[\x20-\x7e]{8,}$/.test(password))
    throw new Error('a database password has 8 or more printable characters');
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
};

/** Creates or updates the role and its schemas; `admin` is connected to the platform's database as an administrator. */
export const provisionService = (
  admin: Database,
  { role, schema, password }: ServiceAccount,
): Promise<void> =>
  admin.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('parlance:provision', 0))`);
    const database = await tx.query<{ name: string }>('select current_database() as name');
    const existing = await tx.query('select 1 from pg_roles where rolname = $1', [role]);
    const roleName = pg.escapeIdentifier(role);
    const schemaName = pg.escapeIdentifier(schema);
    const databaseName = pg.escapeIdentifier(database.rows[0]?.name ?? '');
    const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
    const verifier = pg.escapeLiteral(scramVerifier(password));
    const statements = [
      `${existing.rowCount === 0 ? 'create' : 'alter'} role ${roleName} with ${attributes} password ${verifier}`,
      `revoke all on database ${databaseName} from public`,
      'revoke all on schema public from public',
      `grant connect on database ${databaseName} to ${roleName}`,
      ...[schema, shadowSchemaOf(schema)]
        .map(pg.escapeIdentifier)
        .flatMap((name) => [
          `create schema if not exists ${name} authorization ${roleName}`,
          `alter schema ${name} owner to ${roleName}`,
          `revoke all on schema ${name} from public`,
        ]),
      `alter role ${roleName} in database ${databaseName} set search_path = ${schemaName}`,
    ];
    for (const statement of statements) await tx.query(statement);
  });
