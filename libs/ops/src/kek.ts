// `kek`: the key-encryption keys that a service's values are sealed with, and their rotation. `npm run ops -- kek` is about every
// service; in the container of a service, `kek` is about that one.
import { randomBytes } from 'node:crypto';
import {
  baseEnv,
  checkedKekId,
  cryptoEnv,
  type EnvSource,
  fingerprintsOf,
  keyRefusals,
  loadEnv,
  postgresEnv,
  sealingKekId,
} from '@parlance/config';
import type { ServiceName } from '@parlance/contracts';
import {
  countByKek,
  keyManagementOf,
  keyringOf,
  type RotationOptions,
  rewrapAll,
  type SealedColumn,
  type Unopened,
  unwrapKeks,
  verifyAll,
  wrapKek,
} from '@parlance/crypto';
import { createDatabase, type Database, storedFingerprints } from '@parlance/postgres';
import { z } from 'zod';
import { type CommandHost, type Given, type OperatorCommand, runCommand } from './command.js';
import { UsageError } from './failures.js';
import { isOfService } from './service-of-url.js';
import { type Output, progressBar } from './terminal.js';
import { text } from './values.js';

/** A service with a KEK, and its columns with sealed values. */
export interface SealingService {
  readonly service: ServiceName;
  readonly sealedColumns: readonly SealedColumn[];
}

const help = `kek [status | rewrap | verify | new | wrap] [options]

Rotates the key-encryption key (KEK) while the services run.

  status             which keys the stored values are sealed with, and which key is not needed any more
  rewrap             seal everything with the key that KEK and KEK_ID name; can be stopped and repeated
  verify             open every stored value, and change nothing
  new                make a key with a check value in its name
  wrap               wrap KEK with the key management service of KMS_URL, and print the value that replaces it

  --name <name>      first part of the name of the new key (default: kek and today's date)
  --partial          rewrap what opens, although a key is missing for the rest
  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

1. kek new, and give every replica the new key as KEK_OTHERS=<id>:<key>. 2. Swap: the new key as KEK and KEK_ID, the old one as
KEK_OTHERS=<id>:<key>. 3. kek rewrap. 4. Take KEK_OTHERS away once kek status says that nothing needs it. Keep the old key with the
backups that were made before: they open with it alone.
`;

const envOf = (service: string) =>
  z.object({ ...baseEnv, ...postgresEnv, ...cryptoEnv }).meta({ process: service });

interface Opened extends Pick<RotationOptions, 'db' | 'keyring' | 'columns'> {
  readonly db: Database;
  readonly keyring: ReturnType<typeof keyringOf>;
  /** Names of the keys that open and do not seal. */
  readonly others: readonly string[];
}

/**
 * Refuses a key that is another one than the service has under its name, and a key that the service does not seal with yet: values
 * would still be sealed with the old one behind the rotation.
 */
const refuseOtherKeys = async (db: Database, service: string, env: object): Promise<void> => {
  const stored = await storedFingerprints(db);
  const own = fingerprintsOf(env).filter(({ variable }) => variable === 'KEK');
  const wrong = own.filter(
    ({ name, fingerprint }) => name !== 'KEK' && stored.has(name) && stored.get(name) !== fingerprint,
  );
  if (wrong.length > 0) throw new Error(`${service}: ${keyRefusals(wrong)}`);
  const sealing = own.find(({ name }) => name === 'KEK');
  if (sealing === undefined || !stored.has('KEK') || stored.get('KEK') === sealing.fingerprint) return;
  const theirs = sealingKekId(stored) ?? 'another key';
  throw new Error(
    `${service} seals with ${theirs} and not with the KEK given here: start its replicas with this KEK and KEK_ID first, and with ${theirs} in KEK_OTHERS`,
  );
};

const withService = async <T>(
  { service, sealedColumns }: SealingService,
  variables: EnvSource,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const env = await unwrapKeks(loadEnv(envOf(service), variables));
  const keyring = keyringOf(env);
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: `${service}-kek`, max: 1 });
  try {
    await refuseOtherKeys(db, service, env);
    return await work({
      db,
      keyring,
      columns: sealedColumns,
      others: [...(env.KEK_OTHERS?.keys() ?? [])],
    });
  } finally {
    await db.end();
  }
};

type Counts = ReadonlyMap<string, number>;

/** Names of the keys that values are sealed with and that are not given. */
const missingOf = ({ keyring, others }: Opened, counts: Counts): readonly string[] =>
  [...counts.keys()].filter((id) => id !== keyring.activeId && !others.includes(id));

