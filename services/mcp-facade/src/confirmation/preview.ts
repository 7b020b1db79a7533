// The text that a person reads before agreeing.
import type { Arguments } from '../fold/tools.js';
import type { Look } from './look.js';

export interface Preview {
  /** Sentences that tell the effect of the call. */
  readonly summary: string;
  /** The most that it can cost, in millionths of the currency; null where nothing tells it. */
  readonly worstCaseMicros: number | null;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** Reads the affected things. @throws AppError where it is clear already that the tool would be refused */
export type Previewer = (look: Look, given: Arguments) => Promise<Preview>;

/** For a tool that costs nothing. */
export const free = (...sentences: readonly string[]): Preview => ({
  summary: sentences.join(' '),
  worstCaseMicros: 0,
  currency: null,
});

/** For a tool with a cost that no price list of the platform tells. */
export const unpriced = (...sentences: readonly string[]): Preview => ({
  summary: sentences.join(' '),
  worstCaseMicros: null,
  currency: null,
});
