// Callers who book something, made from a seed: what they want, how they say it, whose voice they have, and whether it is noisy
// around them. The same seed gives the same callers.
import type { Booking, Fact } from '@parlance/conversation/testing';
import { seeded } from '../sound/audio.js';
import {
  clockWords,
  dayWords,
  digitWords,
  figures,
  germanClock,
  germanDate,
  germanDigits,
  germanLetters,
  germanWeekday,
  letterWords,
  ordinalDay,
} from './spoken.js';

export interface VoiceCaller {
  readonly booking: Booking;
  readonly language: 'en' | 'de';
  readonly voice: string;
  readonly isNoisy: boolean;
}

/** All dates follow from it. */
export const callsAt = new Date('2026-11-27T09:00:00.000Z');

const englishVoices = ['nova', 'onyx', 'fable'] as const;
/** Made in milliseconds, and harder to understand. */
const espeakVoices = ['espeak:en-us', 'espeak:en-gb', 'espeak:en-us+f3'] as const;
const germanVoices = ['pico_de', 'pico_de_deep', 'pico_de_bright'] as const;

const firstNames =
  'Ada Grace Alan Mary John Emma Oliver Sarah David Laura Peter Helen Martin Alice Robert Julia Thomas Anna Daniel Susan Michael Karen Henry Lucy George Nina Victor Diana Samuel Rachel'.split(
    ' ',
  );
const lastNames =
  'Lovelace Hopper Turing Anderson Baker Carter Dawson Ellis Fletcher Graham Harrison Jenkins Kingsley Lambert Mitchell Newton Osborne Palmer Quinn Reynolds Sullivan Turner Underwood Vaughan Walker Young Bennett Coleman Hughes Marshall'.split(
    ' ',
  );
const germanFirst = 'Anna Lukas Sofia Felix Emma Paul Marie Jonas Clara Moritz Hannah Karl'.split(' ');
const germanLast =
  'Becker Schneider Hoffmann Wagner Fischer Weber Koch Richter Klein Wolf Neumann Zimmermann'.split(' ');
const streets =
  'Main Street/Oak Avenue/Pine Street/Church Road/Park Lane/Hill Street/River Road/Station Road/Maple Drive/Lincoln Avenue'.split(
    '/',
  );
const domains = ['example.com', 'example.org', 'example.net', 'gmail.com'];
const areaCodes = ['415', '212', '503', '617', '303', '206', '512', '702', '310', '773'];

class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  one<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Names are said, said again more slowly, and then spelled. */
const nameFact = (dice: Dice, first: string, last: string): Fact => {
  const full = `${first} ${last}`;
  const spelled = `${first}, ${letterWords(first)}. ${last}, ${letterWords(last)}.`;
  return {
    value: full,
    says: [dice.one([`${full}.`, `My name is ${full}.`, `It's ${full}.`]), `${full}.`],
    spells: [spelled, `${letterWords(first, true)}. ${letterWords(last, true)}.`],
    spellsInTurn: [`${letterWords(first, true)}.`, `${letterWords(last, true)}.`],
  };
};

