// For tests: the steps of a spend world, each with the moment at which its process may die.
import fc from 'fast-check';

const steps = [
  ...(['wish', 'claim', 'start', 'wake', 'answer', 'refuse', 'tryAgain', 'giveUp', 'end'] as const),
  ...(['cancel', 'hangUp', 'retry', 'follow', 'sweep', 'tick'] as const),
] as const;

export interface Step {
  readonly what: (typeof steps)[number];
  /** The call, the count or the duration that the step uses. */
  readonly which: number;
  /** The moment when the process at the step dies: 1 early, 2 late, otherwise never. */
  readonly dies: number;
}

export const historyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...steps),
  which: fc.nat({ max: 40 }),
  dies: fc.nat({ max: 7 }),
});
