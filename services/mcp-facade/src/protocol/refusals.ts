// Failures as MCP clients read them: a tool answers one as its result, everything else as an error of the protocol.

import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type AppError, errorCodes } from '@parlance/errors';
import type { Failure } from '../fold/answers.js';

export const failureOf = (error: AppError, requestId: string): Failure => ({
  code: error.code,
  message: errorCodes[error.code].message,
  requestId,
  ...(error.details === undefined ? {} : { details: error.details }),
  ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
});

/** A result that a model can read and act on. */
export const failedTool = (error: AppError, requestId: string): CallToolResult => {
  const structuredContent = failureOf(error, requestId);
  return {
    isError: true,
    structuredContent,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  };
};

/** For a request that can fail only with an error of the protocol. */
export const protocolError = (error: AppError, requestId: string): ProtocolError =>
  new ProtocolError(
    error.status < 500 && error.status !== 429
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError,
    error.message,
    failureOf(error, requestId),
  );
