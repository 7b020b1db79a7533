import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { createLogger } from '../logging/logger.js';
import { flushTelemetry, startTelemetry } from './telemetry.js';

const received: string[] = [];
let collector: Server;
const unscraped = { isScraped: false, setLimits: new Map<string, number>() };
const sendingTo = (port: number) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterAll(() => {
  collector.close();
});

describe('telemetry', () => {
  it('does nothing without an endpoint', async () => {
    const telemetry = startTelemetry({ service: 'test', env: {}, ...unscraped });
    expect(trace.getTracer('test').startSpan('x').isRecording()).toBe(false);
    await flushTelemetry();
    await telemetry.stop();
  });

  it('sends redacted spans to the collector and puts the trace id into log lines', async () => {
    const { port } = collector.address() as AddressInfo; // listening on TCP
    const telemetry = startTelemetry({ service: 'test-service', env: sendingTo(port), ...unscraped });
    const lines: string[] = [];
    const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
    trace.getTracer('test').startActiveSpan('visible-name', (span) => {
      logger.info('inside');
      span.setAttribute('db.statement', 'select 1 -- parl_live_canaryCANARY');
      span.setAttribute('http.request.header.authorization', 'canary-two');
      span.recordException(new Error('password=canary-three'));
      span.setStatus({ code: 2, message: 'to +14155550100' });
      span.end();
      expect(lines[0]).toContain(span.spanContext().traceId);
    });
    await flushTelemetry();
    const sent = received.join('\n');
    expect(sent).toContain('/v1/traces');
    expect(sent).toContain('test-service');
    expect(sent).toContain('visible-name');
    expect(sent).not.toMatch(/canary/i);
    expect(sent).not.toContain('4155550100');
    await startTelemetry({ service: 'second', env: sendingTo(port), ...unscraped }).stop();
    expect(trace.getTracer('test').startSpan('still-on').isRecording()).toBe(true);
    await telemetry.stop();
  });
});
