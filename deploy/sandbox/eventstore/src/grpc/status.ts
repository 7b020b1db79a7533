// Turns the store's refusals into gRPC statuses with the `exception` metadata that clients map to their error classes.
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  AppendTooLargeError,
  InvalidRequestError,
  NotImplementedError,
  StreamDeletedError,
  WrongRevisionError,
} from '../errors.js';

/** The error to hand to grpc-js for a thrown value; what is not a refusal of ours becomes INTERNAL or UNAVAILABLE. */
export function serviceError(error: unknown): ServiceError {
  if (error instanceof StreamDeletedError) {
    return refusal(error, status.FAILED_PRECONDITION, 'stream-deleted', { 'stream-name': error.stream });
  }
  if (error instanceof WrongRevisionError) {
    return refusal(error, status.FAILED_PRECONDITION, 'wrong-expected-version', {
      'stream-name': error.stream,
      'expected-version': String(error.expected),
      // Clients take an absent value to mean "no stream".
      ...(error.current >= 0 ? { 'actual-version': String(error.current) } : {}),
    });
  }
  if (error instanceof AppendTooLargeError) {
    const limit = String(error.limit);
    return refusal(error, status.INVALID_ARGUMENT, 'maximum-append-size-exceeded', {
      'maximum-append-size': limit,
    });
  }
  if (error instanceof InvalidRequestError) return refusal(error, status.INVALID_ARGUMENT);
  if (error instanceof NotImplementedError) return refusal(error, status.UNIMPLEMENTED);
  return refusal(error instanceof Error ? error : new Error(String(error)), status.UNAVAILABLE);
}

/** A required key of an event's metadata map is missing. */
export function requiredMetadataMissing(): ServiceError {
  const keys = 'type,content-type';
  const error = new Error(`an event's metadata must have: ${keys}`);
  return refusal(error, status.INVALID_ARGUMENT, 'missing-required-metadata-property', {
    'required-metadata-properties': keys,
  });
}

function refusal(
  error: Error,
  code: status,
  exception?: string,
  details: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  if (exception !== undefined) metadata.set('exception', exception);
  for (const [key, value] of Object.entries(details)) metadata.set(key, ascii(value));
  return Object.assign(error, { code, details: ascii(error.message), metadata });
}

/** gRPC metadata is ASCII only: other characters, as in a stream's name, are percent-encoded. */
function ascii(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}
