// Errors in OpenAI's shape.
import type { Response } from 'express';
import { z } from 'zod';

export class OpenAiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly code: string | null = null,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

export const invalidRequest = (message: string, param: string | null = null): OpenAiError =>
  new OpenAiError(400, 'invalid_request_error', message, null, param);

const asOpenAiError = (error: unknown): OpenAiError => {
  if (error instanceof OpenAiError) return error;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const param = issue?.path.join('.') ?? '';
    return invalidRequest(`Invalid value: '${param}'. ${issue?.message ?? ''}`, param);
  }
  const isUnparsable = typeof error === 'object' && error !== null && 'type' in error;
  return isUnparsable
    ? invalidRequest('We could not parse the JSON body of your request.')
    : new OpenAiError(500, 'server_error', 'The server had an error while processing your request.');
};

export const sendError = (response: Response, error: unknown): void => {
  const { status, type, message, code, param } = asOpenAiError(error);
  response.status(status).json({ error: { message, type, param, code } });
};
