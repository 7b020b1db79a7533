// The objects that a cluster needs before the overlays are applied: nodes, disks, and the kinds of operators.
import { stringify } from 'yaml';

/** What stands in the policies for the network of LiveKit's nodes until an installation names it. */
export const networkToPut = 'put-the-network-of-your-livekit-nodes-here';

const documents = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object)).join('---\n');

/** A namespace that enforces the Pod Security Standard, which rejects pods that are less confined. */
export const namespace = (name: string): string =>
  documents([
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    },
  ]);

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
      // groups of Kubernetes itself, such as the Gateway API, are refused without it
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
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

/** Of KEDA, the Gateway API, the Prometheus Operator and the External Secrets Operator. */
export const kindsOfOperators = (): string =>
  documents([
    kindOf('keda.sh', 'v1alpha1', 'ScaledObject'),
    kindOf('gateway.networking.k8s.io', 'v1', 'HTTPRoute'),
    kindOf('monitoring.coreos.com', 'v1', 'PodMonitor'),
    kindOf('monitoring.coreos.com', 'v1', 'PrometheusRule'),
    kindOf('external-secrets.io', 'v1', 'ExternalSecret'),
  ]);
