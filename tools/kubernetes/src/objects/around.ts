// The objects around a Deployment: its service account, its Service, its disruption budget, its autoscaler.
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IService, IServiceAccount } from 'kubernetes-models/v1';
import type { IHorizontalPodAutoscaler, IScaledObject, Manifest } from '../manifest.js';
import type { Scaling, Workload } from '../workloads/workload.js';
import { labelsOf, selectorOf } from './pods.js';

export const serviceAccountOf = (name: string, component: 'process' | 'engine' | 'job'): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, labels: labelsOf(name, component) },
  automountServiceAccountToken: false,
});

/** A drain of a node takes one copy at a time. */
export const disruptionBudgetOf = (name: string): IPodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, labels: labelsOf(name, 'process') },
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: selectorOf(name) },
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  },
});

export const serviceOf = ({ name, port, runtimePort }: Workload): readonly IService[] =>
  port === undefined
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name, labels: labelsOf(name, 'process') },
          spec: {
            selector: selectorOf(name),
            ports: [port, ...(runtimePort === undefined ? [] : [runtimePort])].map(
              ({ name: portName, number }) => ({ name: portName, port: number, targetPort: portName }),
            ),
          },
        },
      ];

const targetOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

/** Copies are added at once and taken away slowly, because a call holds on to its copy for minutes. */
const behavior: NonNullable<NonNullable<IHorizontalPodAutoscaler['spec']>['behavior']> = {
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 30 }] },
  scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
};

const byProcessor = (
  name: string,
  { least, most, percent }: Extract<Scaling, { by: 'cpu' }>,
): IHorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, labels: labelsOf(name, 'process') },
  spec: {
    scaleTargetRef: targetOf(name),
    minReplicas: least,
    maxReplicas: most,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
      },
    ],
    behavior,
  },
});

/** Where KEDA asks for metrics; an overlay of yours names another Prometheus. */
export const prometheusAddress = 'http://prometheus-operated.monitoring.svc:9090';

const byMetric = (
  name: string,
  { least, most, query, perCopy }: Extract<Scaling, { by: 'metric' }>,
): IScaledObject => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name, labels: labelsOf(name, 'process') },
  spec: {
    scaleTargetRef: targetOf(name),
    minReplicaCount: least,
    maxReplicaCount: most,
    advanced: { horizontalPodAutoscalerConfig: { behavior } },
    triggers: [
      {
        type: 'prometheus',
        metadata: {
          serverAddress: prometheusAddress,
          query,
          threshold: String(perCopy),
          // A query without an answer is an error and no 0. Without a fallback an error leaves the number of copies as it is.
          // A process that is too busy to be measured loses none.
          ignoreNullValues: 'false',
        },
      },
    ],
  },
});

export const scalerOf = ({ name, scaling }: Workload): readonly Manifest[] => {
  if (scaling === undefined) return [];
  return [scaling.by === 'cpu' ? byProcessor(name, scaling) : byMetric(name, scaling)];
};
