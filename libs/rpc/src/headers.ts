// What travels beside the payload of a request, and how a trace crosses NATS.
import { type Context, context, propagation } from '@opentelemetry/api';
import { headers, type MsgHdrs } from 'nats';

export interface RequestHeaders {
  /** Signed by the gateway or by a service for itself. */
  readonly caller: string;
  readonly requestId: string;
  /** Epoch milliseconds after which nobody waits for the answer. */
  readonly deadline: number;
  /** Deterministic id of the command behind an Idempotency-Key, when there is one. */
  readonly commandId?: string;
}

export const writeHeaders = (values: RequestHeaders): MsgHdrs => {
  const carrier = headers();
  carrier.set('x-caller', values.caller);
  carrier.set('x-request-id', values.requestId);
  carrier.set('x-deadline', String(values.deadline));
  if (values.commandId !== undefined) carrier.set('x-command-id', values.commandId);
  propagation.inject(context.active(), carrier, { set: (target, key, value) => target.set(key, value) });
  return carrier;
};

export const readHeaders = (carrier: MsgHdrs | undefined): RequestHeaders => {
  const commandId = carrier?.get('x-command-id');
  return {
    caller: carrier?.get('x-caller') ?? '',
    requestId: carrier?.get('x-request-id') ?? '',
    deadline: Number(carrier?.get('x-deadline')) || 0,
    ...(commandId ? { commandId } : {}),
  };
};

/** The sender's trace, or none. */
export const traceContext = (carrier: MsgHdrs | undefined): Context =>
  propagation.extract(context.active(), carrier, {
    get: (source, key) => source?.get(key) || undefined,
    keys: (source) => source?.keys() ?? [],
  });
