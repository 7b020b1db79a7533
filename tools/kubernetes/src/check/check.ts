// The manifests have to be valid, confined, complete, and of one piece with the registry, compose and the schemas.
import { migration, type Process } from '@parlance/compose';
import type { Registry } from '@parlance/registry';
import { type Manifest, nameOf } from '../chart/manifest.js';
import { connectionProblems } from './connections.js';
import { containersOf, podProblems, podsOf } from './pods.js';
import { schemaProblems } from './schemas.js';
import { destinationProblems, environmentProblems, settingProblems } from './variables.js';

export interface Subject {
  /** The objects of each rendering, by its name. */
  readonly renderings: Readonly<Record<string, readonly Manifest[]>>;
  readonly registry: Registry;
  readonly processes: readonly Process[];
  /** Images that docker-compose.yml runs, with its defaults filled in. */
  readonly composeImages: readonly string[];
  /** The page that lists every metric of the platform, by its name in Prometheus. */
  readonly metrics: string;
  /** Text of engines/postgres.yaml. */
  readonly postgres: string;
}

const isUnique = (manifests: readonly Manifest[]): readonly string[] => {
  const names = manifests.map((manifest) => `${manifest.kind} ${nameOf(manifest)}`);
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} exists twice`);
};

const accountsExist = (manifests: readonly Manifest[]): readonly string[] => {
  const accounts = manifests.flatMap((manifest) =>
    manifest.kind === 'ServiceAccount' ? [nameOf(manifest)] : [],
  );
  return podsOf(manifests)
    .filter(({ spec }) => !accounts.includes(spec.serviceAccountName ?? ''))
    .map(({ kind, owner }) => `${kind} ${owner} runs as ${owner}, which is no service account`);
};

/** Secrets come from outside; a file with one would be public. */
const holdsNoSecret = (manifests: readonly Manifest[]): readonly string[] =>
  manifests
    .filter((manifest) => String(manifest.kind) === 'Secret')
    .map((manifest) => `Secret ${nameOf(manifest)} is written to a file`);

const imagesAreComposes = (
  manifests: readonly Manifest[],
  composeImages: readonly string[],
): readonly string[] => [
  ...new Set(
    podsOf(manifests)
      .flatMap(({ spec }) => containersOf(spec).map(({ image = '' }) => image))
      .filter((image) => !composeImages.includes(image))
      .map((image) => `${image} is not what docker-compose.yml runs`),
  ),
];

/** @param metrics the page that lists every metric of the platform */
const queriesKnownMetrics = (manifests: readonly Manifest[], metrics: string): readonly string[] =>
  manifests.flatMap((manifest) => {
    if (manifest.kind !== 'ScaledObject') return [];
    const queries = (manifest.spec?.triggers ?? []).map(({ metadata }) => metadata.query ?? '');
    return queries
      .flatMap(
        (query) =>
          query
            .replaceAll(/\bby \([^)]*\)/g, '')
            .match(/\b(parlance|http|rpc|process|nodejs)_[a-z_]+(?=[{[)])/g) ?? [''],
      )
      .filter((metric) => metric === '' || !metrics.includes(`\`${metric}\``))
      .map(
        (metric) =>
          `ScaledObject ${nameOf(manifest)} queries "${metric}", which the platform does not export`,
      );
  });

const problemsOf = (manifests: readonly Manifest[], subject: Subject): readonly string[] => [
  ...manifests.flatMap((manifest) =>
    schemaProblems(manifest).map((problem) => `${manifest.kind} ${nameOf(manifest)} ${problem}`),
  ),
  ...isUnique(manifests),
  ...accountsExist(manifests),
  ...holdsNoSecret(manifests),
  ...podProblems(manifests),
  ...queriesKnownMetrics(manifests, subject.metrics),
  ...imagesAreComposes(manifests, subject.composeImages),
  ...environmentProblems([...subject.processes, migration], manifests),
  ...settingProblems([...subject.processes, migration], manifests),
];

/** The problems, one sentence each; none when all is well. */
export const checkKubernetes = (subject: Subject): readonly string[] => [
  ...destinationProblems([...subject.processes, migration], subject.registry),
  ...connectionProblems(subject.processes, subject.registry.processes, subject.postgres),
  ...Object.entries(subject.renderings).flatMap(([name, manifests]) =>
    problemsOf(manifests, subject).map((problem) => `${name}: ${problem}`),
  ),
];
