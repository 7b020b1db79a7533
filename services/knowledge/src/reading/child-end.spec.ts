// Only the two signals that mean too much memory make a document too large.
import { expect, it } from '@jest/globals';
import { failureOfEnd } from './child-end.js';

it.each([
  ['SIGKILL', 'TOO_LARGE'],
  ['SIGABRT', 'TOO_LARGE'],
  ['SIGSEGV', 'PARSE_FAILED'],
  ['SIGTRAP', 'PARSE_FAILED'],
  [null, 'PARSE_FAILED'],
] as const)('an end by %s is told as %s', (signal, code) => {
  expect(failureOfEnd({ signal, isLate: false })).toMatchObject({ code });
});

it('an end because the time was over is no matter of size', () => {
  expect(failureOfEnd({ signal: 'SIGKILL', isLate: true })).toMatchObject({ code: 'PARSE_FAILED' });
});
