// The part of the callable rows that a preview keeps: the first ones, and the price of all of them. Its size does not
// grow with the file.
import type { ImportedRow } from '../import/import-types.js';
import { firstRowsIn, phoneNumbersIn, type RecipientBatch } from '../import/recipient-batch.js';
import type { RateTable } from '../ledger/rates.js';

const shownRows = 20;

export class GoodRows {
  readonly #rates: Pick<RateTable, 'rateOf' | 'highestMicros'>;
  readonly #first: ImportedRow[] = [];
  #rateMicros = 0;
  #unknownRates = 0;

  constructor(rates: Pick<RateTable, 'rateOf' | 'highestMicros'>) {
    this.#rates = rates;
  }

  get first(): readonly ImportedRow[] {
    return this.#first;
  }

  /** The price of one started minute with each of them, in micros. */
  get rateMicros(): number {
    return this.#rateMicros;
  }

  get unknownRates(): number {
    return this.#unknownRates;
  }

  take(batch: RecipientBatch): void {
    if (batch.rows === 0) return;
    const missing = shownRows - this.#first.length;
    if (missing > 0) this.#first.push(...firstRowsIn(batch, missing));
    for (const phoneNumber of phoneNumbersIn(batch)) {
      const rate = this.#rates.rateOf(phoneNumber);
      if (rate === undefined) this.#unknownRates += 1;
      this.#rateMicros += rate ?? this.#rates.highestMicros;
    }
  }
}
