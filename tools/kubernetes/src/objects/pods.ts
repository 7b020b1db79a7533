// The common parts of all pods: labels, confinement, scratch space.
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';

export const labelsOf = (name: string, component: 'process' | 'engine' | 'job'): Record<string, string> => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/part-of': 'parlance',
});

export const selectorOf = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name });

/** The platform's own image in base; overlays say which one it is. */
export const platformImage = 'parlance:0.1.0';

/** The image's user `node`. */
const platformUser = 1000;

/** As the Pod Security Standard "restricted" wants it, and with a file system that nothing writes to. */
export const confinedContainer: NonNullable<IContainer['securityContext']> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const confinedPod = (user: number, group = user): NonNullable<IPodSpec['securityContext']> => ({
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: group,
  fsGroup: group,
  seccompProfile: { type: 'RuntimeDefault' },
});

/** No process talks to the API server, so no pod gets a token for it. */
export const withoutToken = (serviceAccountName: string) => ({
  serviceAccountName,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
});

export const platformPod = (name: string) => ({
  ...withoutToken(name),
  securityContext: confinedPod(platformUser),
});

/** Spread over nodes and zones as far as there are any; a cluster of one node still runs everything. */
export const spread = (name: string): NonNullable<IPodSpec['topologySpreadConstraints']> =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorOf(name) },
    matchLabelKeys: ['pod-template-hash'],
  }));

export const resourcesOf = ({
  requests,
  limits,
}: {
  readonly requests: { readonly cpu: number; readonly memory: number };
  readonly limits: { readonly cpu: number; readonly memory: number };
}): NonNullable<IContainer['resources']> => ({
  requests: { cpu: `${requests.cpu}m`, memory: `${requests.memory}Mi` },
  limits: { cpu: `${limits.cpu}m`, memory: `${limits.memory}Mi` },
});
