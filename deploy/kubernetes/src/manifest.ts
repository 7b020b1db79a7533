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
