// Numbers that a simulated provider has for sale: the same ones for the same seed, real area codes, valid numbers.
import { createHash } from 'node:crypto';
import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { type NumberArea, type NumberType, numberAreas } from './number-areas.js';

export type { NumberArea, NumberType } from './number-areas.js';

export interface OfferedNumber {
  /** E.164 */
  readonly phoneNumber: string;
  /** The number as people of its country know it, without the trunk prefix. */
  readonly national: string;
  readonly area: NumberArea;
}

const perArea = 60;

/** Digits that follow from the text and nothing else. */
const digitsOf = (text: string, length: number): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString()
    .slice(-length);

export class NumberInventory {
  readonly #seed: string;
  readonly #offers = new Map<NumberArea, readonly OfferedNumber[]>();

  /** @param seed one per provider, so that two of them do not sell the same numbers */
  constructor(seed: string) {
    this.#seed = seed;
  }

  get countries(): readonly string[] {
    return [...new Set(numberAreas.map(({ country }) => country))];
  }

  typesIn(country: string): readonly NumberType[] {
    return [...new Set(numberAreas.filter((area) => area.country === country).map(({ type }) => type))];
  }

  /** Everything of one type in a country, with the areas taking turns. */
  offers(country: string, type: NumberType): OfferedNumber[] {
    const areas = numberAreas
      .filter((area) => area.country === country && area.type === type)
      .map((area) => this.#offersIn(area));
    return Array.from({ length: perArea }, (_, turn) =>
      areas.flatMap((offers) => offers.slice(turn, turn + 1)),
    ).flat();
  }

  /** The offer of a number; undefined for one that was never for sale. */
  find(phoneNumber: string): OfferedNumber | undefined {
    return numberAreas
      .filter(({ callingCode, areaCode }) => phoneNumber.startsWith(`+${callingCode}${areaCode}`))
      .flatMap((area) => this.#offersIn(area))
      .find((offer) => offer.phoneNumber === phoneNumber);
  }

  #offersIn(area: NumberArea): readonly OfferedNumber[] {
    const known = this.#offers.get(area);
    if (known) return known;
    const { callingCode, areaCode, digits } = area;
    const nationals = new Set<string>();
    for (let attempt = 0; nationals.size < perArea; attempt += 1) {
      const national =
        areaCode + digitsOf(`${this.#seed} ${callingCode} ${areaCode} ${attempt}`, digits - areaCode.length);
      if (isValidPhoneNumber(`+${callingCode}${national}`)) nationals.add(national);
      if (attempt > perArea * 100)
        throw new Error(`there are no valid numbers in +${callingCode} ${areaCode}`);
    }
    const offers = [...nationals].map((national) => ({
      phoneNumber: `+${callingCode}${national}`,
      national,
      area,
    }));
    this.#offers.set(area, offers);
    return offers;
  }
}
