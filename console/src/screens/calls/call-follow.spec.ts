// A page that nobody reloads shows the end of its call, and asks for nothing once no news is expected.
import { describe, expect, it } from '@jest/globals';
import { editionOf, followEveryMs } from './call-follow.js';

const endedAt = '2026-11-22T10:00:00.000Z';
const now = Date.parse(endedAt);

describe('the page of a call', () => {
  it('asks often while the call goes on, and until what was handed over is there', () => {
    const live = followEveryMs({ status: 'ringing', analysisStatus: 'pending', endedAt: null }, now);
    const over = { status: 'completed', analysisStatus: 'skipped', endedAt };
    expect(live).toBeLessThanOrEqual(5_000);
    expect(followEveryMs(over, now + 60_000)).toBeGreaterThan(live ?? 0);
    expect(followEveryMs(over, now + 600_000)).toBeUndefined();
    expect(followEveryMs({ ...over, analysisStatus: 'pending' }, now + 600_000)).toBeDefined();
  });

  it('keeps the transcript while the call goes on, and reads it anew from the hand-over on', () => {
    const at = (status: 'in_progress' | 'completed', updatedAt: string): string =>
      editionOf({ status, updatedAt });
    expect(at('in_progress', '10:00')).toBe(at('in_progress', '10:01'));
    expect(at('completed', '10:02')).not.toBe(at('in_progress', '10:01'));
    expect(at('completed', '10:03')).not.toBe(at('completed', '10:02'));
  });
});
