// files/services.json of the chart: the registry with its defaults, and what the schemas of the processes and the contract say
// about each of them.

import { graceSecondsOf, type Process, portsOf, variablesOf } from '@parlance/compose';
import { administrator, passwordVariableOf } from '@parlance/messaging';
import { destinations, type Registry, usesNats } from '@parlance/registry';
import stringify from 'json-stringify-pretty-compact';
import { type Entry, engineVariables, environmentOf } from './chart/environment.js';

/**
 * A rollout lets a new replica serve for this time before it replaces the next one, because code that runs for the first time
 * takes several times as much CPU as later.
 */
export const minReadySeconds = 10;

/** What the init container `wait` needs. */
const isForWait = ({ name }: Entry): boolean => name === 'POSTGRES_URL' || name === 'NATS_URL';

const keysOf = (entries: readonly Entry[], isWanted: (optional: boolean) => boolean): readonly string[] =>
  entries.flatMap((entry) => {
    if ('secret' in entry) return isWanted(entry.optional === true) ? [entry.secret] : [];
    // the event store has no users unless the values of the chart name one
    return 'key' in entry && isWanted(entry.user === undefined) ? [entry.key] : [];
  });

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** The data that the templates of the chart range over. @throws Error when a row has no process */
export const chartData = ({ processes: rows, runtimes, jobs }: Registry, processes: readonly Process[]) => {
  const processOf = (name: string): Process => {
    const process = processes.find((one) => one.name === name);
    if (process === undefined) throw new Error(`no package exports the environment of ${name}`);
    return process;
  };
  const ports = portsOf(rows);
  const sourcedRows = rows.map((row) => ({ row, ...environmentOf(processOf(row.name), row, ports) }));
  const sourcedJobs = jobs.map((row) => ({
    row,
    ...environmentOf(processOf(row.name), { name: row.name }, ports),
  }));
  const sourcedRuntimes = runtimes.map((row) => ({
    row,
    ...environmentOf(processOf(row.name), { name: row.name }, ports),
  }));
  const all = [...sourcedRows, ...sourcedJobs];
  const entries = all.flatMap((one) => one.entries);
  const required = unique(
    all.flatMap(({ configured }) => configured.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))),
  );
  const addresses = unique(entries.flatMap((entry) => ('address' in entry ? [entry.address] : [])));
  return {
    destinations,
    natsPasswords: [administrator, ...rows.filter(usesNats).map(({ name }) => name)].map(passwordVariableOf),
    requiredSettings: required.filter((name) => !engineVariables.includes(name)),
    requiredEngines: [...addresses, ...required.filter((name) => engineVariables.includes(name))],
    requiredSecrets: unique(keysOf(entries, (optional) => !optional)),
    secrets: unique([
      ...keysOf(entries, () => true),
      ...processes.flatMap(({ env }) =>
        variablesOf(env).flatMap(({ name, secret }) => (secret === true ? [name] : [])),
      ),
    ]).toSorted(),
    processes: sourcedRows.map(({ row: { folder: _, package: __, ...row }, entries: env }) => ({
      ...row,
      minReadySeconds,
      gracePeriodSeconds: row.preStopSeconds + graceSecondsOf(processOf(row.name)),
      waitEnv: env.filter(isForWait),
      env,
    })),
    runtimes: sourcedRuntimes.map(({ row, entries: env }) => ({ ...row, env })),
    jobs: sourcedJobs.map(({ row, entries: env }) => ({ ...row, env })),
  };
};
export type ChartData = ReturnType<typeof chartData>;

/** `2` and `250m` in thousandths of a processor. */
export const millicores = (cpu: string): number =>
  cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1_000;

/** Most entries of an environment take one line, so that a change of one is a change of one line. */
export const servicesText = (data: ChartData): string => `${stringify(data, { maxLength: 200 })}\n`;
