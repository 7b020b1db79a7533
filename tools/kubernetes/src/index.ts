import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageOf, migration, parseCompose, processes, runtimes } from '@parlance/compose';
import { metricsPage } from '@parlance/metrics';
import { loadRegistry } from '@parlance/registry';
import { manifestsIn } from './chart/manifest.js';
import { checkKubernetes, type Subject } from './check/check.js';
import { natsChartValues } from './nats.js';
import { manifestFiles, renderings, root, staleRenderings } from './render.js';
import { chartData, servicesText } from './services-file.js';

export { renderedFiles, staleRenderings } from './render.js';
export { millicores, minReadySeconds } from './services-file.js';

/** The processes as a cluster runs them. */
export const workloads = chartData(loadRegistry(), [...processes, ...runtimes, migration]).processes;
export type Workload = (typeof workloads)[number];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files for the generator that the chart is rendered from, by their path from the root of the repository. */
export const chartFiles = (): readonly { path: string; content: string }[] => {
  const natsImage = imageOf(parseCompose(read('docker-compose.yml')).file?.services['nats-1'] ?? {}) ?? '';
  return [
    {
      path: 'deploy/helm/parlance/files/services.json',
      content: servicesText(chartData(loadRegistry(), [...processes, ...runtimes, migration])),
    },
    {
      path: 'deploy/kubernetes/engines/nats.yaml',
      content: natsChartValues(natsImage.slice(natsImage.indexOf(':') + 1)),
    },
  ];
};

/** The manifests of this checkout. */
export const currentSubject = (): Subject => ({
  renderings: Object.fromEntries(
    renderings.map((rendering) => [rendering.name, manifestFiles(rendering).flatMap(manifestsIn)]),
  ),
  registry: loadRegistry(),
  processes,
  composeImages: Object.values(parseCompose(read('docker-compose.yml')).file?.services ?? {}).map(
    (service) => imageOf(service) ?? '',
  ),
  metrics: metricsPage(),
  postgres: read('deploy/kubernetes/engines/postgres.yaml'),
});

/** The problems of the manifests, one sentence each. */
export const kubernetesProblems = (): readonly string[] => [
  ...staleRenderings(),
  ...checkKubernetes(currentSubject()),
];
