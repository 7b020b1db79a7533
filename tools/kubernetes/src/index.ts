import { parseCompose, processes } from '@parlance/compose';
import { metricsPage } from '@parlance/metrics';
import { checkKubernetes } from './check/check.js';
import { isSecret, platform, type Sources } from './platform.js';

export { graceSecondsOf } from './workloads/grace.js';
export { workloads } from './workloads/table.js';
export { minReadySeconds, type Workload } from './workloads/workload.js';

/** Files for the generator, by their path from the root of the repository. */
export const kubernetesFiles = (sources: Sources): readonly { path: string; content: string }[] =>
  Object.entries(platform(sources).files).map(([path, content]) => ({
    path: `deploy/kubernetes/${path}`,
    content,
  }));

const imagesOf = (compose: string): readonly string[] =>
  Object.values(parseCompose(compose).file?.services ?? {}).map(({ image = '' }) =>
    image.replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1'),
  );

/**
 * The problems of the manifests, one sentence each.
 * @param folders gateway, and the folders under services/
 */
export const kubernetesProblems = (sources: Sources, folders: readonly string[]): readonly string[] =>
  checkKubernetes({
    platform: platform(sources),
    processes,
    folders,
    composeImages: imagesOf(sources.compose),
    isSecret,
    metrics: metricsPage(),
    postgres: sources.read('deploy/kubernetes/engines/postgres.yaml'),
  });
