// A request off the broker, in either of its forms: in an envelope, or as JSON with the token of its caller in a header.
import type { Context } from '@opentelemetry/api';
import type { Msg } from 'nats';
import { decodeEnvelope, type Envelope, isEnvelope } from './envelope.js';
import { carriedTraceOf, type RequestHeaders, readHeaders, traceOf } from './headers.js';

/** Nothing of it is verified. */
export interface ReceivedRequest {
  readonly requestId: string;
  /** Epoch milliseconds; 0 when the sender set none. */
  readonly deadline: number;
  readonly commandId: string | undefined;
  /** The replies of this service may carry the mark by which senders know that it takes envelopes. */
  readonly marksReply: boolean;
  readonly form: { readonly envelope: Envelope | undefined } | { readonly headers: RequestHeaders };
  /** The sender's trace, or the one at hand. */
  readonly trace: () => Context;
}

const inEnvelope = ({ data }: Msg): ReceivedRequest => {
  const envelope = decodeEnvelope(data);
  const { requestId = '', deadline = 0, commandId, trace } = envelope?.head ?? {};
  return {
    requestId,
    deadline,
    commandId,
    marksReply: true,
    form: { envelope },
    trace: () => carriedTraceOf(trace),
  };
};

/** Undefined for a message that is no request. */
export const readRequest = (message: Msg): ReceivedRequest | undefined => {
  if (isEnvelope(message.data)) return inEnvelope(message);
  const carrier = message.headers;
  if (carrier === undefined) return undefined;
  const headers = readHeaders(carrier);
  const { requestId, deadline, commandId, offersEnvelopes } = headers;
  return {
    requestId,
    deadline,
    commandId,
    marksReply: offersEnvelopes,
    form: { headers },
    trace: () => traceOf(carrier),
  };
};
