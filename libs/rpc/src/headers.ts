// What travels beside the payload of a request, and how a trace crosses NATS.
import {
  type Context,
  context,
  propagation,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';
import { headers, type MsgHdrs } from 'nats';

const names = {
  caller: 'x-caller',
  requestId: 'x-request-id',
  deadline: 'x-deadline',
  commandId: 'x-command-id',
  sealed: 'x-sealed',
} as const;

const setter: TextMapSetter<MsgHdrs> = { set: (carrier, key, value) => carrier.set(key, value) };
const getter: TextMapGetter<MsgHdrs> = {
  get: (carrier, key) => carrier.get(key) || undefined,
  keys: (carrier) => carrier.keys(),
};

/**
 * @param caller signed by the gateway, or by a service for itself
 * @param deadline epoch milliseconds after which nobody waits for the answer
 */
export const requestHeaders = (
  caller: string,
  requestId: string,
  deadline: number,
  commandId?: string,
): MsgHdrs => {
  const carrier = headers();
  carrier.set(names.caller, caller);
  carrier.set(names.requestId, requestId);
  carrier.set(names.deadline, String(deadline));
  if (commandId !== undefined) carrier.set(names.commandId, commandId);
  propagation.inject(context.active(), carrier, setter);
  return carrier;
};

/** Says that the payload is sealed. */
export const markSealed = (carrier: MsgHdrs): void => carrier.set(names.sealed, '1');

export interface RequestHeaders {
  readonly caller: string;
  readonly requestId: string;
  /** Epoch milliseconds; 0 when the sender set none. */
  readonly deadline: number;
  readonly commandId: string | undefined;
  /** The payload is that of a confidential row. */
  readonly isSealed: boolean;
}

export const readHeaders = (carrier: MsgHdrs): RequestHeaders => ({
  caller: carrier.get(names.caller),
  requestId: carrier.get(names.requestId),
  deadline: Number(carrier.get(names.deadline)) || 0,
  commandId: carrier.get(names.commandId) || undefined,
  isSealed: carrier.has(names.sealed),
});

/** The sender's trace, or the one at hand. */
export const traceOf = (carrier: MsgHdrs): Context => propagation.extract(context.active(), carrier, getter);
