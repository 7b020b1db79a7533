// `quotas`: what one organization may store. `npm run ops -- quotas` is about every service that stores something; in the container of
// a service, `quotas` is about that one.
import { baseEnv, type EnvSource, loadEnv, postgresEnv } from '@parlance/config';
import type { ServiceName } from '@parlance/contracts';
import {
  type Quota,
  type QuotaName,
  type QuotasOfService,
  quotasSet,
  setQuota,
} from '@parlance/object-storage';
import { createDatabase, type Database } from '@parlance/postgres';
import { z } from 'zod';
import { type CommandHost, type OperatorCommand, runCommand } from './command.js';
import { UsageError } from './failures.js';
import { isOfService } from './service-of-url.js';
import { text, type Values } from './values.js';

export interface ServiceWithQuotas extends QuotasOfService {
  readonly service: ServiceName;
}

const help = `quotas <organization id> [options]

Sets what one organization may store, and prints all of its quotas with what is used of them. What is stored stays; nothing is added
until there is room. The id is in the log lines of the organization's requests (organizationId).

  --knowledge <MiB>       documents of knowledge sources
  --chunks <n>            pieces of text made of documents and pages
  --campaign-files <MiB>  files of campaigns
  --recordings <MiB>      recordings; calls beyond it are not recorded
  --data-dir <path>       data folder of npm start (default: .parlance)
  --help                  show this help

Each takes 0 for nothing at all, and default for the quota of the environment (QUOTA_KNOWLEDGE_MB and so on). Without options it only
prints. What an organization may spend is set with limits.
`;

const mebibyte = 1_048_576;
const mostDigits = 9;

/** The form of organization ids in all commands of the platform. */
const organizationIds = /^[A-Za-z0-9_-]{1,64}$/;

/** @returns null for the quota of every organization. @throws UsageError */
const givenOf = (values: Values, { option, name }: Quota): number | null | undefined => {
  const given = text(values, option);
  if (given === undefined) return undefined;
  if (given === 'default') return null;
  if (!/^\d+$/.test(given) || given.length > mostDigits)
    throw new UsageError(
      `--${option} takes a whole number of at most ${mostDigits} digits, or default, not "${given}".`,
    );
  return Number(given) * (name === 'bytes' ? mebibyte : 1);
};

const shown = (name: QuotaName, value: number): string =>
  name === 'chunks' ? String(value) : `${Number((value / mebibyte).toFixed(1))} MiB`;

const lineOf = async (
  db: Database,
  organizationId: string,
  quota: Quota,
  variables: EnvSource,
): Promise<string> => {
  const set = (await quotasSet(db, organizationId)).get(quota.name);
  const used = await quota.used(db, organizationId);
  const most = shown(quota.name, set ?? quota.usualOf(variables));
  const source = set === undefined ? 'as for everybody' : 'set for this organization';
  return `  ${quota.label.padEnd(18)}${`${shown(quota.name, used)} of ${most}`.padEnd(28)} ${source}\n`;
};

const withDatabase = async <T>(
  service: string,
  variables: EnvSource,
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const env = loadEnv(z.object({ ...baseEnv, ...postgresEnv }).meta({ process: service }), variables);
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: `${service}-quotas`, max: 1 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

const idOf = ([organizationId, ...more]: readonly string[]): string => {
  if (organizationId === undefined)
    throw new UsageError('Which organization? Give its id, such as npm run ops -- quotas <organization id>.');
  if (!organizationIds.test(organizationId) || more.length > 0)
    throw new UsageError(`"${[organizationId, ...more].join(' ')}" is not the id of one organization.`);
  return organizationId;
};

/** Those of all services, so that each can name where an option belongs. */
const options = ['knowledge', 'chunks', 'campaign-files', 'recordings'];

/** @param services all of them, or the one whose container this is */
export const quotasCommand = (services: readonly ServiceWithQuotas[]): OperatorCommand => ({
  summary: 'show or set what an organization may store',
  help,
  options: Object.fromEntries(options.map((name) => [name, { type: 'string' }])),
  run: async ({ positionals, values, place }) => {
    const organizationId = idOf(positionals);
    const variablesOf = ({ service }: ServiceWithQuotas) => place.variablesOf({ service });
    const chosen =
      services.length === 1 ? services : services.filter((one) => isOfService(one.service, variablesOf(one)));
    if (chosen.length === 0) throw new UsageError('POSTGRES_URL is of no service that stores something.');
    const known = new Set(chosen.flatMap(({ quotas }) => quotas.map(({ option }) => option)));
    for (const option of Object.keys(values))
      if (options.includes(option) && !known.has(option))
        throw new UsageError(`--${option} is a quota of another service than the one of POSTGRES_URL.`);
    // All are read before the first is set, so that a mistake changes nothing.
    const changes = chosen.map((one) =>
      one.quotas.map((quota) => ({ quota, given: givenOf(values, quota) })),
    );
    place.output.write(`Quotas of organization ${organizationId}\n`);
    for (const [index, one] of chosen.entries())
      await withDatabase(one.service, variablesOf(one), async (db) => {
        for (const { quota, given } of changes[index] ?? []) {
          if (given !== undefined)
            await setQuota(db, { organizationId, name: quota.name, most: given ?? undefined }, new Date());
          place.output.write(await lineOf(db, organizationId, quota, variablesOf(one)));
        }
      });
    return true;
  },
});

/** @returns the exit status, or undefined where `quotas` is not what the process was started for */
export const runQuotasCommand = async (
  service: ServiceWithQuotas,
  {
    variables,
    args: [name, ...args],
    ...host
  }: Omit<CommandHost, 'services' | 'find'> & { readonly variables: EnvSource },
): Promise<number | undefined> => {
  if (name !== 'quotas') return undefined;
  const installation = { variablesOf: () => variables, logs: [] };
  return runCommand(quotasCommand([service]), { ...host, args, services: [], find: () => installation });
};
