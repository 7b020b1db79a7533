import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode, errorCodes } from './index.js';

const codes = Object.keys(errorCodes) as ErrorCode[];

describe('the error-code table', () => {
  it('gives every code a status that a client can act on and a sentence', () => {
    for (const code of codes) {
      expect(errorCodes[code].status).toBeGreaterThanOrEqual(400);
      expect(errorCodes[code].status).toBeLessThan(600);
      expect(errorCodes[code].message).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('AppError', () => {
  it('survives the wire with its code, details and retry hint, and without its cause', () => {
    const error = new AppError('SERVICE_UNAVAILABLE', {
      details: { service: 'x' },
      retryAfterSeconds: 2,
      cause: new Error('canary-host:5432'),
    });
    const wire = JSON.parse(JSON.stringify(error.toWire()));
    expect(JSON.stringify(wire)).not.toContain('canary');
    const revived = AppError.fromWire(wire);
    expect(revived).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      retryAfterSeconds: 2,
      details: { service: 'x' },
    });
  });

  it('hides whatever is not one of our errors behind INTERNAL_ERROR', () => {
    expect(AppError.fromWire({ code: 'ECONNREFUSED', message: 'canary' }).code).toBe('INTERNAL_ERROR');
    expect(AppError.fromWire('boom').message).not.toContain('boom');
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [410, 'VALIDATION_ERROR'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [502, 'SERVICE_UNAVAILABLE'],
    [503, 'SERVICE_UNAVAILABLE'],
    [504, 'UPSTREAM_TIMEOUT'],
    ['503', 'INTERNAL_ERROR'],
    [200, 'INTERNAL_ERROR'],
  ])('takes a code of a newer release with the status %s for %s', (status, code) => {
    const wire = { code: 'MADE_LATER', status, message: 'canary', details: 'canary', retryAfterSeconds: 7 };
    const revived = AppError.fromWire(wire);
    expect(revived).toMatchObject({ code, retryAfterSeconds: 7, details: undefined });
    expect(revived.message).not.toContain('canary');
  });
});