const counted = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`;

const report = (output: Output, service: string, opened: Opened, counts: Counts): boolean => {
  const { others } = opened;
  const { activeId } = opened.keyring;
  const idle = others.filter((id) => !counts.has(id));
  const missing = missingOf(opened, counts);
  const left = others.filter((id) => counts.has(id));
  output.write(`${service}\n`);
  output.write(`  ${activeId}: ${counted(counts.get(activeId) ?? 0)}, seals\n`);
  for (const id of left) output.write(`  ${id}: ${counted(counts.get(id) ?? 0)}, still needed: kek rewrap\n`);
  for (const id of missing)
    output.write(`  ${id}: ${counted(counts.get(id) ?? 0)}, and the key is not here: add it to KEK_OTHERS\n`);
  for (const id of idle) output.write(`  ${id}: nothing stored by ${service} needs it\n`);
  return missing.length === 0;
};

const sum = (counts: Counts): number => [...counts.values()].reduce((total, count) => total + count, 0);

const reportUnopened = (output: Output, unopened: readonly Unopened[]): void => {
  const shown = unopened.slice(0, 20);
  for (const { table, column, row, kekId } of shown)
    output.write(`  ${table}.${column} of ${row.join(', ')} does not open with the key ${kekId}\n`);
  if (unopened.length > shown.length) output.write(`  and ${unopened.length - shown.length} more\n`);
};

const rewrapService = async (
  service: SealingService,
  opened: Opened,
  { place: { output, errors, signal }, values }: Given,
): Promise<boolean> => {
  const stop = signal === undefined ? {} : { signal };
  const before = await countByKek({ ...opened, ...stop });
  const missing = missingOf(opened, before);
  if (missing.length > 0 && values.partial !== true)
    throw new Error(
      `${service.service} has values that take ${missing.join(', ')}: add the key to KEK_OTHERS. Nothing was changed. For a key that is lost, --partial rewraps the rest`,
    );
  const total = sum(before);
  const bar = progressBar(errors);
  try {
    const { rewrapped, unopened } = await rewrapAll({
      ...opened,
      ...stop,
      onProgress: (rows) => bar.show(rows / Math.max(1, total), `${service.service}: ${counted(rows)}`),
    });
    bar.end();
    const counts = await countByKek({ ...opened, ...stop });
    const isWhole = report(output, service.service, opened, counts);
    output.write(`  ${counted(rewrapped)} now under ${opened.keyring.activeId}\n`);
    reportUnopened(output, unopened);
    return isWhole && unopened.length === 0;
  } finally {
    bar.end();
  }
};

const statusOfService = async (
  { service }: SealingService,
  opened: Opened,
  { place: { output, signal } }: Given,
): Promise<boolean> =>
  report(
    output,
    service,
    opened,
    await countByKek({ ...opened, ...(signal === undefined ? {} : { signal }) }),
  );

const verifyService = async (
  { service }: SealingService,
  opened: Opened,
  { place: { output, signal } }: Given,
): Promise<boolean> => {
  const { values, unopened } = await verifyAll({ ...opened, ...(signal === undefined ? {} : { signal }) });
  output.write(`${service}: ${counted(values - unopened.length)} of ${values.toLocaleString('en')} open\n`);
  reportUnopened(output, unopened);
  return unopened.length === 0;
};

const newKey = ({ values, place: { output } }: Given): void => {
  const name = text(values, 'name') ?? `kek-${new Date().toISOString().slice(0, 10)}`;
  const key = randomBytes(32).toString('base64');
  const id = checkedKekId(name, key);
  if (!cryptoEnv.KEK_ID.safeParse(id).success)
    throw new UsageError(`--name takes letters, digits, _ and -, at most 51, not "${name}".`);
  output.write(`KEK_ID=${id}\nKEK=${key}\n`);
};

const wrapKey = async (variables: EnvSource, output: Output): Promise<void> => {
  const env = loadEnv(z.object(cryptoEnv), variables);
  output.write(`KEK_ID=${env.KEK_ID}\nKEK=${await wrapKek(keyManagementOf(env), env.KEK_ID, env.KEK)}\n`);
};

const actions = { status: statusOfService, rewrap: rewrapService, verify: verifyService } as const;
const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

/** @param services all of them, or the one whose container this is */
export const kekCommand = (services: readonly SealingService[]): OperatorCommand => ({
  summary: 'rotate the key-encryption key while everything runs',
  help,
  options: { name: { type: 'string' }, partial: { type: 'boolean' } },
  run: async (given) => {
    const { positionals, place } = given;
    const [action = 'status'] = positionals;
    if (action === 'new') {
      newKey(given);
      return true;
    }
    const variablesOf = ({ service }: SealingService) => place.variablesOf({ service });
    if (action === 'wrap') {
      const [first] = services;
      await wrapKey(first === undefined ? {} : variablesOf(first), place.output);
      return true;
    }
    if (!isAction(action)) throw new UsageError(`There is no "kek ${action}".`);
    const chosen =
      services.length === 1 ? services : services.filter((one) => isOfService(one.service, variablesOf(one)));
    if (chosen.length === 0) throw new UsageError('POSTGRES_URL is of no service with a KEK.');
    let isWell = true;
    for (const service of chosen)
      isWell =
        (await withService(service, variablesOf(service), (opened) =>
          actions[action](service, opened, given),
        )) && isWell;
    return isWell;
  },
});

/** @returns the exit status, or undefined where `kek` is not what the process was started for */
export const runKekCommand = async (
  service: SealingService,
  {
    variables,
    args: [name, ...args],
    ...host
  }: Omit<CommandHost, 'services' | 'find'> & { readonly variables: EnvSource },
): Promise<number | undefined> => {
  if (name !== 'kek') return undefined;
  const installation = { variablesOf: () => variables, logs: [] };
  return runCommand(kekCommand([service]), { ...host, args, services: [], find: () => installation });
};
