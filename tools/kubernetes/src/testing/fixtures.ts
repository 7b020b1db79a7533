// The objects that a cluster needs before the overlays are applied: nodes, disks, and the kinds of operators.
import { stringify } from 'yaml';

const documents = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object)).join('---\n');

/** Nodes that kwok looks after, in three zones. */
export const nodes = (): string =>
  documents(
    ['a', 'b', 'c'].map((zone) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: `node-${zone}`,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: {
          'kubernetes.io/hostname': `node-${zone}`,
          'kubernetes.io/os': 'linux',
          'topology.kubernetes.io/zone': `zone-${zone}`,
        },
      },
      status: {
        allocatable: { cpu: '32', memory: '64Gi', pods: '110' },
        capacity: { cpu: '32', memory: '64Gi', pods: '110' },
      },
    })),
  );

/** Disks for the claims of engines, because this cluster has no provisioner. */
export const disks = (count: number): string =>
  documents(
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `disk-${index}` },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: `/disks/${index}` },
      },
    })),
  );

/** A kind of an operator by its name alone; `npm run check` holds its objects to its schema. */
const kindOf = (group: string, version: string, kind: string): object => {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${singular}s.${group}`,
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s`, singular },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
};

/** Of KEDA, the Prometheus Operator and the External Secrets Operator. */
export const kindsOfOperators = (): string =>
  documents([
    kindOf('keda.sh', 'v1alpha1', 'ScaledObject'),
    kindOf('monitoring.coreos.com', 'v1', 'PodMonitor'),
    kindOf('monitoring.coreos.com', 'v1', 'PrometheusRule'),
    kindOf('external-secrets.io', 'v1', 'ExternalSecret'),
  ]);
