// The behaviour of the simulated phone, decided by the last two digits of the number.

export type Callee =
  | {
      readonly does: 'answer';
      readonly afterMs: number;
      readonly as: 'person' | 'machine' | 'hangs-up' | 'waits-in-vain';
    }
  | { readonly does: 'not-answer' }
  | {
      readonly does: 'refuse';
      readonly afterMs: number;
      readonly sipStatus: number;
      readonly phrase: string;
      readonly rings: boolean;
    };

/** Trouble that the provider makes around the phone. */
export type ProviderTrouble = 'none' | 'rate-limit-once' | 'error-before' | 'hang-after';

const refuse = (sipStatus: number, phrase: string, rings: boolean): Callee => ({
  does: 'refuse',
  afterMs: rings ? 1_000 : 100,
  sipStatus,
  phrase,
  rings,
});
const answer = (as: 'person' | 'machine' | 'hangs-up' | 'waits-in-vain', afterMs = 800): Callee => ({
  does: 'answer',
  afterMs,
  as,
});

const ending = (number: string): number => Number(number.slice(-2));

export const calleeOf = (number: string): Callee => {
  const digits = ending(number);
  if (digits <= 59) return answer('person');
  if (digits <= 69) return { does: 'not-answer' };
  if (digits <= 79) return refuse(486, 'Busy Here', true);
  if (digits <= 84) return refuse(603, 'Decline', true);
  if (digits <= 89) return answer('machine');
  if (digits <= 93) return refuse(404, 'Not Found', false);
  if (digits === 94) return answer('person', 20_000);
  if (digits === 98) return answer('hangs-up');
  if (digits === 99) return answer('waits-in-vain');
  return answer('person');
};

export const troubleOf = (number: string): ProviderTrouble => {
  const troubles: Partial<Record<number, ProviderTrouble>> = {
    95: 'rate-limit-once',
    96: 'error-before',
    97: 'hang-after',
  };
  return troubles[ending(number)] ?? 'none';
};
