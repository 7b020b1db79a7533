import { describe, expect, it } from '@jest/globals';
import { checkStart } from './campaign-start.js';

const now = '2026-11-22T10:00:00.000Z';
const refusal = expect.objectContaining({
  code: 'VALIDATION_ERROR',
  details: { issues: [expect.objectContaining({ path: 'body.scheduledAt' })] },
});

describe('the start of a campaign', () => {
  it.each([
    ['left out', undefined],
    ['null', null],
    ['now', now],
    ['a minute ago', '2026-11-22T09:59:00.000Z'],
    ['a year ahead', '2027-11-22T10:00:00.000Z'],
    ['a year ahead by another clock', '2027-11-22T12:00:00.000+02:00'],
  ])('may be %s', (_, scheduledAt) => {
    expect(() => checkStart(scheduledAt, now)).not.toThrow();
  });

  it.each([
    ['more than a minute ago', '2026-11-22T09:58:59.999Z'],
    ['more than a year ahead', '2027-11-22T10:00:00.001Z'],
  ])('is refused when it is %s', (_, scheduledAt) => {
    expect(() => checkStart(scheduledAt, now)).toThrow(refusal);
  });
});
