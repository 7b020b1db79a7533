import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CallingRules, callingHoursAt, callingHoursOf } from './calling-hours.js';
import { type CallFacts, callRules, mayCall, mayCallVersion } from './may-call.js';
import { allowedOrThrow, endedReasonOf } from './refusals.js';

const at = new Date('2026-06-01T10:00:00Z');
const later = new Date('2026-06-01T10:00:30Z');
const tomorrow = new Date('2026-06-02T00:00:00Z');
const number = '+14155550100';
const whereabouts = { number: ['America/Los_Angeles'], named: [] };

const anyHour: CallingRules = {
  operator: null,
  organization: null,
  campaign: null,
  organizationZone: 'UTC',
  campaignZone: undefined,
  namedTimezones: 'narrow',
};
/** Closed in California, where it is 03:00. */
const office: NonNullable<CallingRules['organization']> = {
  days: [0, 1, 2, 3, 4],
  start: '09:00',
  end: '17:00',
  basis: 'recipient',
};
const officeHours: CallingRules = { ...anyHour, organization: office };
/** Closed on every day. */
const noHour: CallingRules = { ...anyHour, campaign: { ...office, days: [] } };
const hoursBy = (rules: CallingRules) => callingHoursOf(rules, at)(whereabouts);
const opening = new Date('2026-06-01T16:00:00Z');

const fit: CallFacts = {
  organization: { isRemoved: false },
  campaign: { isCancelled: false },
  suppression: { isSuppressed: false },
  callerNumber: { kind: 'owned' },
  destination: { kind: 'callable', number },
  callingHours: hoursBy(anyHour),
  conversation: { isInProgress: false, retryAt: later },
  attempts: { exceeded: null },
};

const unfit = {
  organization: [{ isRemoved: true }],
  campaign: [{ isCancelled: true }],
  suppression: [{ isSuppressed: true }],
  callerNumber: [
    { kind: 'unowned', code: 'NUMBER_NOT_FOUND' },
    { kind: 'unowned', code: 'CALLER_NUMBER_NOT_OWNED' },
  ],
  destination: [
    { kind: 'unreadable', reason: 'not_a_number' },
    { kind: 'unreadable', reason: 'ambiguous' },
    { kind: 'refused', reason: 'premium_rate' },
    { kind: 'refused', reason: 'country' },
    { kind: 'refused', reason: 'own_number' },
  ],
  callingHours: [hoursBy(officeHours), hoursBy(noHour)],
  conversation: [{ isInProgress: true, retryAt: later }],
  attempts: [{ exceeded: { nextDay: tomorrow } }],
} as const satisfies { readonly [R in keyof CallFacts]: readonly CallFacts[R][] };

const unfitFacts: { readonly [R in keyof CallFacts]: readonly CallFacts[R][] } = unfit;
const factOf = <R extends keyof CallFacts>(rule: R): fc.Arbitrary<CallFacts[R]> => {
  const refused: readonly CallFacts[R][] = unfitFacts[rule];
  return fc.constantFrom<CallFacts[R]>(fit[rule], ...refused);
};
const anyFacts: fc.Arbitrary<CallFacts> = fc.record({
  organization: factOf('organization'),
  campaign: factOf('campaign'),
  suppression: factOf('suppression'),
  callerNumber: factOf('callerNumber'),
  destination: factOf('destination'),
  callingHours: factOf('callingHours'),
  conversation: factOf('conversation'),
  attempts: factOf('attempts'),
});

describe('a call', () => {
  it('is allowed when no rule refuses it, and its decision says so in the version of the rules', () => {
    expect(mayCall(fit)).toEqual({ version: mayCallVersion, isAllowed: true, facts: fit });
  });

  it.each([
    ['organization', { isRemoved: true }, 'removed', undefined],
    ['campaign', { isCancelled: true }, 'cancelled', undefined],
    ['suppression', { isSuppressed: true }, 'suppressed', undefined],
    ['callerNumber', unfit.callerNumber[0], 'NUMBER_NOT_FOUND', undefined],
    ['callerNumber', unfit.callerNumber[1], 'CALLER_NUMBER_NOT_OWNED', undefined],
    ['destination', unfit.destination[0], 'not_a_number', undefined],
    ['destination', unfit.destination[3], 'country', undefined],
    ['callingHours', unfit.callingHours[0], 'organization', opening],
    ['callingHours', unfit.callingHours[1], 'campaign', undefined],
    ['conversation', unfit.conversation[0], 'in_progress', later],
    ['attempts', unfit.attempts[0], 'limit_reached', tomorrow],
  ] as const)(
    'is refused by the rule %s with its fact %j, the reason %s, and the time at which the rule allows it',
    (rule, input, reason, allowedAt) => {
      expect(mayCall({ ...fit, [rule]: input })).toEqual({
        version: mayCallVersion,
        isAllowed: false,
        refusals: [{ rule, input, reason, allowedAt }],
      });
    },
  );

  it('is refused by exactly the rules whose facts refuse it alone, in the order of the rules', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const alone = callRules.filter((rule) => !mayCall({ [rule]: facts[rule] }).isAllowed);
        const decision = mayCall(facts);
        expect(decision.isAllowed).toBe(alone.length === 0);
        expect(decision.isAllowed ? [] : decision.refusals.map(({ rule }) => rule)).toEqual(alone);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not refused by a rule whose fact is not known', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...callRules), (facts, unknown) => {
        const { [unknown]: _, ...known } = facts;
        const decision = mayCall(known);
        expect(decision.isAllowed || decision.refusals.every(({ rule }) => rule !== unknown)).toBe(true);
      }),
    );
  });
});

