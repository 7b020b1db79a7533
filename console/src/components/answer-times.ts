// The steps to the answers of a conversation, as lengths of bars. Pure.
import type { Transcript } from '@parlance/client';

export type Turn = Pick<Transcript, 'seq' | 'role' | 'timings' | 'model' | 'fallbacks'>;

/** In the order in which they happen. */
export const steps = ['endOfTurnMs', 'recognitionMs', 'firstTokenMs', 'firstSoundMs'] as const;
export type Step = (typeof steps)[number];

export interface AnswerTimes {
  readonly seq: number;
  /** Of the answers with times, from 1. */
  readonly place: number;
  readonly wholeMs: number;
  readonly steps: readonly {
    readonly step: Step;
    readonly ms: number;
    /** Of the longest answer, from 0 to 1. */
    readonly share: number;
  }[];
}

/** The answers that have times, in their order; steps that were not measured are left out. */
export const answerTimesOf = (turns: readonly Turn[]): readonly AnswerTimes[] => {
  const timed = turns.flatMap(({ seq, role, timings }) => {
    if (role !== 'agent' || timings === undefined) return [];
    const measured = steps.flatMap((step) => {
      const ms = timings[step];
      return ms === undefined ? [] : [{ step, ms }];
    });
    return measured.length === 0
      ? []
      : [{ seq, measured, wholeMs: measured.reduce((sum, { ms }) => sum + ms, 0) }];
  });
  const longest = Math.max(1, ...timed.map(({ wholeMs }) => wholeMs));
  return timed.map(({ seq, measured, wholeMs }, index) => ({
    seq,
    place: index + 1,
    wholeMs,
    steps: measured.map(({ step, ms }) => ({ step, ms, share: ms / longest })),
  }));
};
