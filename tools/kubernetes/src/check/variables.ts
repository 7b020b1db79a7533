// One list of variables: processes are given the variables that their schemas read and no others; required ones have a
// value.
import { type Process, type Variable, variablesOf } from '@parlance/compose';
import type { IContainer } from 'kubernetes-models/v1';
import type { Manifest } from '../manifest.js';
import type { OverlayFacts } from '../overlays/facts.js';
import { reachedThrough } from '../workloads/addresses.js';
import { engineAddressesName, ingredients, secretName } from '../workloads/environment.js';
import type { Workload } from '../workloads/workload.js';
import { podsOf } from './pods.js';

const readBy = ({ env }: Process): readonly Variable[] =>
  variablesOf(env).filter(({ testOnly }) => testOnly !== true);

const mainContainer = (manifests: readonly Manifest[], name: string): IContainer | undefined =>
  podsOf(manifests).find(({ owner }) => owner === name)?.spec.containers[0];

const givenRightly = (process: Process, container: IContainer): readonly string[] => {
  const known = readBy(process);
  const env = container.env ?? [];
  const given = env.map(({ name }) => name);
  return [
    ...known.filter(({ name }) => !given.includes(name)).map(({ name }) => `is not given ${name}`),
    ...given
      .filter((name) => !ingredients.includes(name) && !known.some((variable) => variable.name === name))
      .map((name) => `is given ${name}, which it does not read`),
    ...known.flatMap(({ name, secret, isRequired }) => {
      const source = env.find((variable) => variable.name === name);
      const reference = source?.valueFrom?.secretKeyRef ?? source?.valueFrom?.configMapKeyRef;
      const isOpen = source?.value === undefined && source?.valueFrom?.secretKeyRef === undefined;
      return [
        ...(secret === true && isOpen
          ? [`reads the secret ${name} from somewhere else than the Secret`]
          : []),
        ...(secret === true && source?.value !== undefined && !source.value.includes('$(')
          ? [`holds the secret ${name} in clear`]
          : []),
        ...(isRequired && reference?.optional === true ? [`may be started without ${name}`] : []),
      ];
    }),
  ];
};

/** Each process of the platform has its workload with its variables. */
export const environmentProblems = (
  processes: readonly Process[],
  manifests: readonly Manifest[],
): readonly string[] =>
  processes.flatMap((process) => {
    const container = mainContainer(manifests, process.name);
    if (container === undefined) return [`${process.name} has no workload`];
    return givenRightly(process, container).map((problem) => `${process.name} ${problem}`);
  });

/** The table's column of destinations agrees with the addresses that the process reads. */
export const destinationProblems = (
  processes: readonly Process[],
  workloads: readonly Pick<Workload, 'name' | 'reaches'>[],
): readonly string[] =>
  workloads.flatMap(({ name, reaches }) => {
    const process = processes.find((known) => known.name === name);
    if (process === undefined) return [`${name} is in the table and is no process`];
    const { destinations, unknown } = reachedThrough(readBy(process).map((variable) => variable.name));
    return [
      ...unknown.map(
        (variable) => `${name} reads ${variable}, and addresses.ts does not say where that leads`,
      ),
      ...destinations
        .filter((destination) => !reaches.includes(destination))
        .map(
          (destination) =>
            `${name} reads an address of ${destination}, which the table does not let it reach`,
        ),
      ...reaches
        .filter((destination) => !destinations.includes(destination))
        .map((destination) => `${name} may reach ${destination}, and reads no address of it`),
    ];
  });

interface Wanted {
  readonly map: string;
  readonly key: string;
  readonly isOptional: boolean;
}

const wantedFromMaps = (manifests: readonly Manifest[]): readonly Wanted[] =>
  podsOf(manifests).flatMap(({ spec }) =>
    [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }): readonly Wanted[] => {
        const reference = valueFrom?.configMapKeyRef;
        if (reference?.name === undefined) return [];
        return [{ map: reference.name, key: reference.key, isOptional: reference.optional === true }];
      }),
    ),
  );

/** The overlay's two lists have the required variables, nothing that no process reads, and no secret. */
export const settingProblems = (
  { name, settings, engines }: OverlayFacts,
  manifests: readonly Manifest[],
  isSecret: (name: string) => boolean,
): readonly string[] => {
  const wanted = wantedFromMaps(manifests);
  const listOf = (map: string) => (map === engineAddressesName ? engines : settings);
  const missing = wanted.filter(({ map, key, isOptional }) => !isOptional && listOf(map)[key] === undefined);
  const isWanted = (map: string, key: string): boolean =>
    wanted.some(
      (one) => one.key === key && (one.map === engineAddressesName) === (map === engineAddressesName),
    );
  const unread = [
    ...Object.keys(settings).filter((key) => !isWanted(secretName, key)),
    ...Object.keys(engines).filter((key) => !isWanted(engineAddressesName, key)),
  ];
  return [
    ...new Set(missing.map(({ key }) => `overlay ${name} gives no value to ${key}`)),
    ...unread.map((key) => `overlay ${name} sets ${key}, which no process reads`),
    ...Object.keys(settings)
      .filter(isSecret)
      .map((key) => `overlay ${name} sets the secret ${key} in clear`),
  ];
};
