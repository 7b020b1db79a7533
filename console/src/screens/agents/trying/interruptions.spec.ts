import { describe, expect, it } from '@jest/globals';
import { withInterruptions } from './interruptions.js';
import type { Line } from './lines.js';

const line = (kind: 'agent' | 'user', text: string): Line => ({ key: text, kind, text });
const turn = (text: string, spokenText = text) => {
  return { role: 'agent', text, spokenText, interrupted: spokenText !== text } as const;
};

describe('lines of a spoken conversation', () => {
  it('say what was heard of a sentence that was cut off, and only of that one', () => {
    const lines = [
      line('agent', 'Hello!'),
      line('user', 'Stop'),
      line('agent', 'We open at nine and'),
      line('agent', 'Yes.'),
    ];
    const turns = [turn('Hello!'), turn('We open at nine, and close at five.', 'We open at'), turn('Yes.')];
    expect(withInterruptions(lines, turns)).toEqual([
      lines[0],
      lines[1],
      { ...lines[2], heard: 'We open at' },
      lines[3],
    ]);
  });

  it('tell two equal sentences apart by their order', () => {
    const lines = [line('agent', 'Are you there?'), { ...line('agent', 'Are you there?'), key: '2' }];
    const turns = [turn('Are you there?'), turn('Are you there?', 'Are')];
    expect(withInterruptions(lines, turns)).toEqual([lines[0], { ...lines[1], heard: 'Are' }]);
  });

  it('stay as they are before the transcript has them', () => {
    const lines = [line('agent', 'We open')];
    expect(withInterruptions(lines, [turn('Hello!', 'Hel')])).toEqual(lines);
  });
});
