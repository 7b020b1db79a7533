// One trace on both sides of a real nats-server, with the attributes by which a failure is found.
import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, Module } from '@nestjs/common';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { contract, type StreamEvent, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { callerEnvOf, eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import {
  connectNats,
  platformCaller,
  RequestSigner,
  RequestVerifier,
  RpcClient,
  type RpcService,
  Serves,
  startRpcService,
} from './index.js';

const { agentsForCall: forCall } = serviceRequests;
const body = { agentId: '018f0000-0000-7000-8000-000000000001' };
const exporter = new InMemorySpanExporter();
let sdk: NodeSDK;
let engines: TestEngines;
let nats: NatsConnection;
let service: RpcService;
let streaming: RpcService;
let failure: AppError | undefined;

@Serves()
class Agents {
  async 'agents.forCall'(): Promise<unknown> {
    if (failure !== undefined) throw failure;
    return {
      ...body,
      name: 'Ada',
      isActive: true,
      configVersion: 1,
      allowedOverrides: [],
      maxDurationSeconds: 60,
    };
  }
}

@Serves()
class Widgets {
  async 'widgets.sendMessage'(): Promise<AsyncIterable<StreamEvent<typeof contract.widgetsSendMessage>>> {
    return halfAnAnswer();
  }
}

async function* halfAnAnswer(): AsyncGenerator<StreamEvent<typeof contract.widgetsSendMessage>> {
  yield { event: 'text', data: { delta: 'Half' } };
  throw new AppError('SERVICE_UNAVAILABLE');
}

@Module({})
class AgentsModule {}
@Module({})
class WidgetsModule {}

const module: DynamicModule = { module: AgentsModule, controllers: [Agents] };

beforeAll(async () => {
  sdk = new NodeSDK({
    ...{ autoDetectResources: false, metricReaders: [], logRecordProcessors: [] },
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  sdk.start();
  engines = await testEngines({ nats: true });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  const logger = createLogger({ service: 'test', level: 'silent' });
  service = await startRpcService({
    ...{ service: 'agents-config', nats, logger, module },
    verifier: new RequestVerifier('agents-config', callerEnvOf('agents-config')),
  });
  streaming = await startRpcService({
    ...{ service: 'widgets', nats, logger, module: { module: WidgetsModule, controllers: [Widgets] } },
    verifier: new RequestVerifier('widgets', callerEnvOf('widgets')),
  });
});
afterAll(async () => {
  await Promise.all([service?.stop(), streaming?.stop()]);
  await nats?.close();
  await engines?.stop();
  await sdk?.shutdown();
  for (const api of [trace, context, propagation]) api.disable();
});
beforeEach(() => {
  exporter.reset();
  failure = undefined;
});

const ask = async () => {
  const caller = platformCaller('calls-logs', 'organization');
  const signer = new RequestSigner('calls-logs', callerEnvOf('calls-logs'));
  return new RpcClient(nats, { signer }).call(forCall, { body }, { caller, requestId: 'request' });
};

const finished = () => {
  const spans = exporter.getFinishedSpans();
  const of = (kind: SpanKind) => spans.find((span) => span.kind === kind);
  const [client, server] = [of(SpanKind.CLIENT), of(SpanKind.SERVER)];
  if (client === undefined || server === undefined) throw new Error('a side has no span');
  return { client, server };
};

const rpc = { 'rpc.system': 'nats', 'rpc.service': 'agents-config', 'rpc.method': 'agents.forCall' };

describe('a request over NATS', () => {
  it('is one trace, the side that answers below the side that asks', async () => {
    await ask();
    const { client, server } = finished();
    expect(server.spanContext().traceId).toBe(client.spanContext().traceId);
    expect(server.parentSpanContext?.spanId).toBe(client.spanContext().spanId);
    for (const { attributes } of [client, server]) expect(attributes).toEqual(rpc);
  });

  it('names its error on both sides, and is a failure of the service only where the service failed', async () => {
    failure = new AppError('AGENT_NOT_FOUND');
    await expect(ask()).rejects.toThrow();
    const refused = finished();
    for (const { attributes } of [refused.client, refused.server])
      expect(attributes).toEqual({ ...rpc, 'error.type': 'AGENT_NOT_FOUND' });
    expect(refused.server.status.code).toBe(0);

    exporter.reset();
    failure = new AppError('SERVICE_UNAVAILABLE');
    await expect(ask()).rejects.toThrow();
    expect(finished().server.status.code).toBe(2);
  });

  it('names the error that ended its stream', async () => {
    const signer = new RequestSigner('gateway', callerEnvOf('gateway'));
    const id = body.agentId;
    const input = {
      params: { widgetId: id, sessionId: id },
      query: {},
      body: { endToken: 'secret', text: 'Hello' },
    };
    const asking = { caller: platformCaller('gateway', 'organization'), requestId: 'request' };
    const stream = await new RpcClient(nats, { signer }).open(contract.widgetsSendMessage, input, asking);
    const reading = async () => {
      for await (const _ of stream);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() =>
      expect(finished().server.attributes).toMatchObject({ 'error.type': 'SERVICE_UNAVAILABLE' }),
    );
  });
});
