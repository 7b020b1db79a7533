// Metrics as they arrive at a collector, over each protocol that OTEL_EXPORTER_OTLP_PROTOCOL may name besides the usual one.
import { afterEach, describe, expect, it } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { type Collector, startGrpcCollector, startJsonCollector } from '../testing/collector.js';
import { flushTelemetry, startTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.js';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});

const telemetryOptions = (protocol: 'grpc' | 'http/json', url: string): TelemetryOptions => ({
  service: 'test-service',
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_TRACES_EXPORTER: 'none',
    // Nothing is sent by itself while the test lasts.
    OTEL_METRIC_EXPORT_INTERVAL: '600000',
  },
  isScraped: false,
  setLimits: new Map(),
});

const start = (protocol: 'grpc' | 'http/json', url: string): Telemetry => {
  const telemetry = startTelemetry(telemetryOptions(protocol, url));
  running.push(telemetry);
  return telemetry;
};

const measured = ({ received }: Collector) =>
  received.flatMap(({ sums }) => sums).filter(({ name }) => name === 'test.calls');

describe.each([
  [
    'grpc',
    startGrpcCollector,
    '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
    'application/grpc',
  ],
  ['http/json', startJsonCollector, '/v1/metrics', 'application/json'],
] as const)('over %s', (protocol, startCollector, path, contentType) => {
  it('a measurement arrives with its name, labels and value, and with the name of the process', async () => {
    const collector = await startCollector();
    running.push(collector);
    start(protocol, collector.url);
    const counter = metrics.getMeter('test').createCounter('test.calls');
    counter.add(3, { outcome: 'completed' });
    counter.add(4, { outcome: 'completed' });
    counter.add(0.5, { outcome: 'failed' });
    await flushTelemetry();
    expect(collector.received).toMatchObject([{ path, contentType, service: 'test-service' }]);
    expect(measured(collector)).toEqual([
      { name: 'test.calls', value: 7, attributes: { outcome: 'completed' } },
      { name: 'test.calls', value: 0.5, attributes: { outcome: 'failed' } },
    ]);
  });

  it('copies of a process are told apart, so that their counts are not one series', async () => {
    const collector = await startCollector();
    running.push(collector);
    for (const count of [3, 4]) {
      // Each copy has modules of its own, as each process has.
      const address: string = `./telemetry.js?replica=${protocol}-${count}`;
      const copy = (await import(address)) as typeof import('./telemetry.js');
      const telemetry = copy.startTelemetry(telemetryOptions(protocol, collector.url));
      metrics.getMeter('test').createCounter('test.calls').add(count);
      await copy.flushTelemetry();
      metrics.getMeter('test').createCounter('test.calls').add(count);
      await telemetry.stop();
    }
    const [first, again, second] = collector.received.map(({ instance }) => instance);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again).toBe(first);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('what was measured last is sent when the process stops', async () => {
    const collector = await startCollector();
    running.push(collector);
    const telemetry = start(protocol, collector.url);
    metrics.getMeter('test').createCounter('test.calls').add(1);
    await telemetry.stop();
    expect(measured(collector)).toEqual([{ name: 'test.calls', value: 1, attributes: {} }]);
  });
});
