import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue/catalogue.js';
import { mostSeriesOf } from './catalogue/definition.js';
import { prometheusName } from './prometheus/names.js';

const mostSeriesOfAProcess = 5_100;

describe('the catalogue', () => {
  it('keeps a process under 5,100 series, whatever is recorded, also one that is gateway and service at once', () => {
    const series = catalogue.reduce((sum, row) => sum + mostSeriesOf(row), 0);
    expect(series).toBeLessThan(mostSeriesOfAProcess);
  });

  it('names every instrument once, also as Prometheus names it', () => {
    const names = catalogue.map(({ name, unit, kind }) => prometheusName(name, unit, kind));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  it('has no label for what identifies somebody', () => {
    const labels = new Set(catalogue.flatMap((row) => Object.keys(row.labels)));
    for (const label of labels) expect(label).not.toMatch(/(^|[._])(id|organization|call|agent|phone|user)$/);
    const values = catalogue.flatMap((row) => Object.values(row.labels).flat());
    for (const value of values) expect(value).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\+\d{6}/);
  });
});

describe('a name in the Prometheus text', () => {
  it.each([
    ['http.server.request.duration', 's', 'histogram', 'http_server_request_duration_seconds'],
    ['process.memory.usage', 'By', 'gauge', 'process_memory_usage_bytes'],
    ['parlance.http.responses', '{response}', 'counter', 'parlance_http_responses_total'],
    ['nodejs.eventloop.utilization', '1', 'gauge', 'nodejs_eventloop_utilization_ratio'],
  ] as const)('%s in %s is %s', (name, unit, kind, expected) => {
    expect(prometheusName(name, unit, kind)).toBe(expected);
  });
});
