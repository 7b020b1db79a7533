// The filters that choose calls from the log.
import { z } from 'zod';
import { CallStatus, Channel, Direction, Outcome } from './call-status.js';
import { moment, text, uuid } from './text.js';

/** Fewer than three digits of a number, with the separators that people write between them. */
const isTooShort = (value: string): boolean =>
  /^[+\d\s().\-/]*$/.test(value) && value.replaceAll(/\D/g, '').length < 3;

/** Fields of a query; calls have to fit all that are given. */
export const callFilters = {
  agentId: uuid.optional(),
  status: CallStatus.optional(),
  direction: Direction.optional(),
  campaignId: uuid.optional(),
  channel: Channel.optional(),
  outcome: Outcome.optional(),
  search: text(1, 120)
    .refine((value) => !isTooShort(value), 'must have three digits or a word')
    .optional()
    .meta({
      description:
        "the other party's phone number or its last digits, the ID of a call or outbound call, or all or one word of the person's name",
    }),
  from: moment.optional(),
  to: moment.optional(),
};

interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The object, where its range does not end before it begins. */
export const inOrder = <T extends z.ZodObject>(query: T): T =>
  query.refine(
    (value) => {
      const { from, to } = value as Range; // of an object with the fields above
      return !from || !to || Date.parse(from) <= Date.parse(to);
    },
    { message: 'must not be before from', path: ['to'] },
  );