const phoneFact = (dice: Dice): Fact => {
  const national = `${dice.one(areaCodes)}555${pad(dice.between(100, 199), 4)}`;
  const groups = [national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  const spoken = groups.map((group) => digitWords(group)).join(', ');
  return {
    value: `+1${national}`,
    says: [dice.one([`${spoken}.`, `It's ${spoken}.`, `Sure, ${spoken}.`]), `${spoken}.`],
    keys: national,
  };
};

const dateIn = (days: number): Date => new Date(callsAt.getTime() + days * 86_400_000);
const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

interface Clock {
  readonly hour: number;
  readonly minute: number;
}

const clock = (dice: Dice, least: number, most: number): Clock => ({
  hour: dice.between(least, most),
  minute: dice.one([0, 0, 30]),
});

const isoTime = ({ hour, minute }: Clock): string => `${pad(hour)}:${pad(minute)}`;

/** A day within the next three weeks, as people name it. */
const day = (dice: Dice): { readonly iso: string; readonly says: readonly string[] } => {
  const days = dice.between(1, 20);
  const date = dateIn(days);
  const exact = dayWords(date);
  const weekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const near = days === 1 ? 'tomorrow' : days < 7 ? `on ${weekday}` : exact;
  return { iso: isoDate(date), says: [dice.one([near, exact]), exact, ordinalDay(date)] };
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const dayFact = (dice: Dice): Fact => {
  const { iso, says } = day(dice);
  return { value: iso, says: says.map((words) => sentence(words)) };
};

const timeFact = (dice: Dice): Fact => {
  const at = clock(dice, 9, 16);
  return {
    value: isoTime(at),
    says: [`at ${clockWords(at)}`, clockWords(at), figures(at)].map(sentence),
  };
};

const momentFact = (dice: Dice): Fact => {
  const { iso, says } = day(dice);
  const at = clock(dice, 17, 21);
  return {
    value: `${iso}T${isoTime(at)}`,
    says: says.map((words) => sentence(`${words} at ${clockWords(at)}`)),
    saysTime: [`at ${clockWords(at)}`, clockWords(at), figures(at)].map(sentence),
  };
};

const birthFact = (dice: Dice): Fact => {
  const date = new Date(Date.UTC(dice.between(1950, 2005), dice.below(12), dice.between(1, 28)));
  return {
    value: isoDate(date),
    says: [sentence(dayWords(date, true)), sentence(`${ordinalDay(date)}, ${date.getUTCFullYear()}`)],
  };
};

const mailFact = (dice: Dice): Fact => {
  const local = dice.one([
    dice.one(firstNames).toLowerCase(),
    `${dice.one(firstNames)}.${dice.one(lastNames)}`.toLowerCase(),
  ]);
  const domain = dice.one(domains);
  const dotted = (text: string): string => text.replaceAll('.', ' dot ');
  const spelledOut = (hasExamples: boolean): string =>
    local
      .split('.')
      .map((part) => letterWords(part, hasExamples))
      .join(', dot, ');
  const [spelled, withWords] = [spelledOut(false), spelledOut(true)];
  return {
    value: `${local}@${domain}`,
    says: [`${dotted(local)} at ${dotted(domain)}.`, `It's ${dotted(local)} at ${dotted(domain)}.`],
    spells: [`${spelled}, at ${dotted(domain)}.`, `${withWords}, at ${dotted(domain)}.`],
  };
};

const addressFact = (dice: Dice): Fact => {
  const address = `${dice.between(10, 99)} ${dice.one(streets)}`;
  return { value: address, says: [`${address}.`, `It's ${address}.`] };
};

const numberFact = (dice: Dice, least: number, most: number, one: string, many: string): Fact => {
  const value = dice.between(least, most);
  const unit = value === 1 ? one : many;
  return { value, says: [`${value} ${unit}.`, `${value}.`], keys: String(value) };
};

const choiceFact = (value: string, says: readonly string[]): Fact => ({ value, says });

const builders: Readonly<Record<string, (dice: Dice) => Booking>> = {
  restaurant: (dice) => ({
    agent: 'restaurant',
    opening: dice.one(["Hi, I'd like to book a table, please.", 'Hello, can you take a reservation?']),
    facts: {
      full_name: nameFact(dice, dice.one(firstNames), dice.one(lastNames)),
      phone: phoneFact(dice),
      party_size: numberFact(dice, 2, 9, 'person', 'people'),
      reservation: momentFact(dice),
      seating: dice.one([
        choiceFact('inside', ['Inside, please.']),
        choiceFact('terrace', ['On the terrace, please.', 'The terrace.']),
      ]),
      notes: { value: null, says: [dice.one(['No, thank you.', 'One of us is allergic to nuts.'])] },
    },
  }),
  dentist: (dice) => ({
    agent: 'dentist',
    opening: dice.one(['Good morning, I need an appointment.', 'Hello, I have a toothache.']),
    facts: {
      patient_name: nameFact(dice, dice.one(firstNames), dice.one(lastNames)),
      date_of_birth: birthFact(dice),
      first_visit: dice.one([
        { value: true, says: ['Yes, it is.', 'Yes.'] },
        { value: false, says: ['No, I have been there before.', 'No.'] },
      ]),
      reason: { value: null, says: [dice.one(['I have a toothache.', 'I lost a filling.', 'A check-up.'])] },
      appointment_day: dayFact(dice),
      appointment_time: timeFact(dice),
    },
  }),
  workshop: (dice) => ({
    agent: 'workshop',
    opening: dice.one(['Hi, my car needs some work.', 'Hello, I would like to bring my car in.']),
    facts: {
      customer_name: nameFact(dice, dice.one(firstNames), dice.one(lastNames)),
      email: mailFact(dice),
      service: dice.one([
        choiceFact('oil change', ['An oil change, please.', 'Oil change.']),
        choiceFact('tires', ['New tires.', 'The tires.']),
        choiceFact('brakes', ['I think it is the brakes.', 'The brakes.']),
      ]),
      pickup_address: addressFact(dice),
      day: dayFact(dice),
      loaner: dice.one([
        { value: true, says: ['Yes, please.'] },
        { value: false, says: ['No, thanks.'] },
      ]),
    },
  }),
  hotel: (dice) => ({
    agent: 'hotel',
    opening: dice.one(["Hello, I'd like to reserve a room.", 'Good afternoon, do you have a room for me?']),
    facts: {
      guest_name: nameFact(dice, dice.one(firstNames), dice.one(lastNames)),
      arrival: dayFact(dice),
      nights: numberFact(dice, 1, 7, 'night', 'nights'),
      room: dice.one([
        choiceFact('single', ['A single room.', 'Single, please.']),
        choiceFact('double', ['A double room, please.', 'Double.']),
        choiceFact('suite', ['The suite.', 'A suite, please.']),
      ]),
      phone: phoneFact(dice),
    },
  }),
  friseur: (dice) => {
    const [first, last] = [dice.one(germanFirst), dice.one(germanLast)];
    const mobile = `0170${pad(dice.between(1_000_000, 9_999_999), 7)}`;
    const days = dice.between(1, 14);
    const date = dateIn(days);
    const at = clock(dice, 9, 17);
    const spoken = germanDigits(mobile);
    return {
      agent: 'friseur',
      opening: dice.one([
        'Guten Tag, ich brauche einen Termin.',
        'Hallo, ich möchte zum Haareschneiden kommen.',
      ]),
      facts: {
        name: {
          value: `${first} ${last}`,
          says: [dice.one([`${first} ${last}.`, `Mein Name ist ${first} ${last}.`]), `${first} ${last}.`],
          spells: [
            `${letterWords(first)}. ${letterWords(last)}.`,
            `${germanLetters(first)}. ${germanLetters(last)}.`,
          ],
          spellsInTurn: [`${germanLetters(first)}.`, `${germanLetters(last)}.`],
        },
        telefon: { value: `+49${mobile.slice(1)}`, says: [`${spoken}.`, `${spoken}.`], keys: mobile },
        termin: {
          value: `${isoDate(date)}T${isoTime(at)}`,
          says: [
            `Am ${germanDate(date)} um ${germanClock(at)}.`,
            `${germanWeekday(date)}, ${germanDate(date)}, um ${germanClock(at)}.`,
          ],
          saysTime: [`Um ${germanClock(at)}.`, `${germanClock(at)}.`],
        },
        leistung: dice.one([
          choiceFact('Schneiden', ['Schneiden, bitte.', 'Schneiden.']),
          choiceFact('Färben', ['Färben, bitte.', 'Färben.']),
          choiceFact('Waschen', ['Nur Waschen.', 'Waschen.']),
        ]),
      },
    };
  },
};

const english = ['restaurant', 'dentist', 'workshop', 'hotel'] as const;

export interface CallersOptions {
  readonly seed: number;
  /** Of ten callers, so many speak German. */
  readonly germanOfTen: number;
  /** English callers have voices of espeak-ng. */
  readonly isEspeak: boolean;
}

export const callersFor = (
  count: number,
  { seed, germanOfTen, isEspeak }: CallersOptions,
): readonly VoiceCaller[] => {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const isGerman = index % 10 >= 10 - germanOfTen;
    const agent = isGerman ? 'friseur' : (english[index % english.length] ?? 'hotel');
    const booking = builders[agent]?.(dice);
    if (booking === undefined) throw new Error(`nobody books at ${agent}`);
    return {
      booking,
      language: isGerman ? 'de' : 'en',
      voice: dice.one<string>(isGerman ? germanVoices : isEspeak ? espeakVoices : englishVoices),
      isNoisy: index % 3 === 2,
    };
  });
};
