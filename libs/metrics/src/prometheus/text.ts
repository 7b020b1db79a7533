// The measurements of a process, as the text that Prometheus reads, or as OpenMetrics with exemplars. The exporter of
// OpenTelemetry for Node writes neither units nor exemplars.
import type { Attributes } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Kind } from '../catalogue/definition.js';
import { type Exemplar, exemplarOf } from '../recording/exemplars.js';
import { prometheusLabel, prometheusName } from './names.js';

export type TextFormat = 'prometheus' | 'openMetrics';

export const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const numberText = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
};

const labelText = (attributes: Attributes, more: Attributes = {}): string => {
  const pairs = Object.entries({ ...attributes, ...more }).map(
    ([name, value]) => `${prometheusLabel(name)}="${escaped(String(value))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

const exemplarText = (exemplar: Exemplar | undefined): string => {
  if (exemplar === undefined) return '';
  const { traceId, spanId, value, at } = exemplar;
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${numberText(value)} ${at.toFixed(3)}`;
};

const isHistogram = (point: DataPoint<unknown>): point is DataPoint<Histogram> =>
  typeof point.value === 'object' && point.value !== null && 'buckets' in point.value;

const kindOf = (metric: MetricData): Kind => {
  const [point] = metric.dataPoints;
  if (point !== undefined && typeof point.value === 'object') return 'histogram';
  return 'isMonotonic' in metric && metric.isMonotonic ? 'counter' : 'gauge';
};

const histogramLines = (
  metric: MetricData,
  name: string,
  { attributes, value }: DataPoint<Histogram>,
  format: TextFormat,
): readonly string[] => {
  let sum = 0;
  const buckets = value.buckets.counts.map((count, index) => {
    sum += count;
    const le = numberText(value.buckets.boundaries[index] ?? Number.POSITIVE_INFINITY);
    const exemplar =
      format === 'openMetrics' ? exemplarOf(metric.descriptor.name, attributes, index) : undefined;
    return `${name}_bucket${labelText(attributes, { le })} ${sum}${exemplarText(exemplar)}`;
  });
  const labels = labelText(attributes);
  return [
    ...buckets,
    `${name}_sum${labels} ${numberText(value.sum ?? 0)}`,
    `${name}_count${labels} ${value.count}`,
  ];
};

const familyLines = (metric: MetricData, format: TextFormat): readonly string[] => {
  const points: readonly DataPoint<unknown>[] = metric.dataPoints;
  if (points.length === 0) return [];
  const { name: given, unit, description } = metric.descriptor;
  const kind = kindOf(metric);
  const name = prometheusName(given, unit, kind);
  // OpenMetrics names a family of counters without the suffix of its samples.
  const family = format === 'openMetrics' && kind === 'counter' ? name.replace(/_total$/, '') : name;
  return [
    `# HELP ${family} ${escaped(description)}`,
    `# TYPE ${family} ${kind}`,
    ...points.flatMap((point) =>
      isHistogram(point)
        ? histogramLines(metric, name, point, format)
        : [`${name}${labelText(point.attributes)} ${numberText(Number(point.value))}`],
    ),
  ];
};

/**
 * Attributes of the resource, which identify the process, as one sample that is always 1. The scraper itself tells copies
 * apart, by its label `instance`. So the id of the copy is left out: with it each start would be a new series.
 */
const targetLines = (
  { 'service.instance.id': _, ...attributes }: Attributes,
  format: TextFormat,
): readonly string[] => [
  `# HELP ${format === 'openMetrics' ? 'target' : 'target_info'} The identity of the process.`,
  `# TYPE ${format === 'openMetrics' ? 'target info' : 'target_info gauge'}`,
  `target_info${labelText(attributes)} 1`,
];

export const renderMetrics = (collected: ResourceMetrics, format: TextFormat): string =>
  [
    ...targetLines(collected.resource.attributes as Attributes, format),
    ...collected.scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric) => familyLines(metric, format)),
    ),
    ...(format === 'openMetrics' ? ['# EOF'] : []),
    '',
  ].join('\n');
