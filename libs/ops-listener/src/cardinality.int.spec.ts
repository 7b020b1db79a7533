// The series that 100,000 calls of 500 organizations leave in a process, by the handles that record them and the real SDK.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callables, operations } from '@parlance/contracts';
import { errorCodes } from '@parlance/errors';
import {
  attempts,
  counter,
  histogram,
  httpDuration,
  httpResponses,
  paceGranted,
  routes,
  rpcDuration,
  toolExecutions,
  webhookTries,
} from '@parlance/metrics';
import { createLogger } from '@parlance/observability';
import { type Ops, openOps } from './index.js';

const [calls, organizations, mostSeries] = [100_000, 500, 5_000];
let ops: Ops;

beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  ops = await openOps({ service: 'gateway', env: { OPS_PORT: 0 }, logger });
});
afterAll(() => ops?.stop());

const handles = {
  http: histogram(httpDuration),
  responses: counter(httpResponses),
  rpc: histogram(rpcDuration),
  attempts: counter(attempts),
  pace: counter(paceGranted),
  tools: histogram(toolExecutions),
  webhooks: histogram(webhookTries),
};

const codes = Object.keys(errorCodes);
const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('an empty list');
  return item;
};

/** Every operation with every status and error, and an id of its own wherever a careless call site might put one. */
const recordCall = (index: number, organizationId: string): void => {
  const { id } = at(operations, index);
  const status = String(200 + (index % 400));
  const where = routes.get(id);
  handles.http.record((index % 300) / 100, {
    ...{ 'parlance.operation': index % 50 === 0 ? organizationId : id, 'http.route': where?.route },
    ...{ 'http.request.method': where?.method, 'error.type': index % 3 === 0 ? status : undefined },
  });
  handles.responses.add({ 'parlance.operation': id, 'http.response.status_code': status });
  const row = at(callables, index);
  handles.rpc.record(0.01, {
    ...{ 'rpc.system': 'nats', 'rpc.service': row.service, 'rpc.method': row.id },
    'error.type': index % 2 === 0 ? at(codes, Math.floor(index / 7)) : undefined,
  });
  handles.attempts.add({ 'parlance.attempt.outcome': index % 9 === 0 ? randomUUID() : 'answered' });
  handles.pace.add({ 'parlance.pace.account': `campaign:${organizationId}` });
  handles.tools.record(0.2, { 'parlance.result': organizationId });
  handles.webhooks.record(0.2, { 'parlance.result': 'delivered' });
};

it('100,000 calls of 500 organizations leave fewer than 5,000 series in a process, and no id', async () => {
  const ids = Array.from({ length: organizations }, () => randomUUID());
  for (let call = 0; call < calls; call += 1) recordCall(call, at(ids, call));
  const text = await (await fetch(`${ops.url}/metrics`)).text();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(series.length).toBeGreaterThan(500);
  expect(series.length).toBeLessThan(mostSeries);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  // No count is lost: the series beyond the limit of an instrument are counted as one.
  const counted = series
    .filter((line) => line.startsWith('parlance_http_responses_total'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  expect(counted).toBe(calls);
});
