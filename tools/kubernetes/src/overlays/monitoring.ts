// The collection of metrics by the Prometheus Operator, the alerts, and the boards of Grafana: a component for kustomize.
import { monitoringFiles } from '@parlance/monitoring';
import { parse } from 'yaml';
import { type Manifest, PodMonitor, PrometheusRule } from '../manifest.js';
import { selectorOf } from '../objects/pods.js';
import { opsPort } from '../workloads/workload.js';
import { generatedLine, manifestsFile, yamlOf } from '../yaml.js';
import type { Files } from './kustomizations.js';

const labels = { 'app.kubernetes.io/part-of': 'parlance' };

/** The alerts and the boards know the processes by this name, as in deploy/observability/prometheus/prometheus.yml. */
const job = 'parlance';

const podMonitor: PodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name: 'parlance', labels },
  spec: {
    selector: { matchLabels: { ...labels, 'app.kubernetes.io/component': 'process' } },
    podMetricsEndpoints: [
      {
        port: opsPort.name,
        path: '/metrics',
        interval: '15s',
        relabelings: [
          { targetLabel: 'job', replacement: job },
          {
            sourceLabels: [
              `__meta_kubernetes_pod_label_${Object.keys(selectorOf(''))
                .join('')
                .replaceAll(/[^a-z]/g, '_')}`,
            ],
            targetLabel: 'process',
          },
        ],
      },
    ],
  },
};

const fileEnding = (ending: string) => monitoringFiles().filter(({ path }) => path.endsWith(ending));

const rule = (): PrometheusRule => {
  const [alerts] = fileEnding('/alerts.yml');
  return PrometheusRule.parse({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'parlance', labels },
    spec: parse(alerts?.content ?? ''),
  });
};

/** The sidecar of Grafana's chart looks for this label. */
const boards = (): readonly Manifest[] =>
  fileEnding('.json').map(({ path, content }) => {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `board-${file.replace('.json', '')}`,
        labels: { ...labels, grafana_dashboard: '1' },
      },
      data: { [file]: content },
    };
  });

/** By file. */
export const monitoringObjects = (): Readonly<Record<string, readonly Manifest[]>> => ({
  'pod-monitor.yaml': [podMonitor],
  'alerts.yaml': [rule()],
  'boards.yaml': boards(),
});

export const monitoringComponent = (objects: Readonly<Record<string, readonly Manifest[]>>): Files => ({
  ...Object.fromEntries(
    Object.entries(objects).map(([file, manifests]) => [
      `components/monitoring/${file}`,
      manifestsFile(manifests),
    ]),
  ),
  'components/monitoring/kustomization.yaml':
    generatedLine +
    yamlOf({
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      resources: Object.keys(objects),
    }),
});
