// The contents of base, and the parts that every overlay adds to it.
import { migration, type Process } from '@parlance/compose';
import type { IIngress, Manifest } from '../manifest.js';
import { disruptionBudgetOf, serviceAccountOf, serviceOf } from '../objects/around.js';
import { deploymentOf } from '../objects/deployment.js';
import { mayReach, policiesOf, solverMayBeReached, visitsOf } from '../objects/policies.js';
import { migrateJob, provisionJob } from '../objects/provision-job.js';
import { workloads } from '../workloads/table.js';
import type { Workload } from '../workloads/workload.js';
import type { EngineDestination, OverlayFacts } from './facts.js';

const processOf = (processes: readonly Process[], name: string): Process => {
  const process = processes.find((known) => known.name === name);
  if (process === undefined) throw new Error(`${name} is not in tools/compose/src/processes.ts`);
  return process;
};

const around = (workload: Workload, process: Process): readonly Manifest[] => [
  serviceAccountOf(workload.name, 'process'),
  ...serviceOf(workload),
  deploymentOf(workload, process),
  disruptionBudgetOf(workload.name),
];

/** By file. */
export const baseObjects = (
  processes: readonly Process[],
): Readonly<Record<string, readonly Manifest[]>> => ({
  'network-policies.yaml': policiesOf(workloads),
  'provision.yaml': [serviceAccountOf('provision', 'job'), provisionJob(processOf(processes, 'provision'))],
  'migrate.yaml': [serviceAccountOf('migrate', 'job'), migrateJob(migration)],
  ...Object.fromEntries(
    workloads.map((workload) => [
      `${workload.name}.yaml`,
      around(workload, processOf(processes, workload.name)),
    ]),
  ),
});

/** The Pod Security Standard is enforced on the namespace, so a pod that asks for more is not made. */
export const namespaceOf = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
});

/** The longest answer is that of an MCP tool in a call, 64 s. Event streams of text conversations are not buffered. */
export const annotations = {
  'cert-manager.io/cluster-issuer': 'letsencrypt',
  'nginx.ingress.kubernetes.io/proxy-body-size': '10m',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '120',
  'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  'nginx.ingress.kubernetes.io/ssl-redirect': 'true',
};

export const ingressOf = (host: string): IIngress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'gateway', labels: { 'app.kubernetes.io/part-of': 'parlance' }, annotations },
  spec: {
    ingressClassName: 'nginx',
    tls: [{ hosts: [host], secretName: 'gateway-tls' }],
    rules: [
      {
        host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: 'gateway', port: { name: 'http' } } },
            },
          ],
        },
      },
    ],
  },
});

const destinations: readonly EngineDestination[] = [
  'postgres',
  'nats',
  'eventstore',
  'mongodb',
  'livekit',
  'object-storage',
  'telemetry',
  'voice-runtime',
];

/** By file; the namespace is added by the kustomization. */
export const objectsOfOverlay = (facts: OverlayFacts): Readonly<Record<string, readonly Manifest[]>> => ({
  'namespace.yaml': [namespaceOf('parlance')],
  'ingress.yaml': [ingressOf(facts.host)],
  'reach.yaml': [
    ...destinations.map((destination) =>
      mayReach(destination, facts.reached[destination].to, facts.reached[destination].ports),
    ),
    ...visitsOf(workloads, facts.outsiders),
    solverMayBeReached([...facts.outsiders.ingress]),
  ],
  ...facts.more,
});
