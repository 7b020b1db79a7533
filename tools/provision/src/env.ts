// Variables of the image's own commands.
import {
  acceptKeysEnv,
  baseEnv,
  derivedDatabasePassword,
  derivedPassword,
  natsEnv,
  opsEnv,
  secret,
} from '@parlance/config';
import { platformProcesses } from '@parlance/contracts/services';
import { z } from 'zod';

// Postgres takes passwords in URLs, so a good one has no characters that URLs give a meaning.
const rolePassword = (owner: string) =>
  secret(16)
    .meta({ make: 'openssl rand -hex 24', derive: derivedPassword() })
    .describe(`Password of the role ${owner} on Postgres; letters and digits.`);

/** Such as `CALLS_LOGS_DATABASE_PASSWORD`. */
export const passwordVariableOf = <R extends string>(role: R): `${Uppercase<R>}_DATABASE_PASSWORD` =>
  `${role.toUpperCase() as Uppercase<R>}_DATABASE_PASSWORD`;

/** The variable with the password of each role. */
export const rolePasswords = <R extends string>(roles: readonly R[]) => {
  const fields = roles.map((role) => [passwordVariableOf(role), rolePassword(role)]);
  // fromEntries forgets the names
  return Object.fromEntries(fields) as Record<
    `${Uppercase<R>}_DATABASE_PASSWORD`,
    ReturnType<typeof rolePassword>
  >;
};

const provisionVariables = z.object({
  ...baseEnv,
  ...acceptKeysEnv,
  NATS_URL: natsEnv.NATS_URL,
  EVENT_STREAM_REPLICAS: z
    .enum(['1', '3', '5'])
    .default('1')
    .transform(Number)
    .describe('Copies of the event stream, 1, 3 or 5; not more than there are NATS servers.'),
  POSTGRES_ADMIN_URL: secret()
    .meta({ derive: derivedDatabasePassword })
    .describe("An administrator of the platform's database: postgres://postgres:password@host:5432/parlance"),
  ...rolePasswords(platformProcesses.map(({ role }) => role)),
});

/** `provision`: one password per service, because each has a role and a schema of its own. */
export const ProvisionEnv = provisionVariables.meta({ process: 'provision' });
export type ProvisionEnv = z.output<typeof ProvisionEnv>;

/** `wait`: the variables of the process that comes next; the MCP facade has no NATS. */
export const WaitEnv = z.object({
  POSTGRES_URL: secret()
    .meta({ derive: derivedDatabasePassword })
    .describe('Role of the process that waits.'),
  NATS_URL: natsEnv.NATS_URL.optional().describe('Where the process that waits finds NATS.'),
});

/** `migrate all`: the Postgres variables of `provision`. */
export const MigrateAllEnv = ProvisionEnv.omit({ NATS_URL: true, EVENT_STREAM_REPLICAS: true });
export type MigrateAllEnv = z.output<typeof MigrateAllEnv>;

/** `migrate <process>`: the environment of the process has it. */
export const MigrateEnv = z.object({ POSTGRES_URL: WaitEnv.shape.POSTGRES_URL });

/** `health`: the environment of the process that is asked has it. */
export const HealthEnv = z.object({ OPS_PORT: opsEnv.OPS_PORT });
