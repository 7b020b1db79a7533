// Processes get the variables that their schemas read: secrets from the Secret and each process its own alone, all others from
// the two ConfigMaps.
import { ComposeEnv, type Process, variablesOf } from '@parlance/compose';
import type { Destination, Registry } from '@parlance/registry';
import type { IConfigMap, IContainer } from 'kubernetes-models/v1';
import { destinationOf, passedOn } from '../chart/environment.js';
import type { Manifest } from '../chart/manifest.js';
import { podsOf } from './pods.js';

/** Variables that others are made from; no process reads them. */
const ingredients: ReadonlySet<string> = new Set([
  ...Object.keys(ComposeEnv.shape),
  'POSTGRES_PASSWORD',
  'EVENTSTORE_PASSWORD',
  'POSTGRES_ADDRESS',
  'NATS_ADDRESS',
  'MONGODB_ADDRESS',
  'EVENTSTORE_ADDRESS',
]);

const readBy = ({ env }: Process) => variablesOf(env).filter(({ testOnly }) => testOnly !== true);

const configMaps = (manifests: readonly Manifest[]): readonly IConfigMap[] =>
  manifests.flatMap((manifest) => (manifest.kind === 'ConfigMap' ? [manifest] : []));

const problemsOf = (
  process: Process,
  container: IContainer,
  maps: readonly IConfigMap[],
): readonly string[] => {
  const known = readBy(process);
  const env = container.env ?? [];
  const sources = (container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const configured = new Set(
    maps
      .filter(({ metadata }) => sources.includes(metadata?.name))
      .flatMap(({ data }) => Object.keys(data ?? {})),
  );
  return [
    ...known
      .filter(
        ({ name, isRequired }) =>
          isRequired && !configured.has(name) && !env.some((one) => one.name === name),
      )
      .map(({ name }) => `is not given ${name}`),
    ...env
      .filter(({ name }) => !ingredients.has(name) && !known.some((variable) => variable.name === name))
      .map(({ name }) => `is given ${name}, which it does not read`),
    ...known.flatMap(({ name, secret, isRequired }) => {
      const source = env.find((variable) => variable.name === name);
      const reference = source?.valueFrom?.secretKeyRef;
      if (secret !== true) return [];
      return [
        ...(reference === undefined && source?.value === undefined ? [`is not given ${name}`] : []),
        ...(source?.value !== undefined && !source.value.includes('$(')
          ? [`has the secret ${name} in clear`]
          : []),
        ...(isRequired && reference?.optional === true ? [`may be started without ${name}`] : []),
      ];
    }),
  ];
};

/** Each process of the platform has a workload with its variables. */
export const environmentProblems = (
  processes: readonly Process[],
  manifests: readonly Manifest[],
): readonly string[] =>
  processes.flatMap((process) => {
    const container = podsOf(manifests).find(({ owner }) => owner === process.name)?.spec.containers[0];
    if (container === undefined) return [`${process.name} has no workload`];
    return problemsOf(process, container, configMaps(manifests)).map(
      (problem) => `${process.name} ${problem}`,
    );
  });

/** What the registry says about destinations agrees with the addresses that the process reads. */
export const destinationProblems = (
  processes: readonly Process[],
  { processes: rows, jobs }: Registry,
): readonly string[] =>
  [...rows, ...jobs].flatMap(({ name, reaches }) => {
    const process = processes.find((known) => known.name === name);
    if (process === undefined) return [`the registry has ${name}, which is no process`];
    const variables = readBy(process).map((variable) => variable.name);
    const destinations = new Set<Destination>(variables.flatMap((variable) => destinationOf[variable] ?? []));
    return [
      ...variables
        .filter((variable) => /_(URL|ENDPOINT)$/.test(variable))
        .filter((variable) => destinationOf[variable] === undefined && !passedOn.includes(variable))
        .map((variable) => `${name} reads ${variable}, and environment.ts does not say where that leads`),
      ...[...destinations]
        .filter((destination) => !reaches.includes(destination))
        .map(
          (destination) => `${name} reads an address of ${destination}, which its row does not let it reach`,
        ),
      ...reaches
        .filter((destination) => !destinations.has(destination))
        .map((destination) => `${name} may reach ${destination}, and reads no address of it`),
    ];
  });

/** The ConfigMaps of the processes have no secret, and nothing that no process reads. */
export const settingProblems = (
  processes: readonly Process[],
  manifests: readonly Manifest[],
): readonly string[] => {
  const known = processes.flatMap(readBy);
  const secrets = new Set(
    [...known, ...variablesOf(ComposeEnv)].flatMap(({ name, secret }) => (secret === true ? [name] : [])),
  );
  const isRead = (key: string): boolean => ingredients.has(key) || known.some(({ name }) => name === key);
  const used = new Set(
    podsOf(manifests).flatMap(({ spec }) =>
      spec.containers.flatMap(({ envFrom = [] }) =>
        envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
      ),
    ),
  );
  return configMaps(manifests)
    .filter(({ metadata }) => used.has(metadata?.name ?? ''))
    .flatMap(({ data = {} }) =>
      Object.keys(data).flatMap((key) => [
        ...(secrets.has(key) ? [`the secret ${key} is in a ConfigMap`] : []),
        ...(isRead(key) ? [] : [`the setting ${key} is read by no process`]),
      ]),
    );
};
