// A refused call in the words of those that it is reported to: the record of a call, and the client of the API.
import type { EndedReason } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type CallFacts, mayCall, type Refusal } from './may-call.js';
import { invalidNumber } from './phone-numbers.js';

/** The reason with which a call or a recipient ends. */
export const endedReasonOf = (refusal: Refusal): EndedReason => {
  switch (refusal.rule) {
    case 'organization':
      return 'cancelled_by_user';
    case 'campaign':
      return 'campaign_cancelled';
    case 'suppression':
      return 'suppressed_dnc';
    case 'callerNumber':
      return 'provider_rejected';
    case 'destination':
      return refusal.input.kind === 'unreadable' ? 'invalid_destination' : 'country_not_allowed';
    case 'callingHours':
      return 'outside_calling_window';
    case 'conversation':
    case 'attempts':
      return 'concurrency_limit';
  }
};

/** The rules of a request to make a call now. The others are about calls on record. */
type RequestRule = 'suppression' | 'callerNumber' | 'destination' | 'callingHours';

const errorOf = (refusal: Refusal<RequestRule>): AppError => {
  switch (refusal.rule) {
    case 'callerNumber':
      return new AppError(refusal.reason);
    case 'destination':
      return refusal.input.kind === 'unreadable'
        ? invalidNumber('phoneNumber', refusal.input.reason)
        : new AppError('DESTINATION_NOT_ALLOWED', { details: { reason: refusal.reason } });
    case 'suppression':
      return new AppError('SUPPRESSED_DNC');
    case 'callingHours':
      return new AppError('OUTSIDE_CALLING_WINDOW', {
        details: { opensAt: refusal.allowedAt?.toISOString() ?? null, closedBy: refusal.reason },
      });
  }
};

/**
 * The facts of a request that is allowed.
 * @throws AppError NUMBER_NOT_FOUND, CALLER_NUMBER_NOT_OWNED, INVALID_PHONE_NUMBER, DESTINATION_NOT_ALLOWED, SUPPRESSED_DNC,
 *   OUTSIDE_CALLING_WINDOW, for the first rule that refuses it
 */
export const allowedOrThrow = <F extends Pick<Partial<CallFacts>, RequestRule>>(facts: F) => {
  const decision = mayCall(facts);
  if (decision.isAllowed) return decision.facts;
  throw errorOf(decision.refusals[0] as Refusal<RequestRule>);
};
