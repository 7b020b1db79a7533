// docs/metrics.md, folded from the catalogue.
import { chapters } from './catalogue/catalogue.js';
import { type InstrumentDefinition, mostSeriesOf } from './catalogue/definition.js';
import { prometheusLabel, prometheusName } from './prometheus/names.js';

/** Sets that are listed on the page; larger ones come from the contract. */
const listedAtMost = 12;

const labelText = ([name, values]: readonly [string, readonly string[]]): string => {
  const shown =
    values.length <= listedAtMost
      ? values.map((value) => `\`${value}\``).join(', ')
      : `${values.length} values`;
  return `\`${prometheusLabel(name)}\` (${shown})`;
};

const rowOf = (row: InstrumentDefinition): string => {
  const labels = Object.entries(row.labels).map(labelText).join('; ');
  const cells = [
    `\`${prometheusName(row.name, row.unit, row.kind)}\``,
    `\`${row.name}\``,
    row.kind,
    row.library === undefined ? row.about : `${row.about} Recorded by ${row.library}.`,
    labels === '' ? 'none' : labels,
    String(mostSeriesOf(row)),
  ];
  return `| ${cells.join(' | ')} |`;
};

const introduction = `<!-- Written by \`npm run gen\` from libs/metrics/src/catalogue. Change it there. -->

# Metrics

Every process serves its metrics at \`/metrics\` of its ops listener (\`OPS_HOST\`, \`OPS_PORT\`), as Prometheus text, or as
OpenMetrics with exemplars where the scraper asks for it. With \`OTEL_EXPORTER_OTLP_ENDPOINT\` it also sends them to a
collector, under the names of the second column.

A label takes one of a fixed set of values, and \`other\` for everything else. No label holds an id, an address, a phone number
or a name of a customer ([ADR 32](adr/0032-observability.md)). The last column is the most series that one process can
have of an instrument, under any load.`;

export const metricsPage = (): string =>
  [
    introduction,
    ...chapters.map(({ title, instruments }) =>
      [
        `## ${title}`,
        '',
        '| Prometheus | OpenTelemetry | kind | meaning | labels | most series |',
        '|---|---|---|---|---|---|',
        ...instruments.map(rowOf),
      ].join('\n'),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
