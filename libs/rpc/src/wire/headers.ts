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
  /** The sender makes envelopes. */
  envelope: 'x-envelope',
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
  /** The sender would send this service envelopes, too. */
  readonly offersEnvelopes: boolean;
}

const envelopeVersion = '2';

/** Beside an envelope. A replica of a release before ignores a message without headers, and answers one without a token. */
export const envelopeHeaders = (): MsgHdrs => {
  const carrier = headers();
  carrier.set(names.envelope, envelopeVersion);
  return carrier;
};

/** The trace at hand, for the head of an envelope; undefined where nothing is traced. */
export const carriedTrace = (): Record<string, string> | undefined => {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.keys(carrier).length === 0 ? undefined : carrier;
};

/** The headers of a signed request; the caller is signed when the rest is known. */
export const requestHeaders = ({
  requestId,
  deadline,
  commandId,
  earlierToken,
  offersEnvelopes,
}: HeadersToSend): MsgHdrs => {
  const carrier = headers();
  carrier.set(names.requestId, requestId);
  carrier.set(names.deadline, String(deadline));
  if (commandId !== undefined) carrier.set(names.commandId, commandId);
  if (earlierToken !== undefined) carrier.set(names.earlierToken, earlierToken);
  if (offersEnvelopes) carrier.set(names.envelope, envelopeVersion);
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
  /** The sender makes envelopes, so it can be told that this service takes them. */
  readonly offersEnvelopes: boolean;
}

export const readHeaders = (carrier: MsgHdrs): RequestHeaders => ({
  callerToken: carrier.get(names.callerToken) || undefined,
  earlierToken: carrier.get(names.earlierToken) || undefined,
  requestId: carrier.get(names.requestId),
  deadline: Number(carrier.get(names.deadline)) || 0,
  commandId: carrier.get(names.commandId) || undefined,
  isSealed: carrier.has(names.sealed),
  sealedKey: carrier.get(names.sealedKey) || undefined,
  offersEnvelopes: carrier.get(names.envelope) === envelopeVersion,
});

/** The sender's trace, or the one at hand. */
export const traceOf = (carrier: MsgHdrs): Context => propagation.extract(context.active(), carrier, getter);

/** The same for an envelope. */
export const carriedTraceOf = (carrier: Readonly<Record<string, string>> | undefined): Context =>
  carrier === undefined ? context.active() : propagation.extract(context.active(), carrier);