/** The order of checks of each stage before the rules were one function. */
const before = {
  /** Immediately before a dial. */
  attempt: (facts: CallFacts): readonly [string, Date?] | undefined => {
    const { answer } = facts.callingHours;
    if (facts.organization.isRemoved) return ['cancelled_by_user'];
    if (facts.campaign.isCancelled) return ['campaign_cancelled'];
    if (facts.suppression.isSuppressed) return ['suppressed_dnc'];
    if (facts.callerNumber.kind === 'unowned') return ['provider_rejected'];
    if (facts.destination.kind === 'unreadable') return ['invalid_destination'];
    if (facts.destination.kind === 'refused') return ['country_not_allowed'];
    if (!answer.open)
      return answer.opensAt === undefined
        ? ['outside_calling_window']
        : ['outside_calling_window', answer.opensAt];
    if (facts.conversation.isInProgress) return ['concurrency_limit', facts.conversation.retryAt];
    return facts.attempts.exceeded === null
      ? undefined
      : ['concurrency_limit', facts.attempts.exceeded.nextDay];
  },
  /** When a campaign leases a recipient. */
  recipient: ({ suppression, destination, callingHours: { answer }, conversation }: CallFacts) => {
    if (suppression.isSuppressed) return { skip: 'suppressed_dnc' };
    if (destination.kind === 'unreadable') return { skip: 'invalid_destination' };
    if (destination.kind === 'refused') return { skip: 'country_not_allowed' };
    if (answer.open) return conversation.isInProgress ? { deferTo: conversation.retryAt } : 'call';
    return answer.opensAt === undefined ? { skip: 'outside_calling_window' } : { deferTo: answer.opensAt };
  },
  /** When a client orders a call: the list is looked up for a destination that was read. */
  request: ({ callerNumber, destination, suppression, callingHours: { answer } }: CallFacts) => {
    if (callerNumber.kind === 'unowned') return callerNumber.code;
    if (destination.kind === 'unreadable') return 'INVALID_PHONE_NUMBER';
    if (destination.kind === 'refused') return `DESTINATION_NOT_ALLOWED ${destination.reason}`;
    if (suppression.isSuppressed) return 'SUPPRESSED_DNC';
    return answer.open
      ? undefined
      : `OUTSIDE_CALLING_WINDOW ${answer.closedBy} ${answer.opensAt?.toISOString() ?? null}`;
  },
};

const shown = (error: unknown): string => {
  const { code, details } = error as {
    readonly code: string;
    readonly details?: {
      readonly reason?: string;
      readonly closedBy?: string;
      readonly opensAt?: string | null;
    };
  };
  if (code === 'DESTINATION_NOT_ALLOWED') return `${code} ${details?.reason}`;
  return code === 'OUTSIDE_CALLING_WINDOW' ? `${code} ${details?.closedBy} ${details?.opensAt}` : code;
};

const errorOf = (decide: () => unknown): string | undefined => {
  try {
    decide();
    return undefined;
  } catch (error) {
    return shown(error);
  }
};

describe('the one function', () => {
  it('ends or defers an attempt as the checks before a dial did', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = mayCall(facts);
        if (decision.isAllowed) return expect(before.attempt(facts)).toBeUndefined();
        const [refusal] = decision.refusals;
        const { allowedAt } = refusal;
        const found = [endedReasonOf(refusal), ...(allowedAt === undefined ? [] : [allowedAt])];
        expect(found).toEqual(before.attempt(facts));
      }),
      { numRuns: 1_000 },
    );
  });

  it('skips or defers a recipient as the lease of recipients did', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { suppression, destination, callingHours, conversation } = facts;
        const decision = mayCall({ suppression, destination, callingHours, conversation });
        if (decision.isAllowed) return expect(before.recipient(facts)).toBe('call');
        const [refusal] = decision.refusals;
        const { allowedAt } = refusal;
        const found = allowedAt === undefined ? { skip: endedReasonOf(refusal) } : { deferTo: allowedAt };
        expect(found).toEqual(before.recipient(facts));
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses a request with the errors of the checks of a quick call', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { callerNumber, destination, suppression, callingHours } = facts;
        const found = errorOf(() => {
          allowedOrThrow({ callerNumber, destination });
          allowedOrThrow({ suppression, callingHours });
        });
        expect(found).toBe(before.request(facts));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the hours of people at one instant', () => {
  it('are those of each of them, also where an earlier person had the same zones', () => {
    const zones = ['America/Los_Angeles', 'Europe/London', 'Asia/Tokyo'];
    const somewhere = fc.record({ number: fc.subarray(zones), named: fc.subarray(zones) });
    fc.assert(
      fc.property(fc.array(somewhere, { maxLength: 12 }), (people) => {
        const hoursOf = callingHoursOf(officeHours, at);
        for (const person of people)
          expect(hoursOf(person)).toEqual({
            at,
            whereabouts: person,
            answer: callingHoursAt(officeHours, person, at),
          });
      }),
    );
  });
});
