import { describe, expect, it } from '@jest/globals';
import { limitsAt } from './limits.js';

const durations = { ringSeconds: 5, talkSeconds: 80 };
const limits = Object.fromEntries(limitsAt(167, 5, durations).map((limit) => [limit.variable, limit]));

describe('limitsAt', () => {
  it('needs room for all calls in progress, which are arrivals by duration', () => {
    expect(limits.INSTALLATION_MAX_CONCURRENT_CALLS?.needed).toBe(167 * 85);
    expect(limits.INSTALLATION_MAX_CONCURRENT_CALLS?.perSecond).toBeCloseTo(1_000 / 85, 6);
  });

  it('divides ringing phones among the dialers', () => {
    expect(limits.MAX_CONCURRENT_DIALS?.needed).toBe(167);
    expect(limits.MAX_CONCURRENT_DIALS?.perSecond).toBe(20);
  });

  it('takes the pace of a carrier as it is', () => {
    expect(limits.TWILIO_CALLS_PER_SECOND).toMatchObject({ perSecond: 1, needed: 167 });
  });
});
