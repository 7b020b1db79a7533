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

/** The name of KEDA's kind; `npm run check` holds its objects to KEDA's schema. */
export const scaledObjects = (): string =>
  documents([
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'scaledobjects.keda.sh' },
      spec: {
        group: 'keda.sh',
        scope: 'Namespaced',
        names: { kind: 'ScaledObject', plural: 'scaledobjects', singular: 'scaledobject' },
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
  ]);
