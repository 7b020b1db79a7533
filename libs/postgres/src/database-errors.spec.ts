import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { isConnectionBroken, isUniqueViolation, translateDatabaseError } from './database-errors.js';

const withCode = (code: string): Error => Object.assign(new Error('canary host 10.0.0.1'), { code });

describe('failures of Postgres', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'],
    ...['57P01', '57P02', '57P03', '53300', '53100', '08000', '08006', '08P01', '25006', '58030'],
  ])('%s means that the service is not available, and to try again in a second', (code) => {
    const error = translateDatabaseError(withCode(code));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 1 });
    expect((error as AppError).message).not.toContain('canary');
    expect(isConnectionBroken(withCode(code))).toBe(true);
  });

  it.each([
    ['the end of an idle transaction', { code: '25P03', severity: 'FATAL' }],
    ['a log-in that took too long', { code: '57014', severity: 'FATAL' }],
    ['a password that was changed', { code: '28P01', severity: 'FATAL' }],
    ['a statement that a pooler forgot', { code: '26000', severity: 'ERROR' }],
    ['a machine without a free port', { code: 'EADDRNOTAVAIL', syscall: 'connect' }],
    ['a process without a free file', { code: 'EMFILE', syscall: 'connect' }],
  ])('%s means so too, and the connection is not used again', (_, fields) => {
    const error = Object.assign(new Error('canary'), fields);
    expect(translateDatabaseError(error)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    expect(isConnectionBroken(error)).toBe(true);
  });

  it.each([
    'cached plan must not change result type',
    'There was an error establishing an SSL connection',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
    'Cannot use a pool after calling end on the pool',
  ])('"%s" means so too', (message) => {
    expect(translateDatabaseError(new Error(message))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('looks into the failures of several addresses of one host', () => {
    expect(
      translateDatabaseError(new AggregateError([withCode('EHOSTUNREACH'), withCode('ECONNREFUSED')])),
    ).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('tells slow statements and conflicts from both', () => {
    expect(translateDatabaseError(withCode('57014'))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(translateDatabaseError(withCode('40001'))).toMatchObject({ code: 'CONFLICT' });
    expect(translateDatabaseError(withCode('40P01'))).toMatchObject({ code: 'CONFLICT' });
  });

  it('leaves bugs and our own errors as they are', () => {
    for (const error of [
      withCode('42P01'),
      new AppError('NAME_TAKEN'),
      new TypeError('x'),
      'text',
      undefined,
    ]) {
      expect(translateDatabaseError(error)).toBe(error);
      expect(isConnectionBroken(error)).toBe(false);
    }
  });

  it('knows a unique violation, and which constraint it was', () => {
    const error = Object.assign(withCode('23505'), { constraint: 'agents_name_key' });
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'agents_name_key')).toBe(true);
    expect(isUniqueViolation(error, 'other')).toBe(false);
    expect(isUniqueViolation(withCode('23503'))).toBe(false);
  });
});
