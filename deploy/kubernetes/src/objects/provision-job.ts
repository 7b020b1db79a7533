// The job that prepares the engines: roles, schemas and the event stream.
import type { Process } from '@parlance/compose';
import type { IJob } from '../manifest.js';
import { environmentOf } from '../workloads/environment.js';
import { provisioner } from '../workloads/table.js';
import { mounts, volumesOf } from './deployment.js';
import { confinedContainer, labelsOf, platformImage, platformPod, resourcesOf } from './pods.js';
import { reachLabels } from './reach.js';

/** Engines that are still starting make it fail and start again, for a quarter of an hour at most. */
export const provisionJob = (process: Process): IJob => {
  const { name, reaches, scratch } = provisioner;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labelsOf(name, 'job') },
    spec: {
      backoffLimit: 20,
      activeDeadlineSeconds: 900,
      // an upgrade applies a job of the same name, which has to be gone by then
      ttlSecondsAfterFinished: 600,
      template: {
        metadata: { labels: { ...labelsOf(name, 'job'), ...reachLabels(reaches) } },
        spec: {
          ...platformPod(name),
          restartPolicy: 'OnFailure',
          containers: [
            {
              name,
              image: platformImage,
              args: [name],
              env: [...environmentOf(process, name)],
              securityContext: confinedContainer,
              resources: resourcesOf(provisioner),
              volumeMounts: mounts,
            },
          ],
          volumes: volumesOf(scratch),
        },
      },
    },
  };
};
