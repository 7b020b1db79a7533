// A Kubernetes object of one of the kinds that the manifests use, with the type that its schema gives it.
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, INamespace, IService, IServiceAccount } from 'kubernetes-models/v1';
import { z } from 'zod';

/** Of the External Secrets Operator; no package has the schema of its v1 for the Node versions that we support. */
export const ExternalSecret = z.strictObject({
  apiVersion: z.literal('external-secrets.io/v1'),
  kind: z.literal('ExternalSecret'),
  metadata: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
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

const labelled = z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) });

/** Of the Prometheus Operator; the package with its schemas wants a later kubernetes-models than the others. */
export const PodMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PodMonitor'),
  metadata: labelled,
  spec: z.strictObject({
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
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

export type Manifest =
  | IConfigMap
  | IDeployment
  | ExternalSecret
  | IHorizontalPodAutoscaler
  | IIngress
  | IJob
  | INamespace
  | INetworkPolicy
  | IPodDisruptionBudget
  | PodMonitor
  | PrometheusRule
  | IScaledObject
  | IService
  | IServiceAccount
  | IStatefulSet;

export type {
  IDeployment,
  IHorizontalPodAutoscaler,
  IIngress,
  IJob,
  INetworkPolicy,
  IScaledObject,
  IStatefulSet,
};

/** The members of every object. */
export const nameOf = (manifest: Manifest): string => manifest.metadata?.name ?? '';
