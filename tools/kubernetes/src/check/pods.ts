// Rules for every pod: confinement, images, variables in order, probes on ports that exist, grace periods.
import { graceSecondsOf, processes } from '@parlance/compose';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { type Manifest, nameOf } from '../chart/manifest.js';

export interface Pod {
  readonly owner: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job';
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: IPodSpec;
}

export const podsOf = (manifests: readonly Manifest[]): readonly Pod[] =>
  manifests.flatMap((manifest) => {
    if (manifest.kind !== 'Deployment' && manifest.kind !== 'StatefulSet' && manifest.kind !== 'Job')
      return [];
    const template = manifest.spec?.template;
    if (template?.spec === undefined) return [];
    return [
      {
        owner: nameOf(manifest),
        kind: manifest.kind,
        labels: template.metadata?.labels ?? {},
        spec: template.spec,
      },
    ];
  });

export const containersOf = ({ initContainers = [], containers }: IPodSpec): readonly IContainer[] => [
  ...initContainers,
  ...containers,
];

type Rule = (pod: Pod, container: IContainer) => readonly string[];

const when = (isBroken: boolean, problem: string): readonly string[] => (isBroken ? [problem] : []);

const isConfined: Rule = ({ spec }, { securityContext: own }) => [
  ...when(spec.securityContext?.runAsNonRoot !== true, 'may run as root'),
  ...when(spec.securityContext?.seccompProfile?.type !== 'RuntimeDefault', 'has no seccomp profile'),
  ...when(own?.allowPrivilegeEscalation !== false, 'may gain privileges'),
  ...when(own?.capabilities?.drop?.includes('ALL') !== true, 'keeps capabilities'),
  ...when(spec.automountServiceAccountToken !== false, 'gets a token for the API server'),
];

/** Engines say in docker-compose.yml whether they can. */
const isReadOnly: Rule = ({ labels }, { securityContext }) =>
  when(
    labels['app.kubernetes.io/component'] !== 'engine' && securityContext?.readOnlyRootFilesystem !== true,
    'may write to its file system',
  );

const isBounded: Rule = (_, { resources }) => [
  ...when(
    resources?.requests?.cpu === undefined || resources.requests.memory === undefined,
    'requests nothing',
  ),
  ...when(resources?.limits?.memory === undefined, 'has no limit of memory'),
];

const isPinned: Rule = (_, { image = '' }) =>
  when(
    !/(@sha256:|:[^/]*(\d+\.\d+|\d{4}-\d{2}-\d{2}))/.test(image) || image.endsWith(':latest'),
    `uses ${image}, which names no exact version`,
  );

const isReference = /(?<!\$)\$\(([A-Z][A-Z0-9_]*)\)/g;

/** Kubernetes leaves `$(NAME)` as it is when the variable comes later, or never. */
const resolvesReferences: Rule = (_, { env = [], args = [], command = [] }) => {
  const before = new Set<string>();
  const unknown = env.flatMap(({ name, value = '' }) => {
    const missing = [...value.matchAll(isReference)].flatMap(([, taken = '']) =>
      before.has(taken) ? [] : [taken],
    );
    before.add(name);
    return missing;
  });
  const inCommand = [...command, ...args].flatMap((text) =>
    [...text.matchAll(isReference)].flatMap(([, taken = '']) => (before.has(taken) ? [] : [taken])),
  );
  const names = env.map(({ name }) => name);
  return [
    ...[...unknown, ...inCommand].map((name) => `references $(${name}) before it is defined`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `sets ${name} twice`),
  ];
};

const probesExistingPorts: Rule = (_, { startupProbe, readinessProbe, livenessProbe, ports = [] }) =>
  [startupProbe, readinessProbe, livenessProbe].flatMap((probe) => {
    const port = probe?.httpGet?.port;
    const isThere = ports.some(({ name, containerPort }) => port === name || port === containerPort);
    return when(port !== undefined && !isThere, `is probed on port ${port}, which it does not have`);
  });

const hasProbes: Rule = ({ kind, spec }, { name, startupProbe, readinessProbe, livenessProbe }) => {
  const isMain = spec.containers.some((container) => container.name === name);
  const hasAll = startupProbe !== undefined && readinessProbe !== undefined && livenessProbe !== undefined;
  return when(kind !== 'Job' && isMain && !hasAll, 'lacks a startup, readiness or liveness probe');
};

const hasGracePeriod: Rule = ({ owner, labels, spec }) => {
  const process = processes.find(({ name }) => name === owner);
  const preStop = Math.max(
    ...spec.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0),
  );
  const isProcess = labels['app.kubernetes.io/component'] === 'process';
  const grace = spec.terminationGracePeriodSeconds ?? 0;
  const needed = preStop + (process === undefined ? 0 : graceSecondsOf(process));
  return when(isProcess && grace !== needed, `has a grace period of ${grace} s, and needs ${needed} s`);
};

const rules: readonly Rule[] = [
  isConfined,
  isReadOnly,
  isBounded,
  isPinned,
  resolvesReferences,
  probesExistingPorts,
  hasProbes,
  hasGracePeriod,
];

export const podProblems = (manifests: readonly Manifest[]): readonly string[] =>
  podsOf(manifests).flatMap((pod) =>
    containersOf(pod.spec).flatMap((container) =>
      rules.flatMap((rule) =>
        rule(pod, container).map(
          (problem) => `${pod.kind} ${pod.owner}: container ${container.name} ${problem}`,
        ),
      ),
    ),
  );
