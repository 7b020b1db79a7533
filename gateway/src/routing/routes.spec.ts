import { describe, expect, it } from '@jest/globals';
import { operations } from '@parlance/contracts';
import { byPrecedence } from './routes.js';

describe('byPrecedence', () => {
  it('puts fixed segments before parameters at the first difference', () => {
    const shuffled = [
      '/calls/{callId}',
      '/calls',
      '/calls/{callId}/transcripts',
      '/calls/live',
      '/calls/live/end',
    ];
    expect(shuffled.sort(byPrecedence)).toEqual([
      '/calls',
      '/calls/live',
      '/calls/live/end',
      '/calls/{callId}',
      '/calls/{callId}/transcripts',
    ]);
  });

  it('leaves no path of the contract hidden behind an earlier one', () => {
    const paths = [...new Set(operations.map(({ path }) => path as string))].sort(byPrecedence);
    const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    for (const [index, path] of paths.entries()) {
      const hiding = paths.slice(0, index).filter((earlier) => pattern(earlier).test(path));
      expect(hiding).toEqual([]);
    }
  });
});
