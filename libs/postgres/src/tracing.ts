// One trace from the request that caused an event to the effect it has elsewhere: the context travels in the headers.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

type Headers = Readonly<Record<string, string>>;

/** The trace context of the work at hand, as message headers; empty when nothing is traced. */
export const traceHeaders = (): Headers => {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
};

/** Runs the handling of a message as a part of the trace that its headers name. */
export const inMessageSpan = <T>(name: string, headers: Headers, work: () => Promise<T>): Promise<T> => {
  const cause = propagation.extract(context.active(), headers);
  const tracer = trace.getTracer('@parlance/postgres');
  return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, cause, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
};
