// A telephone number as spreadsheets write it: with its plus lost, as a decimal, in powers of ten, behind an apostrophe.
import { mayCall } from '../rules/may-call.js';
import {
  type Destination,
  type DialingPlan,
  readDestination,
  unreadableMessages,
} from '../rules/phone-numbers.js';

/** The number in `text`, or a message for a person when it is no number that can be called. */
export type PhoneCell =
  | { readonly kind: 'callable'; readonly number: string }
  | { readonly kind: 'invalid'; readonly message: string };

const guarded = /^="(.*)"$/;
const decimal = /^(\+?\d+)\.0+$/;
const powers = /^\+?(\d)(?:\.(\d+))?[eE]\+?(\d{1,2})$/;
const northAmerican = /^(\+1|1)?([2-9]\d{2}[2-9]\d{6})$/;
const international = /^\+1[2-9]\d{2}[2-9]\d{6}$/;
const punctuated = /^[+\d\s().-]+$/;
const punctuation = /[\s().-]/g;
const northAmerica: readonly (string | undefined)[] = ['US', 'CA'];

const messages = {
  ...unreadableMessages,
  emergency_or_service_number: 'is an emergency or service number, or too short to be a phone number',
  premium_rate: 'is a premium-rate, shared-cost or personal number or a pager, which is never called',
  country: 'belongs to a country that may not be called',
  own_number: 'is the number that the calls come from',
} as const;
const shortened = 'was shortened by the spreadsheet: format the column as text and enter the number again';

/** Undefined when digits were lost: 1.41556E+10 could be any of a hundred thousand numbers. */
const fromPowers = ([, first = '', rest = '', exponent = '']: RegExpExecArray): string | undefined =>
  rest.length === Number(exponent) ? first + rest : undefined;

const cleaned = (text: string): string => {
  const trimmed = text.trim();
  const open = guarded.exec(trimmed)?.[1] ?? (trimmed.startsWith("'") ? trimmed.slice(1) : trimmed);
  return decimal.exec(open)?.[1] ?? open;
};

/**
 * The verdict on ten digits in North America depends on the first six: exchanges are given out whole. One question to
 * the library for each exchange makes such a file three times as fast to read.
 */
class Exchanges {
  readonly #plan: DialingPlan;
  /** Verdicts by six digits: 0 for an unasked exchange, else the verdict's number plus one. */
  readonly #known = new Uint8Array(1_000_000);
  readonly #verdicts: Destination[] = [];

  constructor(plan: DialingPlan) {
    this.#plan = plan;
  }

  read(digits: string): Destination {
    const exchange = Number(digits.slice(0, 6));
    const known = this.#verdicts[(this.#known[exchange] ?? 0) - 1];
    if (known === undefined) {
      const found = readDestination(`+1${digits}`, this.#plan);
      this.#known[exchange] = this.#remember(found);
      return found;
    }
    return known.kind === 'callable' ? { kind: 'callable', number: `+1${digits}` } : known;
  }

  /** One of a handful: a kind, or a kind with its reason. */
  #remember(found: Destination): number {
    const same = (known: Destination): boolean =>
      known.kind === 'callable' || found.kind === 'callable'
        ? known.kind === found.kind
        : known.reason === found.reason;
    const index = this.#verdicts.findIndex(same);
    return index < 0 ? this.#verdicts.push(found) : index + 1;
  }
}

/** Reads the cells of one file. */
export class PhoneReader {
  readonly #plan: DialingPlan;
  readonly #exchanges: Exchanges;

  constructor(plan: DialingPlan) {
    this.#plan = plan;
    this.#exchanges = new Exchanges(plan);
  }

  read(text: string): PhoneCell {
    // Written as it should be, which most are: nothing below would change it.
    if (international.test(text)) return this.#answer(this.#exchanges.read(text.slice(2)));
    const written = cleaned(text);
    const inPowers = powers.exec(written);
    const digits = inPowers === null ? written : fromPowers(inPowers);
    if (digits === undefined) return { kind: 'invalid', message: shortened };
    return this.#answer(this.#destination(digits));
  }

  #answer(destination: Destination): PhoneCell {
    const decision = mayCall({ destination });
    if (decision.isAllowed) return decision.facts.destination;
    return { kind: 'invalid', message: messages[decision.refusals[0].reason] };
  }

  #destination(written: string): Destination {
    const text = punctuated.test(written) ? written.replaceAll(punctuation, '') : written;
    const [, plus, northAmericans] = northAmerican.exec(text) ?? [];
    const isThere = plus === '+1' || northAmerica.includes(this.#plan.country);
    if (northAmericans !== undefined && isThere) return this.#exchanges.read(northAmericans);
    return readDestination(text, this.#plan);
  }
}
