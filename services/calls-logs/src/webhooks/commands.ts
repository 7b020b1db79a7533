// `node dist/main.js webhooks ...`: the commands of an operator about webhooks. There is no public operation for it.
import { baseEnv, type EnvSource, loadEnv, postgresEnv, webhookEnv } from '@parlance/config';
import { createDatabase, type Database } from '@parlance/postgres';
import { signingSecretOf } from '@parlance/webhooks';
import { z } from 'zod';
import { deadWebhooks, replayWebhooks } from './dead-letters.js';

export interface WebhookCommandHost {
  readonly args: readonly string[];
  readonly variables: EnvSource;
  readonly output: { write(text: string): unknown };
  readonly errors: { write(text: string): unknown };
}

const DatabaseEnv = z.object({ ...baseEnv, ...postgresEnv });
const SigningEnv = z.object(webhookEnv);

const help = `webhooks dead [organization]          lists the webhooks that were given up, one JSON object a line
webhooks replay all | <webhook-id> ...  sends them again
webhooks secret <organization>        prints what the organization's receivers verify signatures with
`;

const withDatabase = async <T>(variables: EnvSource, work: (db: Database) => Promise<T>): Promise<T> => {
  const env = loadEnv(DatabaseEnv, variables);
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'calls-logs-webhooks', max: 1 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

const dead = (
  { variables, output }: WebhookCommandHost,
  organizationId: string | undefined,
): Promise<number> =>
  withDatabase(variables, async (db) => {
    for (const webhook of await deadWebhooks(db, { organizationId }))
      output.write(`${JSON.stringify(webhook)}\n`);
    return 0;
  });

const replay = ({ variables, output }: WebhookCommandHost, ids: readonly string[]): Promise<number> =>
  withDatabase(variables, async (db) => {
    const which = ids[0] === 'all' ? {} : { ids };
    output.write(`${await replayWebhooks(db, { ...which, now: new Date() })} webhooks are sent again\n`);
    return 0;
  });

const secret = ({ variables, output }: WebhookCommandHost, organizationId: string): number => {
  const env = loadEnv(SigningEnv, variables);
  output.write(`${signingSecretOf(env.WEBHOOK_SIGNING_KEY, organizationId)}\n`);
  return 0;
};

const isUuid = (text: string): boolean => z.guid().safeParse(text).success;

/** Runs the command if it is one about webhooks. @returns the exit status; undefined for any other command */
export const runWebhookCommand = async (host: WebhookCommandHost): Promise<number | undefined> => {
  const [topic, command, ...rest] = host.args;
  if (topic !== 'webhooks') return undefined;
  const [first] = rest;
  if (command === 'dead' && rest.length <= 1) return dead(host, first);
  if (command === 'replay' && first !== undefined && (first === 'all' || rest.every(isUuid)))
    return replay(host, rest);
  if (command === 'secret' && first !== undefined) return secret(host, first);
  host.errors.write(help);
  return 2;
};
