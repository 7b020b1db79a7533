// A process of the platform as a Deployment: it waits until the engines are prepared, starts, serves, and leaves in time.
import type { Process } from '@parlance/compose';
import type { IContainer, IVolume } from 'kubernetes-models/v1';
import type { IDeployment } from '../manifest.js';
import { authoritiesPath, environmentOf } from '../workloads/environment.js';
import { graceSecondsOf } from '../workloads/grace.js';
import { minReadySeconds, opsPort, type Workload } from '../workloads/workload.js';
import {
  confinedContainer,
  labelsOf,
  platformImage,
  platformPod,
  resourcesOf,
  selectorOf,
  spread,
} from './pods.js';
import { probes } from './probes.js';
import { reachLabels } from './reach.js';

export const volumesOf = (scratch: number): IVolume[] => [
  { name: 'tmp', emptyDir: { sizeLimit: `${scratch}Mi` } },
  { name: 'authorities', secret: { secretName: 'parlance-authorities', optional: true } },
];

export const mounts: NonNullable<IContainer['volumeMounts']> = [
  { name: 'tmp', mountPath: '/tmp' },
  { name: 'authorities', mountPath: authoritiesPath, readOnly: true },
];

/** Ends after five minutes at most, with a line that names the missing thing; then Kubernetes tries again. */
const waiting = (workload: Workload, process: Process): IContainer => ({
  name: 'wait',
  image: platformImage,
  args: ['wait'],
  env: environmentOf(process, workload.role).filter(({ name }) =>
    [
      'POSTGRES_PASSWORD',
      'POSTGRES_ADDRESS',
      'POSTGRES_URL',
      'NATS_PASSWORD',
      'NATS_ADDRESS',
      'NATS_URL',
    ].includes(name),
  ),
  securityContext: confinedContainer,
  resources: resourcesOf({ requests: { cpu: 10, memory: 64 }, limits: { cpu: 1_000, memory: 256 } }),
  volumeMounts: mounts,
});

export const deploymentOf = (workload: Workload, process: Process): IDeployment => {
  const { name, port, runtimePort, preStopSeconds } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name, 'process') },
    spec: {
      selector: { matchLabels: selectorOf(name) },
      // a version that does not become ready stops the rollout, and the old copies go on
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      minReadySeconds,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 5,
      template: {
        metadata: { labels: { ...labelsOf(name, 'process'), ...reachLabels(workload.reaches) } },
        spec: {
          ...platformPod(name),
          terminationGracePeriodSeconds: graceSecondsOf(workload),
          topologySpreadConstraints: spread(name),
          initContainers: [waiting(workload, process)],
          containers: [
            {
              name,
              image: platformImage,
              args: [name],
              env: [...environmentOf(process, workload.role)],
              ports: [
                ...(port === undefined ? [] : [{ name: port.name, containerPort: port.number }]),
                ...(runtimePort === undefined
                  ? []
                  : [{ name: runtimePort.name, containerPort: runtimePort.number }]),
                { name: opsPort.name, containerPort: opsPort.number },
              ],
              ...probes,
              ...(preStopSeconds === 0
                ? {}
                : { lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } } }),
              securityContext: confinedContainer,
              resources: resourcesOf(workload),
              volumeMounts: mounts,
            },
          ],
          volumes: volumesOf(workload.scratch),
        },
      },
    },
  };
};
