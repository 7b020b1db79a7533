// The jobs of an installation: `provision` prepares the engines, and `migrate` brings the schemas up to date.
import type { Process } from '@parlance/compose';
import type { IJob } from '../manifest.js';
import { environmentOf } from '../workloads/environment.js';
import { migrator, provisioner } from '../workloads/table.js';
import { mounts, volumesOf } from './deployment.js';
import { confinedContainer, labelsOf, platformImage, platformPod, resourcesOf } from './pods.js';
import { reachLabels } from './reach.js';

type Job = typeof provisioner;

interface JobOptions {
  readonly args: readonly string[];
  readonly backoffLimit: number;
  readonly limitSeconds: number;
}

const jobOf = (process: Process, job: Job, { args, backoffLimit, limitSeconds }: JobOptions): IJob => {
  const { name, reaches, scratch } = job;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labelsOf(name, 'job') },
    spec: {
      backoffLimit,
      activeDeadlineSeconds: limitSeconds,
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
              args: [...args],
              env: [...environmentOf(process, name)],
              securityContext: confinedContainer,
              resources: resourcesOf(job),
              volumeMounts: mounts,
            },
          ],
          volumes: volumesOf(scratch),
        },
      },
    },
  };
};

/** Engines that are still starting make it fail and start again, for a quarter of an hour at most. */
export const provisionJob = (process: Process): IJob =>
  jobOf(process, provisioner, { args: [provisioner.name], backoffLimit: 20, limitSeconds: 900 });

/** It has the time that a migration of a large table takes, where the start of a process has five minutes. */
export const migrateJob = (process: Process): IJob =>
  jobOf(process, migrator, { args: [migrator.name, 'all'], backoffLimit: 6, limitSeconds: 14_400 });
