// The objects of the chart, with the types that the schemas of their kinds give them.
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, INamespace, IPod, IService, IServiceAccount } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const texts = z.record(z.string(), z.string());
const labelled = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  labels: texts,
  annotations: texts.optional(),
});

/** Of the External Secrets Operator; no package has the schema of its v1 for the Node versions that we support. */
export const ExternalSecret = z.strictObject({
  apiVersion: z.literal('external-secrets.io/v1'),
  kind: z.literal('ExternalSecret'),
  metadata: labelled,
  spec: z.strictObject({
    refreshInterval: z.string(),
    secretStoreRef: z.strictObject({ name: z.string(), kind: z.enum(['SecretStore', 'ClusterSecretStore']) }),
    target: z.strictObject({ name: z.string(), creationPolicy: z.literal('Owner') }),
    data: z.array(
      z.strictObject({
        secretKey: z.string(),
        remoteRef: z.strictObject({ key: z.string(), property: z.string() }),
      }),
    ),
    dataFrom: z.array(z.strictObject({ extract: z.strictObject({ key: z.string() }) })).min(1),
  }),
});
export type ExternalSecret = z.output<typeof ExternalSecret>;

/** Of the Prometheus Operator; the package with its schemas needs a later kubernetes-models than the others. */
export const PodMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PodMonitor'),
  metadata: labelled,
  spec: z.strictObject({
    selector: z.strictObject({
      matchLabels: z.record(z.string(), z.string()),
      matchExpressions: z.array(
        z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }),
      ),
    }),
    podMetricsEndpoints: z.array(
      z.strictObject({
        port: z.string(),
        path: z.string().startsWith('/'),
        interval: z.string().regex(/^\d+s$/),
        relabelings: z.array(
          z.strictObject({
            sourceLabels: z.array(z.string().regex(/^[a-zA-Z_]\w*$/)).optional(),
            targetLabel: z.string(),
            replacement: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
});
export type PodMonitor = z.output<typeof PodMonitor>;

/** Of the Prometheus Operator, too. */
export const PrometheusRule = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PrometheusRule'),
  metadata: labelled,
  spec: z.strictObject({
    groups: z
      .array(
        z.strictObject({
          name: z.string(),
          rules: z.array(
            z.strictObject({
              alert: z.string(),
              expr: z.string(),
              for: z.string(),
              labels: z.record(z.string(), z.string()),
              annotations: z.record(z.string(), z.string()),
            }),
          ),
        }),
      )
      .min(1),
  }),
});
export type PrometheusRule = z.output<typeof PrometheusRule>;

/** Of the Gateway API; the package with its schemas needs a later kubernetes-models too. */
export const HTTPRoute = z.strictObject({
  apiVersion: z.literal('gateway.networking.k8s.io/v1'),
  kind: z.literal('HTTPRoute'),
  metadata: labelled,
  spec: z.strictObject({
    parentRefs: z
      .array(
        z.strictObject({
          name: z.string(),
          namespace: z.string().optional(),
          sectionName: z.string().optional(),
          port: z.int().optional(),
        }),
      )
      .min(1),
    hostnames: z.array(z.string()),
    rules: z.array(
      z.strictObject({
        matches: z.array(
          z.strictObject({ path: z.strictObject({ type: z.literal('PathPrefix'), value: z.string() }) }),
        ),
        backendRefs: z.array(z.strictObject({ name: z.string(), port: z.int() })),
        timeouts: z
          .strictObject({ request: z.string().optional(), backendRequest: z.string().optional() })
          .optional(),
      }),
    ),
  }),
});
export type HTTPRoute = z.output<typeof HTTPRoute>;

export type Manifest =
  | IConfigMap
  | IDeployment
  | ExternalSecret
  | HTTPRoute
  | IHorizontalPodAutoscaler
  | IIngress
  | IJob
  | INamespace
  | INetworkPolicy
  | IPod
  | IPodDisruptionBudget
  | PodMonitor
  | PrometheusRule
  | IScaledObject
  | IService
  | IServiceAccount
  | IStatefulSet;

export type { INetworkPolicy, IScaledObject };

export const nameOf = (manifest: Manifest): string => manifest.metadata?.name ?? '';

/** The objects of a file of manifests. Checks hold each to the schema of its kind. */
export const manifestsIn = (text: string): readonly Manifest[] =>
  parseAllDocuments(text)
    .map((document): Manifest => document.toJS())
    .filter((manifest) => manifest !== null);
