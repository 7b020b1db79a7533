// Reads the value in an answer of the person.
import { mailNameIn, readValue, type SpokenValue } from '@parlance/spoken-values';
import type { Call } from '../dialogue/call.js';
import { readKeys } from './keyed.js';
import type { Slot } from './slots.js';
import { withDomain, withGaps, withMarks } from './spelled-names.js';
import type { OpenQuestion } from './state.js';

/** A code such as A-1001, where nothing says what an argument looks like. */
const codeInText = /\b(?=[\w-]*\d)[A-Za-z]{0,4}-?\d[\w-]*\b/;

export class AnswerReader {
  readonly #call: Call;
  readonly #isSpoken: boolean;

  constructor(call: Call, isSpoken: boolean) {
    this.#call = call;
    this.#isSpoken = isSpoken;
  }

  read(slot: Slot, text: string, now: Date): SpokenValue | undefined {
    const { language, timezone } = this.#call;
    const value = readValue(slot.field, text, { language, timezone, now });
    if (!slot.isArgument || (value !== undefined && value.kind !== 'text')) return value;
    const code = codeInText.exec(text);
    return code === null
      ? value
      : { value: code[0], quote: code[0], start: code.index, end: code.index + code[0].length, kind: 'code' };
  }

  /** An answer with keys: the digits of a number, a date or a time, and 1 for the first choice. */
  keyed({ field }: Slot, text: string, now: Date, day?: string): SpokenValue | undefined {
    const { language, timezone } = this.#call;
    return this.#isSpoken ? readKeys(field, text, { language, timezone, now }, day) : undefined;
  }

  /** The value in an answer, completed by what was misheard before it. */
  heard(slot: Slot, { said, rejected }: OpenQuestion, text: string, now: Date): SpokenValue | undefined {
    const value = this.read(slot, said === undefined ? text : `${said}, ${text}`, now);
    if (rejected === undefined) return value;
    if (value !== undefined) return withMarks(withGaps(value, rejected), rejected);
    const isMail = rejected.kind === 'mail';
    return isMail ? withDomain(mailNameIn(text, this.#call.language), rejected, text) : undefined;
  }

  isDenied({ denied = [] }: OpenQuestion, { value }: SpokenValue): boolean {
    return this.#isSpoken && denied.includes(value);
  }
}
