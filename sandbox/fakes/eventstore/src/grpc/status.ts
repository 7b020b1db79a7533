// The end of a call: gRPC statuses, with the `exception` metadata that clients map to their error classes.
import {
  AccessDeniedError,
  AppendTooLargeError,
  InvalidRequestError,
  NotImplementedError,
  StreamDeletedError,
  WrongRevisionError,
} from '../store/errors.js';

/** The gRPC status codes that are used here. */
export const STATUS = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Ends a call with a status other than OK. */
export class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** Custom metadata beside the status. */
    private readonly metadata: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The headers that carry it. They are ASCII: other characters, as in a stream's name, are percent-encoded. */
  get trailers(): Record<string, string | number> {
    const trailers: Record<string, string | number> = {
      'grpc-status': this.code,
      'grpc-message': encodeURI(this.message),
    };
    for (const [key, value] of Object.entries(this.metadata)) {
      trailers[key] = /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value);
    }
    return trailers;
  }
}

/** The status for a thrown value; any error but a refusal of the store becomes UNAVAILABLE. */
export function grpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  if (error instanceof StreamDeletedError) {
    return new GrpcError(STATUS.FAILED_PRECONDITION, error.message, {
      exception: 'stream-deleted',
      'stream-name': error.stream,
    });
  }
  if (error instanceof WrongRevisionError) {
    return new GrpcError(STATUS.FAILED_PRECONDITION, error.message, {
      exception: 'wrong-expected-version',
      'stream-name': error.stream,
      'expected-version': String(error.expected),
      // Clients take an absent value to mean "no stream".
      ...(error.current >= 0 ? { 'actual-version': String(error.current) } : {}),
    });
  }
  if (error instanceof AppendTooLargeError) {
    return new GrpcError(STATUS.INVALID_ARGUMENT, error.message, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(error.limit),
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AccessDeniedError) {
    return new GrpcError(STATUS.PERMISSION_DENIED, message, { exception: 'access-denied' });
  }
  if (error instanceof InvalidRequestError) return new GrpcError(STATUS.INVALID_ARGUMENT, message);
  if (error instanceof NotImplementedError) return new GrpcError(STATUS.UNIMPLEMENTED, message);
  return new GrpcError(STATUS.UNAVAILABLE, message);
}

/** A required key of an event's metadata map is missing. */
export function requiredMetadataMissing(): GrpcError {
  const keys = 'type,content-type';
  return new GrpcError(STATUS.INVALID_ARGUMENT, `an event's metadata must have: ${keys}`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': keys,
  });
}
