import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { errorBody, toAppError } from './error-response.js';

const httpError = (status: number, type?: string): Error =>
  Object.assign(new Error('canary'), { status, type });

describe('toAppError', () => {
  it.each([
    [httpError(413, 'entity.too.large'), 'PAYLOAD_TOO_LARGE'],
    [httpError(415, 'encoding.unsupported'), 'UNSUPPORTED_MEDIA_TYPE'],
    [httpError(400, 'request.aborted'), 'VALIDATION_ERROR'],
    // The body reader blames the server for a client that left before its body was read.
    [httpError(500, 'stream.not.readable'), 'VALIDATION_ERROR'],
    [httpError(400), 'VALIDATION_ERROR'],
    [httpError(500), 'INTERNAL_ERROR'],
    [new TypeError('canary'), 'INTERNAL_ERROR'],
    ['a string', 'INTERNAL_ERROR'],
    [undefined, 'INTERNAL_ERROR'],
  ])('gives %s the code %s', (error, code) => {
    expect(toAppError(error).code).toBe(code);
  });

  it('passes our own errors through', () => {
    const error = new AppError('AGENT_NOT_FOUND');
    expect(toAppError(error)).toBe(error);
  });
});

describe('errorBody', () => {
  it('says the code, the sentence and the request, and nothing of the cause', () => {
    const body = errorBody(toAppError(new Error('canary: 10.0.0.1:5432')), 'request-1');
    expect(JSON.parse(body)).toEqual({
      success: false,
      message: 'Something went wrong on our side.',
      error: { code: 'INTERNAL_ERROR', requestId: 'request-1' },
    });
  });

  it('says where a retry can help, and what an error declares', () => {
    const error = new AppError('PERMISSION_DENIED', { details: { required: ['agent:read'] } });
    expect(JSON.parse(errorBody(error, 'r')).error.details).toEqual({ required: ['agent:read'] });
    expect(JSON.parse(errorBody(new AppError('SERVICE_UNAVAILABLE'), 'r')).error.retryable).toBe(true);
  });
});
