// Spans of requests, on both sides of NATS, by the semantic conventions of remote procedure calls.
import {
  type Context,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { Callable } from '@parlance/contracts';
import { AppError, type ErrorCode, errorCodes } from '@parlance/errors';

/** The attributes of spans and measurements for the row that is asked for. */
export const rpcAttributes = ({ service, id }: Pick<Callable, 'service' | 'id'>) => ({
  'rpc.system': 'nats',
  'rpc.service': service,
  'rpc.method': id,
});

/** The provider behind the proxy of the API, while none was set. */
const nothing = new ProxyTracerProvider().getDelegate();

/** False where no spans are wanted: a request then costs none. */
export const isTracing = (): boolean => {
  const provider: TracerProvider & Partial<Pick<ProxyTracerProvider, 'getDelegate'>> =
    trace.getTracerProvider();
  return (provider.getDelegate?.() ?? provider) !== nothing;
};

/** Found at each use: a tracer belongs to the provider that was set when it was made. */
const tracer = () => trace.getTracer('@parlance/rpc');

const nameOf = ({ service, id }: Callable): string => `${service}/${id}`;

/** Runs a request as a span, whose trace its headers carry. */
export const inClientSpan = <T>(row: Callable, work: () => Promise<T>): Promise<T> => {
  if (!isTracing()) return work();
  return tracer().startActiveSpan(
    nameOf(row),
    { kind: SpanKind.CLIENT, attributes: rpcAttributes(row) },
    async (span) => {
      try {
        return await work();
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
        span.setAttribute('error.type', code);
        span.setStatus({ code: SpanStatusCode.ERROR, message: code });
        throw error;
      } finally {
        span.end();
      }
    },
  );
};

/** A span in the trace of the caller; undefined where no spans are wanted. */
export const startServerSpan = (row: Callable, parentOf: () => Context): Span | undefined =>
  isTracing()
    ? tracer().startSpan(nameOf(row), { kind: SpanKind.SERVER, attributes: rpcAttributes(row) }, parentOf())
    : undefined;

const firstFailure = 500;

/** @param code of an error that was answered instead of data; a refusal is no failure of the service */
export const endServerSpan = (span: Span | undefined, code: ErrorCode | undefined): void => {
  if (span === undefined) return;
  if (code !== undefined) {
    span.setAttribute('error.type', code);
    if (errorCodes[code].status >= firstFailure)
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }
  span.end();
};
