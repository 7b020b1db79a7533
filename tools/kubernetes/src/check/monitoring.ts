// The component monitoring finds every process, and names it as the alerts do.
import { type Manifest, nameOf } from '../manifest.js';
import { podsOf } from './pods.js';
import { schemaProblems } from './schemas.js';

/** The job in a query of an alert, such as `up{job="parlance"}`. */
const jobsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bjob="([^"]+)"/g)].map(([, job = '']) => job);

/** @param base the manifests of the processes */
export const monitoringProblems = (
  component: readonly Manifest[],
  base: readonly Manifest[],
): readonly string[] => {
  const monitors = component.flatMap((manifest) => (manifest.kind === 'PodMonitor' ? [manifest] : []));
  const rules = component.flatMap((manifest) => (manifest.kind === 'PrometheusRule' ? [manifest] : []));
  const endpoints = monitors.flatMap(({ spec }) => spec.podMetricsEndpoints);
  const isSelected = (labels: Readonly<Record<string, string>>): boolean =>
    monitors.some(({ spec }) =>
      Object.entries(spec.selector.matchLabels).every(([label, value]) => labels[label] === value),
    );
  const unseen = podsOf(base)
    .filter(({ kind }) => kind === 'Deployment')
    .filter(({ labels, spec }) => {
      const ports = spec.containers.flatMap((container) => container.ports ?? []);
      return !(isSelected(labels) && endpoints.some(({ port }) => ports.some(({ name }) => name === port)));
    })
    .map(({ owner }) => `no PodMonitor collects the metrics of ${owner}`);
  const given = endpoints
    .flatMap(({ relabelings }) => relabelings)
    .flatMap(({ targetLabel, replacement }) => (targetLabel === 'job' ? [replacement] : []));
  const unknown = rules
    .flatMap(({ spec }) => spec.groups.flatMap((group) => group.rules))
    .flatMap(({ alert, expr }) =>
      jobsIn(expr)
        .filter((job) => !given.includes(job))
        .map((job) => `the alert ${alert} asks for the job ${job}, which no PodMonitor gives`),
    );
  const misfits = component.flatMap((manifest) =>
    schemaProblems(manifest).map((problem) => `${manifest.kind} ${nameOf(manifest)} ${problem}`),
  );
  return [...misfits, ...unseen, ...unknown].map((problem) => `component monitoring: ${problem}`);
};
