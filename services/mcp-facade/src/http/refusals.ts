// Refusals before any message was understood: an HTTP status, and an error of JSON-RPC that belongs to no request.
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import type { ErrorRequestHandler, Response } from 'express';
import { failureOf } from '../protocol/refusals.js';

/** Codes of JSON-RPC. */
const parseError = -32_700;
const invalidRequest = -32_600;
const serverError = -32_000;

/** Express reads the body, and its errors name their kind in `type`. */
const asAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new AppError('PAYLOAD_TOO_LARGE', { cause: error });
  if (type === 'encoding.unsupported') return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error });
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return new AppError('MALFORMED_JSON', { cause: error });
  return new AppError('INTERNAL_ERROR', { cause: error });
};

const rpcCodeOf = ({ code, status }: AppError): number => {
  if (code === 'MALFORMED_JSON') return parseError;
  return status === 400 || status === 413 || status === 415 ? invalidRequest : serverError;
};

/** Names the place to get a credential (RFC 9728), and the fault of this one. */
const challenge = (error: AppError, metadataUrl: string, hadCredential: boolean): string | undefined => {
  const parts = [`resource_metadata="${metadataUrl}"`];
  if (error.status === 401) {
    if (hadCredential) parts.unshift('error="invalid_token"');
    return `Bearer ${parts.join(', ')}`;
  }
  if (error.code !== 'PERMISSION_DENIED') return undefined;
  const { required }: { required?: unknown } = Object(error.details);
  const scope = Array.isArray(required) && required.length === 1 ? [`scope="${required[0]}"`] : [];
  return `Bearer ${['error="insufficient_scope"', ...scope, ...parts].join(', ')}`;
};

const setHeaders = (response: Response, error: AppError, challenged: string | undefined): void => {
  if (challenged !== undefined) response.setHeader('WWW-Authenticate', challenged);
  const { status, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined || status === 429 || status === 503)
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds ?? 1))));
};

export interface RefusalOptions {
  readonly logger: Logger;
  readonly metadataUrl: string;
}

/** Last in the chain. */
export const refuse =
  ({ logger, metadataUrl }: RefusalOptions): ErrorRequestHandler =>
  (thrown, request, response, next) => {
    const error = asAppError(thrown);
    if (error.status >= 500) logger.warn({ code: error.code, err: error.cause }, 'request failed');
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const { authorization, 'x-api-key': key } = request.headers;
    const hadCredential = authorization !== undefined || key !== undefined;
    setHeaders(response, error, challenge(error, metadataUrl, hadCredential));
    const { requestId } = response.locals;
    const data = failureOf(error, requestId);
    response
      .status(error.status)
      .json({ jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(error), message: error.message, data } });
  };
