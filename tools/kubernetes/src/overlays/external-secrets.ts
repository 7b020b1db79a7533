// The Secret of the platform, taken from a store outside by the External Secrets Operator: a component for kustomize.
import { containersOf, podsOf } from '../check/pods.js';
import type { ExternalSecret, Manifest } from '../manifest.js';
import { secretName } from '../workloads/environment.js';
import { generatedLine, manifestsFile, yamlOf } from '../yaml.js';
import type { Files } from './kustomizations.js';

/** Keys of the Secret that a pod does not start without. */
const requiredKeys = (manifests: readonly Manifest[]): readonly string[] => [
  ...new Set(
    podsOf(manifests)
      .flatMap(({ spec }) => containersOf(spec))
      .flatMap(({ env = [] }) => env)
      .flatMap(({ valueFrom }) => {
        const reference = valueFrom?.secretKeyRef;
        return reference === undefined || reference.optional === true ? [] : [reference.key];
      }),
  ),
];

/** Name of the entry in the store whose properties are the keys of the Secret. */
const entry = 'parlance';

/** The operator refuses an entry without a required key, and brings every other key of the entry as it is. */
export const externalSecretOf = (
  manifests: readonly Manifest[],
  more: readonly string[],
): ExternalSecret => ({
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: { name: secretName, labels: { 'app.kubernetes.io/part-of': 'parlance' } },
  spec: {
    refreshInterval: '1h',
    secretStoreRef: { name: 'parlance', kind: 'ClusterSecretStore' },
    target: { name: secretName, creationPolicy: 'Owner' },
    data: [...requiredKeys(manifests), ...more].map((key) => ({
      secretKey: key,
      remoteRef: { key: entry, property: key },
    })),
    // provider accounts, mail, embeddings and previous keys: each is there only where the operator has it
    dataFrom: [{ extract: { key: entry } }],
  },
});

export const externalSecretFiles = (secret: ExternalSecret): Files => ({
  'components/external-secrets/external-secret.yaml': manifestsFile([secret]),
  'components/external-secrets/kustomization.yaml':
    generatedLine +
    yamlOf({
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      resources: ['external-secret.yaml'],
    }),
});
