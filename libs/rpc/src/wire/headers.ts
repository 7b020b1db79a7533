// The headers beside the payload of a request, and the trace that they carry across NATS.
import {
  type Context,
  context,
  propagation,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';
import { headers, type MsgHdrs } from 'nats';

const names = {
  callerToken: 'x-caller-token',
  /** The token of version 0.1. */
  earlierToken: 'x-caller',
  requestId: 'x-request-id',
  deadline: 'x-deadline',
  commandId: 'x-command-id',
  sealed: 'x-sealed',
  sealedKey: 'x-sealed-key',
} as const;

const setter: TextMapSetter<MsgHdrs> = { set: (carrier, key, value) => carrier.set(key, value) };
const getter: TextMapGetter<MsgHdrs> = {
  get: (carrier, key) => carrier.get(key) || undefined,
  keys: (carrier) => carrier.keys(),
};

export interface HeadersToSend {
  readonly requestId: string;
  /** Epoch milliseconds after which the sender stops waiting for the answer. */
  readonly deadline: number;
  readonly commandId: string | undefined;
  readonly earlierToken: string | undefined;
}

/** The headers of a request; the caller is signed when the rest is known. */
export const requestHeaders = ({ requestId, deadline, commandId, earlierToken }: HeadersToSend): MsgHdrs => {
  const carrier = headers();
  carrier.set(names.requestId, requestId);
  carrier.set(names.deadline, String(deadline));
  if (commandId !== undefined) carrier.set(names.commandId, commandId);
  if (earlierToken !== undefined) carrier.set(names.earlierToken, earlierToken);
  propagation.inject(context.active(), carrier, setter);
  return carrier;
};

export const addCaller = (carrier: MsgHdrs, callerToken: string): void =>
  carrier.set(names.callerToken, callerToken);

/** Says that the payload is sealed, and with which data key. */
export const addSealedKey = (carrier: MsgHdrs, sealedKey: string): void => {
  carrier.set(names.sealed, '1');
  carrier.set(names.sealedKey, sealedKey);
};

export interface RequestHeaders {
  readonly callerToken: string | undefined;
  /** The token of version 0.1. */
  readonly earlierToken: string | undefined;
  readonly requestId: string;
  /** Epoch milliseconds; 0 when the sender set none. */
  readonly deadline: number;
  readonly commandId: string | undefined;
  /** The payload is that of a confidential row. */
  readonly isSealed: boolean;
  readonly sealedKey: string | undefined;
}

export const readHeaders = (carrier: MsgHdrs): RequestHeaders => ({
  callerToken: carrier.get(names.callerToken) || undefined,
  earlierToken: carrier.get(names.earlierToken) || undefined,
  requestId: carrier.get(names.requestId),
  deadline: Number(carrier.get(names.deadline)) || 0,
  commandId: carrier.get(names.commandId) || undefined,
  isSealed: carrier.has(names.sealed),
  sealedKey: carrier.get(names.sealedKey) || undefined,
});

/** The sender's trace, or the one at hand. */
export const traceOf = (carrier: MsgHdrs): Context => propagation.extract(context.active(), carrier, getter);
