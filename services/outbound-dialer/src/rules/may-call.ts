// Whether a number may be called now: every rule about a call, as one pure function of facts. Its users differ in the facts that they
// have at their stage (a row of a file has no caller number yet) and in their answer (an HTTP error, a skipped recipient, a deferred
// attempt). They do not differ in the rules.

import type { ClosedBy } from '../domain/campaign/campaign-events.js';
import type { CallingHoursFact } from './calling-hours.js';
import type { Destination } from './phone-numbers.js';

/** Raised with every change of the rules, their order or the shape of a decision. */
export const mayCallVersion = 1;

export interface CallFacts {
  readonly organization: { readonly isRemoved: boolean };
  /** The campaign that makes the call. A call that a person ordered has none, and cannot be cancelled with one. */
  readonly campaign: { readonly isCancelled: boolean };
  /** Whether the number is on the do-not-call list of the organization or of the operator. */
  readonly suppression: { readonly isSuppressed: boolean };
  readonly callerNumber:
    | { readonly kind: 'owned' }
    | { readonly kind: 'unowned'; readonly code: 'NUMBER_NOT_FOUND' | 'CALLER_NUMBER_NOT_OWNED' };
  readonly destination: Destination;
  readonly callingHours: CallingHoursFact;
  /** Another call of the organization to the number. */
  readonly conversation: { readonly isInProgress: boolean; readonly retryAt: Date };
  /** The attempts that the number had today. Null where this attempt is within every limit. */
  readonly attempts: { readonly exceeded: { readonly nextDay: Date } | null };
}

/** In the order in which a refused call gives its reason. */
export const callRules = [
  'organization',
  'campaign',
  'suppression',
  'callerNumber',
  'destination',
  'callingHours',
  'conversation',
  'attempts',
] as const satisfies readonly (keyof CallFacts)[];
export type CallRule = keyof CallFacts;

interface Reasons {
  readonly organization: 'removed';
  readonly campaign: 'cancelled';
  readonly suppression: 'suppressed';
  readonly callerNumber: 'NUMBER_NOT_FOUND' | 'CALLER_NUMBER_NOT_OWNED';
  readonly destination: Exclude<CallFacts['destination'], { readonly kind: 'callable' }>['reason'];
  readonly callingHours: ClosedBy;
  readonly conversation: 'in_progress';
  readonly attempts: 'limit_reached';
}

interface Refused<R extends CallRule> {
  readonly reason: Reasons[R];
  /** When this rule will allow the call; undefined for never, as far as the facts show. */
  readonly allowedAt: Date | undefined;
}

/** A rule that refuses the call, and the fact that it looked at. */
export type Refusal<K extends CallRule = CallRule> = {
  readonly [R in K]: Refused<R> & { readonly rule: R; readonly input: CallFacts[R] };
}[K];

/** The facts of an allowed call: its caller number is owned, and its destination callable. */
type Allowing<F extends Partial<CallFacts>> = {
  readonly [R in keyof F]: Exclude<F[R], { readonly kind: 'unowned' | 'unreadable' | 'refused' }>;
};

/** @typeParam F the facts that were known, one for each rule that was applied */
export type CallDecision<F extends Partial<CallFacts> = CallFacts> =
  | { readonly version: typeof mayCallVersion; readonly isAllowed: true; readonly facts: Allowing<F> }
  | {
      readonly version: typeof mayCallVersion;
      readonly isAllowed: false;
      /** Every rule that refuses the call, in the order of `callRules`. */
      readonly refusals: readonly [Refusal<keyof F & CallRule>, ...Refusal<keyof F & CallRule>[]];
    };

const never = <const Reason>(reason: Reason) => ({ reason, allowedAt: undefined });

const checks: { readonly [R in CallRule]: (fact: CallFacts[R]) => Refused<R> | undefined } = {
  organization: ({ isRemoved }) => (isRemoved ? never('removed') : undefined),
  campaign: ({ isCancelled }) => (isCancelled ? never('cancelled') : undefined),
  suppression: ({ isSuppressed }) => (isSuppressed ? never('suppressed') : undefined),
  callerNumber: (number) => (number.kind === 'owned' ? undefined : never(number.code)),
  destination: (to) => (to.kind === 'callable' ? undefined : never(to.reason)),
  callingHours: ({ answer }) =>
    answer.open ? undefined : { reason: answer.closedBy, allowedAt: answer.opensAt },
  conversation: ({ isInProgress, retryAt }) =>
    isInProgress ? { reason: 'in_progress', allowedAt: retryAt } : undefined,
  attempts: ({ exceeded }) =>
    exceeded === null ? undefined : { reason: 'limit_reached', allowedAt: exceeded.nextDay },
};

const refusalBy = <R extends CallRule>(rule: R, input: CallFacts[R] | undefined): Refusal<R> | undefined => {
  const refused = input === undefined ? undefined : checks[rule](input);
  // The compiler does not see that the parts of a union's member belong together.
  return refused === undefined ? undefined : ({ rule, input, ...refused } as unknown as Refusal<R>);
};

/**
 * @param facts those that are known at this stage. A rule without its fact is not applied, so the last decision before a dial has
 *   to have all of them
 */
export const mayCall = <F extends Partial<CallFacts>>(facts: F): CallDecision<F> => {
  const known: Partial<CallFacts> = facts;
  const refusals: Refusal<keyof F & CallRule>[] = [];
  for (const rule of callRules) {
    const refusal = refusalBy(rule, known[rule]);
    if (refusal !== undefined) refusals.push(refusal as Refusal<keyof F & CallRule>);
  }
  const [first, ...others] = refusals;
  return first === undefined
    ? { version: mayCallVersion, isAllowed: true, facts: facts as Allowing<F> }
    : { version: mayCallVersion, isAllowed: false, refusals: [first, ...others] };
};
