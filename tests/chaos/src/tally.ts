// The observations of a run: counts, and the branches of the protocol. A branch that was never taken proves nothing.
import { attemptsOf } from './attempts.js';
import type { Evidence } from './evidence/evidence.js';

export const branches = ['in doubt', 'adopted', 'abandoned', 'unknown'] as const;
export type Branch = (typeof branches)[number];

export interface Tally {
  readonly calls: number;
  readonly attempts: number;
  readonly dials: number;
  readonly rings: number;
  readonly cancelled: number;
  readonly branches: Readonly<Record<Branch, number>>;
}

export const emptyTally: Tally = {
  calls: 0,
  attempts: 0,
  dials: 0,
  rings: 0,
  cancelled: 0,
  branches: { 'in doubt': 0, adopted: 0, abandoned: 0, unknown: 0 },
};

export const tallyOf = ({ ledger, streams }: Evidence): Tally => {
  const attempts = [...streams].flatMap(([id, events]) => attemptsOf(id, events));
  const ended = (type: string): number => attempts.filter(({ outcome }) => outcome?.type === type).length;
  return {
    calls: streams.size,
    attempts: attempts.length,
    dials: ledger.filter(({ kind }) => kind === 'dial').length,
    rings: ledger.filter(({ kind }) => kind === 'ring').length,
    cancelled: attempts.filter(({ cancelledAt }) => cancelledAt !== undefined).length,
    branches: {
      'in doubt': attempts.filter(({ isInDoubt }) => isInDoubt).length,
      adopted: attempts.filter(({ isAdopted }) => isAdopted).length,
      abandoned: ended('AttemptAbandoned'),
      unknown: ended('AttemptOutcomeUnknown'),
    },
  };
};

const addBranches = (a: Tally['branches'], b: Tally['branches']): Tally['branches'] => ({
  'in doubt': a['in doubt'] + b['in doubt'],
  adopted: a.adopted + b.adopted,
  abandoned: a.abandoned + b.abandoned,
  unknown: a.unknown + b.unknown,
});

export const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, tally) => ({
      calls: sum.calls + tally.calls,
      attempts: sum.attempts + tally.attempts,
      dials: sum.dials + tally.dials,
      rings: sum.rings + tally.rings,
      cancelled: sum.cancelled + tally.cancelled,
      branches: addBranches(sum.branches, tally.branches),
    }),
    emptyTally,
  );
