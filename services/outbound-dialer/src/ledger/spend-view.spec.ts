import { describe, expect, it } from '@jest/globals';
import { dayRange } from './spend-view.js';

const today = '2026-11-22';
const refused = (details: unknown = undefined) => expect.objectContaining({ code: 'INVALID_RANGE', details });

describe('the days that spend is shown for', () => {
  it.each([
    [{}, { from: '2026-10-24', to: '2026-11-22' }],
    [{ to: '2026-03-01' }, { from: '2026-01-31', to: '2026-03-01' }],
    [{ from: '2026-11-01' }, { from: '2026-11-01', to: today }],
    [
      { from: '2026-02-28', to: '2026-02-28' },
      { from: '2026-02-28', to: '2026-02-28' },
    ],
    [
      { from: '2026-08-25', to: today },
      { from: '2026-08-25', to: today },
    ],
  ])('of %j are %j', (asked, range) => {
    expect(dayRange(asked, today)).toEqual(range);
  });

  it('are 90 at the most', () => {
    expect(() => dayRange({ from: '2026-08-24', to: today }, today)).toThrow(refused({ maxDays: 90 }));
  });

  it.each([
    [{ from: '2026-11-23' }],
    [{ from: '2026-11-02', to: '2026-11-01' }],
    [{ from: '2026-02-30' }],
    [{ from: '2026-2-3' }],
    [{ to: 'yesterday' }],
    [{ to: '2026-11-22T00:00:00Z' }],
    [{ to: '22.11.2026' }],
    [{ from: '0000-00-00' }],
    [{ from: '٢٠٢٦-١١-٢٢' }],
  ])('are refused for %j', (asked) => {
    expect(() => dayRange(asked, today)).toThrow(refused());
  });
});
