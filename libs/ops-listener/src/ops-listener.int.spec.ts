// The ops listener of a process, asked over HTTP, with the real SDK of OpenTelemetry behind it.
import { afterEach, describe, expect, it } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { counter, dependencyUp, histogram, httpDuration, httpResponses } from '@parlance/metrics';
import { checkNames, createLogger, Readiness } from '@parlance/observability';
import { type Ops, openOps } from './index.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let open: Ops | undefined;

const openOn = async (env: object = { OPS_PORT: 0 }): Promise<string> => {
  open = await openOps({ service: 'calls-logs', env, logger });
  return open.url ?? '';
};

afterEach(async () => {
  await open?.stop();
  open = undefined;
});

const ask = async (url: string, init?: RequestInit) => {
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const duration = histogram(httpDuration);
const responses = counter(httpResponses);
const ofList = {
  'parlance.operation': 'calls.list',
  'http.request.method': 'GET',
  'http.route': '/api/v1/calls',
};

describe('the ops listener', () => {
  it('says that a process is alive and starting, then ready, then draining', async () => {
    const url = await openOn();
    expect((await ask(`${url}/livez`)).status).toBe(200);
    for (const probe of ['startupz', 'readyz']) {
      const { status, text } = await ask(`${url}/${probe}`);
      expect([status, JSON.parse(text).reasons]).toEqual([503, ['starting']]);
    }
    const readiness = new Readiness(logger);
    open?.started(() => readiness.report());
    for (const probe of ['livez', 'startupz', 'readyz'])
      expect((await ask(`${url}/${probe}`)).status).toBe(200);
    readiness.draining = true;
    const { status, text } = await ask(`${url}/readyz`);
    expect([status, JSON.parse(text).reasons]).toEqual([503, ['draining']]);
    expect((await ask(`${url}/livez`)).status).toBe(200);
  });

  it('is not ready without what its core work needs, and ready without what it can do without', async () => {
    const url = await openOn();
    const readiness = new Readiness(logger);
    const failing = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'));
    readiness.add('mediaServer', { required: false, check: failing });
    open?.started(() => readiness.report());
    readiness.start();
    expect((await ask(`${url}/readyz`)).status).toBe(200);
    readiness.add('readModel', { required: true, check: failing });
    const { status, text } = await ask(`${url}/readyz`);
    expect(status).toBe(503);
    expect(text).toContain('readModel');
    expect(text).not.toContain('10.1.2.3');
    readiness.stop();
  });

  it('measures every dependency that readiness knows', () => {
    expect(dependencyUp.labels['parlance.dependency']).toEqual(checkNames);
  });

  it('answers GET on its paths alone', async () => {
    const url = await openOn();
    expect((await ask(`${url}/livez`, { method: 'POST' })).status).toBe(405);
    expect((await ask(`${url}/`)).status).toBe(404);
    expect((await ask(`${url}/metrics/..%2f`)).status).toBe(404);
  });

  it('lets the doctor look with the variables of the process, once for callers at the same time', async () => {
    const NATS_URL = 'nats://calls-logs:a-password-of-nats@127.0.0.1:1';
    const url = await openOn({ OPS_PORT: 0, NATS_URL, POSTGRES_URL: undefined });
    const [first, second] = await Promise.all([ask(`${url}/doctor`), ask(`${url}/doctor`)]);
    expect(first.text).toBe(second.text);
    expect(first.status).toBe(200);
    const { findings } = JSON.parse(first.text);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'NATS_UNREACHABLE',
        subject: '127.0.0.1:1',
        processes: ['calls-logs'],
      }),
    );
    expect(first.text).not.toContain('a-password-of-nats');
  });

  it('is not there without a port, and nothing is then measured', async () => {
    expect(await openOn({})).toBe('');
    responses.add({ 'parlance.operation': 'calls.list', 'http.response.status_code': '200' });
    await open?.stop();
    const text = (await ask(`${await openOn()}/metrics`)).text;
    expect(text).not.toContain('parlance_http_responses_total');
  });

  it('writes what was recorded with units, and never a label value that is not in the catalogue', async () => {
    const url = await openOn();
    duration.record(0.2, ofList);
    responses.add({ 'parlance.operation': 'calls.list', 'http.response.status_code': '200' });
    responses.add({ 'parlance.operation': '4c7f6c1e-canary', 'http.response.status_code': '+14155550100' });
    const { text, headers } = await ask(`${url}/metrics`);
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(text).toContain(
      'http_server_request_duration_seconds_bucket{parlance_operation="calls.list",http_request_method="GET",http_route="/api/v1/calls",le="0.25"} 1\n',
    );
    expect(text).toContain(
      'parlance_http_responses_total{parlance_operation="calls.list",http_response_status_code="200"} 1\n',
    );
    expect(text).toContain(
      'parlance_http_responses_total{parlance_operation="other",http_response_status_code="other"} 1\n',
    );
    expect(text).not.toMatch(/canary|4155550100/);
    expect(text).toMatch(/^process_memory_usage_bytes \d+$/m);
    expect(text).toMatch(/^v8js_memory_heap_used_bytes/m);
    expect(text).toContain('target_info{service_name="calls-logs"');
  });

  it('leads from a slow bucket to its trace where OpenMetrics is asked for', async () => {
    const url = await openOn();
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
    const traced = trace.setSpanContext(context.active(), span);
    duration.record(2, ofList, traced);
    duration.record(0.02, ofList);
    const { text, headers } = await ask(`${url}/metrics`, {
      headers: { accept: 'application/openmetrics-text;version=1.0.0' },
    });
    expect(headers.get('content-type')).toContain('application/openmetrics-text');
    const exemplars = text.split('\n').filter((line) => line.includes('# {trace_id='));
    expect(exemplars).toHaveLength(1);
    expect(exemplars[0]).toMatch(/le="2.5"} 2 # {trace_id="a{32}",span_id="b{16}"} 2 \d+\.\d{3}$/);
    expect(text.endsWith('# EOF\n')).toBe(true);
    expect(text).toContain('# TYPE http_server_request_duration_seconds histogram');
  });
});
