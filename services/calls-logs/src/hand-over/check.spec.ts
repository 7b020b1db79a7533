import { describe, expect, it } from '@jest/globals';
import { ingestBody } from '../testing/ingest-body.js';
import { check } from './check.js';

const turn = { seq: 0, role: 'user', text: 'hello', startMs: 0 };
const body = (change: object = {}) => ingestBody({ endedAt: '2026-03-01T11:00:00Z', ...change });
const used = (quantity: number) => [{ kind: 'llm', quantity, unit: 'token', provider: 'p' }];
const day = { startedAt: '2026-03-01T10:00:00Z', endedAt: '2026-03-02T10:00:00Z' };

describe('a finished call', () => {
  it.each<[string, object]>([
    ['that took a day', day],
    ['that was answered late', { ...day, startedAt: '2026-03-01T09:59:00Z', answeredAt: day.startedAt }],
    ['with a turn at the end of the day', { transcript: [{ ...turn, startMs: 86_400_000 }] }],
    ['that used a lot', { usage: used(1_000_000_000) }],
  ])('%s is taken', (_, change) => {
    expect(() => check(body(change))).not.toThrow();
  });

  it.each<[string, object, string]>([
    ['of the year 0', { startedAt: '0000-01-01T00:00:00Z' }, 'startedAt'],
    ['from before that year', { startedAt: '0000-01-01T00:00:00+12:00' }, 'startedAt'],
    ['of last century', { startedAt: '1999-12-31T23:59:59Z' }, 'startedAt'],
    ['that ends in the year 10000', { endedAt: '9999-12-31T23:59:59-12:00' }, 'endedAt'],
    ['that takes more than a day', { ...day, endedAt: '2026-03-02T10:00:00.001Z' }, 'endedAt'],
    [
      'with a turn that nobody has the time for',
      { transcript: [{ ...turn, startMs: 2 ** 53 - 1 }] },
      'transcript.0.startMs',
    ],
    ['with a turn that never ends', { transcript: [{ ...turn, endMs: 2 ** 53 - 1 }] }, 'transcript.0.endMs'],
    [
      'with a turn of another age',
      { transcript: [{ ...turn, createdAt: '9999-12-31T23:59:59-12:00' }] },
      'transcript.0.createdAt',
    ],
    ['with a turn twice', { transcript: [turn, turn] }, 'transcript.1.seq'],
    ['that used more than there is', { usage: used(1e15) }, 'usage.0.quantity'],
    ['that used it in another unit', { usage: [{ ...used(1)[0], unit: 'second' }] }, 'usage.0.unit'],
  ])('%s is refused, and told why', (_, change, path) => {
    const issues = expect.arrayContaining([expect.objectContaining({ path: `body.${path}` })]);
    expect(() => check(body(change))).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: { issues } }),
    );
  });

  it('with more turns than the documented limit is too large', () => {
    const turns = (count: number) => Array.from({ length: count }, (_, seq) => ({ ...turn, seq }));
    expect(() => check(body({ transcript: turns(10_000) }))).not.toThrow();
    expect(() => check(body({ transcript: turns(10_001) }))).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    );
  });
});
