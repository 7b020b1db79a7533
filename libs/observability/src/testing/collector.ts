// An OpenTelemetry collector as far as exporters see it on the wire: OTLP over gRPC, which is HTTP/2 without TLS, and over HTTP with JSON.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { messagesIn, sumsIn } from './otlp-wire.js';

/** A point of a sum, as it came over the wire. */
export interface ReceivedSum {
  readonly name: string;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly contentType: string;
  readonly service: string;
  /** `service.instance.id`, which tells copies of a process apart. */
  readonly instance: string;
  readonly sums: readonly ReceivedSum[];
}

export interface Collector {
  readonly url: string;
  readonly received: ReceivedRequest[];
  stop(): Promise<void>;
}

const bodyOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const headerOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');

/** OTLP over gRPC. It answers as a collector does: an empty message, and the status in the trailers. */
export const startGrpcCollector = async (): Promise<Collector> => {
  const received: ReceivedRequest[] = [];
  const sessions = new Set<{ destroy(): void }>();
  const server = createHttp2Server();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const answer = async (): Promise<void> => {
      for (const message of messagesIn(await bodyOf(stream)))
        received.push({
          path: headerOf(headers, ':path'),
          contentType: headerOf(headers, 'content-type'),
          ...sumsIn(message),
        });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.alloc(5));
    };
    answer().catch((error: Error) => stream.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
};

const Attributes = z.array(
  z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) }),
);
const Request = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.looseObject({
              name: z.string(),
              sum: z
                .object({
                  dataPoints: z.array(
                    z.looseObject({
                      attributes: Attributes,
                      asInt: z.coerce.number().optional(),
                      asDouble: z.number().optional(),
                    }),
                  ),
                })
                .optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

const textsOf = (attributes: z.infer<typeof Attributes>): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? '']));

const sumsInJson = (text: string): Pick<ReceivedRequest, 'service' | 'instance' | 'sums'> => {
  const { resourceMetrics } = Request.parse(JSON.parse(text));
  const resource = textsOf(resourceMetrics[0]?.resource.attributes ?? []);
  return {
    service: resource['service.name'] ?? '',
    instance: resource['service.instance.id'] ?? '',
    sums: resourceMetrics
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .flatMap(({ name, sum }) =>
        (sum?.dataPoints ?? []).map(({ attributes, asInt, asDouble }) => ({
          ...{ name, value: asInt ?? asDouble ?? Number.NaN, attributes: textsOf(attributes) },
        })),
      ),
  };
};

/** OTLP over HTTP with JSON. */
export const startJsonCollector = async (): Promise<Collector> => {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const text = (await bodyOf(request)).toString();
      const contentType = headerOf(request.headers, 'content-type');
      received.push({ path: request.url ?? '', contentType, ...sumsInJson(text) });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    answer().catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
