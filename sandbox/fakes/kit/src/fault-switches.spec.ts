import { describe, expect, it } from '@jest/globals';
import { FaultSwitches, faultModes } from './fault-switches.js';

const switches = () => new FaultSwitches(['buy', 'list'], { webhooks: ['drop'], list: ['empty'] });

describe('fault switches', () => {
  it('work until they are set, and again when the count is used up', () => {
    const faults = switches();
    expect(faults.take('buy').mode).toBe('ok');
    faults.set({ target: 'buy', mode: '429', times: 2, retryAfter: 7 });
    expect([1, 2, 3].map(() => faults.take('buy').mode)).toEqual(['429', '429', 'ok']);
    faults.set({ target: 'buy', mode: '429', retryAfter: 7 });
    expect(faults.take('buy')).toEqual({ mode: '429', ms: 0, retryAfterSeconds: 7 });
  });

  it('hit their own target only', () => {
    const faults = switches();
    faults.set({ target: 'buy', mode: 'slow', ms: 5 });
    expect(faults.take('list').mode).toBe('ok');
    expect(faults.take('buy')).toMatchObject({ mode: 'slow', ms: 5 });
  });

  it('refuse what does not exist and say what does', () => {
    const faults = switches();
    expect(() => faults.set({ target: 'sell', mode: 'ok' })).toThrow(/buy, list, webhooks/);
    expect(() => faults.set({ target: 'buy', mode: 'drop' })).toThrow(RangeError);
    expect(() => faults.set({ target: 'webhooks', mode: '429' })).toThrow(/ok, drop/);
    expect(() => faults.set({ target: 'buy', mode: '429', times: -1 })).toThrow(RangeError);
  });

  it('list what is set and what could be', () => {
    const faults = switches();
    faults.set({ target: 'webhooks', mode: 'drop', times: 3 });
    faults.take('webhooks');
    expect(faults.list()).toEqual([
      { target: 'buy', mode: 'ok', times: null, modes: faultModes },
      { target: 'list', mode: 'ok', times: null, modes: [...faultModes, 'empty'] },
      { target: 'webhooks', mode: 'drop', times: 2, modes: ['ok', 'drop'] },
    ]);
    faults.clear();
    expect(faults.list().every(({ mode }) => mode === 'ok')).toBe(true);
  });
});
