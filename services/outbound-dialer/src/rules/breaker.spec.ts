import { describe, expect, it } from '@jest/globals';
import { type BreakerPolicy, judge, type SeenEnd } from './breaker.js';

const now = new Date('2026-06-01T12:00:00.000Z');
const policy: BreakerPolicy = { enabled: true, failureThreshold: 0.5, windowSeconds: 120, minCalls: 4 };

const ends = (...reasons: readonly SeenEnd['reason'][]): SeenEnd[] =>
  reasons.map((reason, index) => ({
    at: new Date(now.getTime() - index * 1_000).toISOString(),
    status: reason === null || reason === 'user_hangup' ? 'completed' : reason === 'busy' ? 'busy' : 'failed',
    reason,
  }));
const judged = (seen: readonly SeenEnd[], change: Partial<Parameters<typeof judge>[0]> = {}) =>
  judge({ policy, ends: seen, probing: null, now, ...change });

describe('the circuit breaker', () => {
  it('stops a campaign of which as many calls failed as its policy says, for as long as it looks back', () => {
    expect(judged(ends('sip_error', 'user_hangup', 'sip_error', 'busy'))).toEqual({
      kind: 'broken',
      reason: 'circuit_breaker',
      until: new Date('2026-06-01T12:02:00.000Z'),
    });
    expect(judged(ends('sip_error', 'user_hangup', 'busy', 'busy')).kind).toBe('healthy');
  });

  it('judges nothing by too few calls, by old ones, or when it is switched off', () => {
    expect(judged(ends('sip_error', 'sip_error', 'sip_error')).kind).toBe('healthy');
    const old = ends('sip_error', 'sip_error', 'sip_error', 'sip_error').map((end) => ({
      ...end,
      at: '2026-06-01T11:57:59.000Z',
    }));
    expect(judged(old).kind).toBe('healthy');
    const off = { policy: { ...policy, enabled: false } };
    expect(judged(ends('sip_error', 'sip_error', 'sip_error', 'sip_error'), off).kind).toBe('healthy');
  });

  it('takes numbers that do not exist for a fault of the list, not of the line', () => {
    const wrong = Array.from({ length: 10 }, () => 'invalid_destination' as const);
    expect(judged(ends(...wrong)).kind).toBe('healthy');
  });

  it('needs a failure to stop, however low the threshold is', () => {
    const strict = { policy: { ...policy, failureThreshold: 0 } };
    expect(judged(ends('busy', 'busy', 'busy', 'busy'), strict).kind).toBe('healthy');
    expect(judged(ends('busy', 'busy', 'busy', 'sip_error'), strict).kind).toBe('broken');
  });

  it('stops after five calls in a row that could not be placed, even when it is switched off', () => {
    const five = ends(...Array.from({ length: 5 }, () => 'provider_unavailable' as const));
    const off = { policy: { ...policy, enabled: false } };
    expect(judged(five, off)).toEqual({
      kind: 'broken',
      reason: 'provider_unavailable',
      until: new Date('2026-06-01T12:01:00.000Z'),
    });
    expect(judged([...five.slice(0, 4), ...ends('busy')], off).kind).toBe('healthy');
  });

  it('tries with one call after a stop: its success closes it, its failure stops again, for the same reason', () => {
    const probing = 'circuit_breaker' as const;
    expect(judged([], { probing }).kind).toBe('probing');
    expect(judged(ends('sip_error'), { probing })).toMatchObject({ kind: 'broken', reason: probing });
    expect(judged(ends('busy'), { probing }).kind).toBe('healthy');
    expect(judged(ends('sip_error', 'busy'), { probing }).kind).toBe('healthy');
  });
});
