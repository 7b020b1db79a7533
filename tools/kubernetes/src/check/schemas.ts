// Manifests held to Kubernetes' own schemas, without a cluster: as published by kubernetes-models, for Kubernetes 1.34.
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Pod, Service, ServiceAccount } from 'kubernetes-models/v1';
import { ExternalSecret, HTTPRoute, type Manifest, PodMonitor, PrometheusRule } from '../chart/manifest.js';

const modelOf = (manifest: Manifest): { validate(): void } => {
  switch (manifest.kind) {
    case 'ConfigMap':
      return new ConfigMap(manifest);
    case 'Deployment':
      return new Deployment(manifest);
    case 'ExternalSecret':
      return { validate: () => void ExternalSecret.parse(manifest) };
    case 'HTTPRoute':
      return { validate: () => void HTTPRoute.parse(manifest) };
    case 'HorizontalPodAutoscaler':
      return new HorizontalPodAutoscaler(manifest);
    case 'Ingress':
      return new Ingress(manifest);
    case 'Job':
      return new Job(manifest);
    case 'Namespace':
      return new Namespace(manifest);
    case 'NetworkPolicy':
      return new NetworkPolicy(manifest);
    case 'Pod':
      return new Pod(manifest);
    case 'PodDisruptionBudget':
      return new PodDisruptionBudget(manifest);
    case 'PodMonitor':
      return { validate: () => void PodMonitor.parse(manifest) };
    case 'PrometheusRule':
      return { validate: () => void PrometheusRule.parse(manifest) };
    case 'ScaledObject':
      return new ScaledObject(manifest);
    case 'Service':
      return new Service(manifest);
    case 'ServiceAccount':
      return new ServiceAccount(manifest);
    case 'StatefulSet':
      return new StatefulSet(manifest);
  }
};

/** The complaints of the schema of its kind about an object; none when it fits. */
export const schemaProblems = (manifest: Manifest): readonly string[] => {
  try {
    modelOf(manifest).validate();
    return [];
  } catch (error) {
    return [
      `does not fit the schema of ${manifest.kind}: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
};
