import { describe, expect, it } from '@jest/globals';
import { answerTimesOf, type Turn } from './answer-times.js';

const answer = (seq: number, timings: Turn['timings']): Turn => ({ seq, role: 'agent', timings });

describe('the times of answers', () => {
  it('are bars as long as their steps, against the longest answer', () => {
    const [first, second] = answerTimesOf([
      { seq: 0, role: 'user' },
      answer(1, { endOfTurnMs: 400, recognitionMs: 300, firstTokenMs: 200, firstSoundMs: 100 }),
      answer(3, { firstTokenMs: 250, firstSoundMs: 250 }),
    ]);
    expect(first).toMatchObject({ seq: 1, place: 1, wholeMs: 1_000 });
    expect(first?.steps.map(({ share }) => share)).toEqual([0.4, 0.3, 0.2, 0.1]);
    expect(second).toMatchObject({ seq: 3, place: 2, wholeMs: 500 });
    expect(second?.steps.map(({ step, share }) => [step, share])).toEqual([
      ['firstTokenMs', 0.25],
      ['firstSoundMs', 0.25],
    ]);
  });

  it('are missing for a greeting, and for turns of a runtime that reports none', () => {
    expect(answerTimesOf([answer(0, undefined), answer(1, {})])).toEqual([]);
  });
});
