// An engine that does not let the doctor look is no fault, and no sign of health: the report says so.
import { causeInWords } from './causes.js';
import type { Looking } from './check.js';

/** A note for a part that stays unseen. @param part such as `the oplog` */
export const couldNotLook = ({ note }: Pick<Looking, 'note'>, part: string, reason: string): void =>
  note(`The doctor could not look at ${part}, because: ${reason.replace(/\.$/, '')}.`);

/** For the second parameter of `then`: tells the refusal, and there is no answer. */
export const refused =
  (looking: Pick<Looking, 'note'>, part: string) =>
  (error: unknown): undefined => {
    couldNotLook(looking, part, causeInWords(error));
    return undefined;
  };
