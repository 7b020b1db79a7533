// The states of a conversation. Every state is held against every happening, so that none of them can surprise another.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Happening, idle, liveMode, next, type Phase } from './phase.js';

const after = (...happenings: readonly Happening[]): Phase => happenings.reduce(next, idle);
const chosen = (mode: 'voice' | 'text', needsConsent = false): Happening => ({
  type: 'chosen',
  mode,
  needsConsent,
});
const connected: Happening = { type: 'connected' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    type: fc.constant('chosen' as const),
    mode: fc.constantFrom('voice' as const, 'text' as const),
    needsConsent: fc.boolean(),
  }),
  fc.constantFrom<Happening>(
    ...[{ type: 'agreed' } as const, { type: 'admitted' } as const, connected],
    ...[{ type: 'lost' } as const, { type: 'recovered' } as const, { type: 'withdrawn' } as const],
    { type: 'queued', position: 2, text: null },
    { type: 'agent', state: 'speaking' },
    { type: 'finished', reason: 'agent', seconds: 3 },
    { type: 'failed', problem: 'busy' },
  ),
);

describe('a conversation', () => {
  it('asks for consent before anything else where the widget requires it', () => {
    expect(after(chosen('voice', true))).toEqual({ name: 'consent', mode: 'voice' });
    expect(after(chosen('voice', true), connected).name).toBe('consent');
    expect(after(chosen('voice', true), { type: 'agreed' }).name).toBe('connecting');
  });

  it('waits in the queue and goes on by itself', () => {
    const queued = after(chosen('text'), { type: 'queued', position: 3, text: 'Soon' });
    expect(queued).toEqual({ name: 'queued', mode: 'text', position: 3, text: 'Soon' });
    expect(next(queued, { type: 'queued', position: 2, text: null })).toMatchObject({ position: 2 });
    expect(next(next(queued, { type: 'admitted' }), connected).name).toBe('typing');
  });

  it('keeps its mode while it reconnects', () => {
    for (const [mode, live] of [
      ['voice', 'talking'],
      ['text', 'typing'],
    ] as const) {
      const lost = after(chosen(mode), connected, { type: 'lost' });
      expect(lost).toEqual({ name: 'reconnecting', mode });
      expect(next(lost, { type: 'recovered' }).name).toBe(live);
    }
  });

  it('is not begun a second time while it is under way', () => {
    for (const phase of [after(chosen('voice')), after(chosen('voice'), connected)])
      expect(next(phase, chosen('text'))).toEqual(phase);
  });

  it('ends only after it was live, and fails only before', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
        let phase = idle;
        for (const one of happenings) {
          const before = phase;
          phase = next(phase, one);
          if (phase === before) continue;
          if (phase.name === 'ended') expect(liveMode(before)).toBeDefined();
          if (phase.name === 'failed') expect(['consent', 'connecting', 'queued']).toContain(before.name);
          if (liveMode(phase) !== undefined && liveMode(before) === undefined)
            expect(before.name).toBe('connecting');
        }
      }),
    );
  });
});
