// The terms in which a line reports sounds and its end to a conversation.
import type { Ending } from './endings.js';

/** Samples a second; a telephone has no more. */
export const heardRate = 8_000;

/** The reason with which a line aborts its signal `over`. */
export interface Over {
  readonly ending: Ending;
  readonly at: Date;
}
