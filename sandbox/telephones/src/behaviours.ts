// The behaviour of a called telephone, which the last digits of its number decide. Numbers end as the simulated numbers
// of the LiveKit stand-in do. Behaviours that only a wire has are numbers of four digits that begin with 99.

/** Each is a part of the scenario that SIPp plays (scenario.ts). */
export const played = [
  'answers',
  'answers-late',
  'early-media',
  'hangs-up',
  'rings-out',
  'busy',
  'declines',
  'switched-off',
  'no-such-number',
  'error',
  'unavailable',
  'over-pace',
] as const;
export type Played = (typeof played)[number];

export interface Telephone {
  /** Undefined: the carrier swallows the INVITE, and no phone hears of it. */
  readonly plays: Played | undefined;
  readonly says: 'its-digits' | 'greeting-and-beep';
  /** The carrier loses the answer on its way back. */
  readonly losesAnswer?: true;
  /** The carrier refuses the first call to the number, as if calls had come too fast. */
  readonly isPacedOnce?: true;
}

const phone = (plays: Played | undefined): Telephone => ({ plays, says: 'its-digits' });

/** By the last four digits. */
const onlyOnTheWire: Readonly<Record<string, Telephone>> = {
  '9900': phone(undefined),
  '9903': phone('unavailable'),
  '9980': phone('switched-off'),
  '9983': phone('early-media'),
};

const byLastTwo = (digits: number): Telephone => {
  if (digits <= 59) return phone('answers');
  if (digits <= 69) return phone('rings-out');
  if (digits <= 79) return phone('busy');
  if (digits <= 84) return phone('declines');
  if (digits <= 89) return { plays: 'answers', says: 'greeting-and-beep' };
  if (digits <= 93) return phone('no-such-number');
  if (digits === 94) return phone('answers-late');
  if (digits === 95) return { ...phone('answers'), isPacedOnce: true };
  if (digits === 96) return phone('error');
  if (digits === 97) return { ...phone('answers'), losesAnswer: true };
  if (digits === 98) return phone('hangs-up');
  return phone('answers');
};

export const telephoneOf = (number: string): Telephone =>
  onlyOnTheWire[number.slice(-4)] ?? byLastTwo(Number(number.slice(-2)));

/** The digits that an answering phone speaks over and over. */
export const digitsOf = (number: string): string => number.replaceAll(/\D/g, '').slice(-4);
