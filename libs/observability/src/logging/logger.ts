// JSON logs. Every line passes through redaction as a whole, so a new call site cannot forget it.
import { types } from 'node:util';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { type DestinationStream, type LevelWithSilent, type Logger as PinoLogger, pino } from 'pino';
import { currentContext } from './context.js';
import { describeError } from './describe-error.js';
import { redactLine } from './redact.js';

export type Logger = PinoLogger;

export interface LoggerOptions {
  readonly service: string;
  readonly level?: LevelWithSilent;
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
}

const contextFields = (): Record<string, string> => {
  const context = currentContext();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(context === undefined ? {} : { requestId: context.requestId }),
    ...(context?.organizationId === undefined ? {} : { organizationId: context.organizationId }),
    ...(context?.actor === undefined ? {} : { actor: context.actor }),
    ...(span !== undefined && isSpanContextValid(span) ? { traceId: span.traceId, spanId: span.spanId } : {}),
  };
};

const describeErrors = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.values(fields).some((value) => types.isNativeError(value))
    ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, describeError(value)]))
    : fields;

/**
 * A logger for one service. Lines carry the request and organization of the work at hand and the active trace. Errors go
 * under `err`, personal data under `pii`, which is not printed.
 */
export const createLogger = ({ service, level = 'info', destination }: LoggerOptions): Logger => {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: contextFields,
    // pino's own error serializer would print every field of an error
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }), log: describeErrors },
    hooks: { streamWrite: redactLine },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
};
